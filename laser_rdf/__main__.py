"""`python -m laser_rdf` is the command line."""

from laser_rdf.cli import entry_point

entry_point()
