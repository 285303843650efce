"""What the operator's machines ask the dashboard: does it live, is it ready, how does everything stand."""
