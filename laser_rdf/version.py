"""The version of the package, in the one place that says it."""

VERSION = "0.1.0"
