"""The pictures of the stories."""
