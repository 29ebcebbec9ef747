"""The cut through foam rubber: open cells that the knife has halved. They are real dents, since noise removal would take a bump away."""

import numpy as np


def cut_cells(rows, n, cells, deep, rough, largest, seed):
    """The depth of the cut at `rows` + 1 by `n` spots, which close to a ring; `cells` per spot of one row, at most `deep`."""
    rng = np.random.default_rng(seed)
    dents = rng.normal(0, rough, (rows + 1, n))
    for _ in range(int(n * cells)):
        row, column, size = rng.integers(0, rows + 1), rng.integers(0, n), rng.uniform(0.8, largest)
        i, j = np.meshgrid(np.arange(-3, 4), np.arange(-3, 4), indexing='ij')
        at = np.clip(row + i, 0, rows), (column + j) % n
        dents[at] = np.minimum(dents[at], -deep * np.exp(-(i * i + j * j) / size))
    return dents
