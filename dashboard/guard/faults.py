"""What keeps the server from starting; apart from what raises it, which imports Streamlit."""


class LoginError(ValueError):
    """The login that is demanded cannot be held: the server does not start without it."""
