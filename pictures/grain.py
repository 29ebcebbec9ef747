"""Takes the last grain out of what lies out of focus in a room; numpy alone, no Blender."""

import numpy as np


def blurred(values, kernel):
    """Along both axes; `values` is HxW or HxWxC."""
    reach = len(kernel) // 2
    for axis in (0, 1):
        wide = np.pad(values, [(reach, reach) if a == axis else (0, 0) for a in range(values.ndim)], mode='edge')
        n = values.shape[axis]
        values = sum(k * wide.take(range(i, i + n), axis) for i, k in enumerate(kernel))
    return values


def without_grain(rest, light, zones, place):
    """Where a lens blurs an edge, few samples leave single bright and dark pixels; a sharp picture has hardly any.

    Such places are blurred once more, all passes alike: they are premultiplied, so their sums stay right.
    """
    seen = np.sqrt(np.clip(rest.mean(-1), 0, 1)) + 0.5 * np.clip(zones[..., 0] + zones[..., 1], 0, 1)
    around = np.pad(seen, 1, mode='edge')
    h, w = seen.shape
    beside = [around[dy : dy + h, dx : dx + w] for dy in range(3) for dx in range(3) if (dy, dx) != (1, 1)]
    alone = (seen > np.max(beside, 0) + 0.018) | (seen < np.min(beside, 0) - 0.018)
    density = blurred(alone.astype(np.float32), np.full(11, 1 / 11))
    share = blurred(np.clip((density - 0.015) / 0.035, 0, 1), np.full(9, 1 / 9))[..., None]
    bell = np.exp(-0.5 * (np.arange(-6, 7) / 2.4) ** 2)
    bell /= bell.sum()

    def soft(values):
        values = values.astype(np.float32)
        if values.ndim == 2:
            return values * (1 - share[..., 0]) + blurred(values, bell) * share[..., 0]
        return values * (1 - share) + blurred(values, bell) * share

    return soft(rest), soft(light), soft(zones), soft(place)
