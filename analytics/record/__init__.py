"""What is held to be true: facts as frames, what is listed, boards over time, frontiers, and the tables' schemas."""
