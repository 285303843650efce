"""The sentences that rows of published tables carry for those who read them elsewhere: made of their codes and numbers.

Analytics publishes which case a row is and the numbers of it; `prose.tables.with_prose` fills the columns of sentences
when a generation is published. Pages make theirs of the same rows.
"""
