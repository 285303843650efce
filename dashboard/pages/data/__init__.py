"""Where everything comes from: sources, snapshots, rejected rows and what may be one model."""
