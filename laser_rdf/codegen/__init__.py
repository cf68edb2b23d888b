"""Plans to Python source, specialised to the rules."""
