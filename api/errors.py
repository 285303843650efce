"""The errors that a program may get in place of an answer; each has a `code` that tools for agents repeat."""


class BenchhealthError(Exception):
    """There is no answer; the text says why, in a sentence.

    >>> import benchhealth as bh
    >>> try:
    ...     bh.open(HOME).answer("no-such-exam")
    ... except bh.BenchhealthError as error:
    ...     print(error.code, error, sep=": ")
    invalid: no benchmark 'no-such-exam'; one is named by its id or its whole name
    """

    code = "failed"


class InvalidError(BenchhealthError, ValueError):
    """A name that does not exist, or a value that is no valid score, number or name."""

    code = "invalid"


class RefusedError(BenchhealthError, ValueError):
    """SQL that is refused: it is not a SELECT, reads what is not public, or takes too long."""

    code = "refused"


class BusyError(BenchhealthError):
    """The server is busy with as many requests as it takes at a time: ask again later."""

    code = "busy"


class NotReadyError(BenchhealthError):
    """No generation can be read: none is published yet, or a part of it is damaged."""

    code = "not_ready"


class UnreachableError(BenchhealthError):
    """The dashboard at the address did not answer, or answered something else."""

    code = "unreachable"
