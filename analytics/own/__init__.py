"""What somebody brought here beside what is public: its own rows in the tables, and nothing else in them moved."""
