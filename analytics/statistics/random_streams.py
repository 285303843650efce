"""Random numbers of each thing by itself: what is drawn for one stays the same when others come or go."""

import hashlib

import numpy as np

SEED = 0
"""The seed of every generation: what moves from one day to the next moves because facts or the day did."""


def stream_of(rng: np.random.Generator, key: str) -> np.random.Generator:
    """The generator of one thing: it depends on the seed of `rng` and on `key`, not on what was drawn or asked before.

    Source of the method: numpy's `SeedSequence`, whose `spawn_key` gives independent streams (O'Neill 2015, seed_seq
    for C++, as numpy documents it); the key is a digest in place of a count.

    >>> rng = np.random.default_rng(1)
    >>> first, other = (stream_of(rng, key).random() for key in ("mmlu", "gsm8k"))
    >>> first == stream_of(rng, "mmlu").random(), first == other
    (True, False)
    """
    seeds = rng.bit_generator.seed_seq
    if not isinstance(seeds, np.random.SeedSequence):
        raise TypeError("streams are of a generator that was seeded by a SeedSequence")
    words = np.frombuffer(hashlib.blake2b(key.encode(), digest_size=16).digest(), np.uint32)
    own_seeds = np.random.SeedSequence(seeds.entropy, spawn_key=(*seeds.spawn_key, *words.tolist()))
    return np.random.default_rng(own_seeds)
