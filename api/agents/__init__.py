"""Tools for agents: the questions of the Python API by the Model Context Protocol."""
