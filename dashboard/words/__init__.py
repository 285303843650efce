"""Text as readers see it: escaped for where it is shown, said in sentences, and the definitions of all terms."""
