"""Stitches one can count in a close-up; numpy and the studio's `mesh`."""

import numpy as np

from studio import evenly, mesh


def stitches(name, line, outward, length, gap, radius):
    """Stitches along a line of points in space; `outward` has the cloth's normal at each point. Each dives into the cloth at its ends."""
    line, outward = np.asarray(line, float), np.asarray(outward, float)
    both = evenly(np.hstack([line, outward]), length / 12)
    count = int(len(both) / 12 * length / (length + gap))
    rounds, steps = 8, 9
    turn = np.linspace(0, 2 * np.pi, rounds, endpoint=False)
    verts, faces = [], []
    for k in range(count):
        start = int(k * 12 * (length + gap) / length)
        at = np.linspace(start, min(start + 12, len(both) - 1), steps)
        path = np.stack([np.interp(at, np.arange(len(both)), both[:, axis]) for axis in range(6)], -1)
        if np.linalg.norm(path[-1, :3] - path[0, :3]) > 1.5 * length or at[-1] - at[0] < 6:
            continue
        share = np.linspace(-1, 1, steps)
        up = path[:, 3:] / np.linalg.norm(path[:, 3:], axis=1)[:, None]
        ahead = np.gradient(path[:, :3], axis=0)
        ahead /= np.linalg.norm(ahead, axis=1)[:, None]
        side = np.cross(ahead, up)
        middle = path[:, :3] + up * (radius * (0.5 - 1.5 * np.abs(share) ** 5))[:, None]
        thick = radius * (1 - 0.45 * np.abs(share) ** 4)
        first = len(verts)
        for i in range(steps):
            verts += [tuple(middle[i] + thick[i] * (np.cos(a) * side[i] + 0.8 * np.sin(a) * up[i])) for a in turn]
        for i in range(steps - 1):
            for j in range(rounds):
                a, b = first + i * rounds + j, first + i * rounds + (j + 1) % rounds
                faces.append((a, b, b + rounds, a + rounds))
    return mesh(name, verts, faces)
