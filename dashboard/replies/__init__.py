"""Questions of programs: each has one reply, and the Python API, addresses and tools for agents all give that one."""
