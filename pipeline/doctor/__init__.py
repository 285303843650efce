"""What is wrong with a home, and how to mend it: the command, and its checks by what they look at."""
