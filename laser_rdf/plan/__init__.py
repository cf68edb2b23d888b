"""Checked programs to plans: relations, core rules, join orders."""
