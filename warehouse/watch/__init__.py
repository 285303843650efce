"""What an operator watches without opening the facts: the run at work, and how sources, files and runs stand."""
