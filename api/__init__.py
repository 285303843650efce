"""What programs ask with: the Python API over a home or a served dashboard, and the tools of agents on top of it."""
