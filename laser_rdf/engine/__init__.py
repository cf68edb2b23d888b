"""The machine that generated rules run in: tables, expiry, phases. It knows nothing of RDF."""
