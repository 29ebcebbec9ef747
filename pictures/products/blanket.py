"""Fleece throw, 127 x 152 cm, hung over an oak rail in front of a wall; 1 unit = 64 cm. Its folds were simulated by `cloth/blanket.py`."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
from studio import *

COLUMNS, ROWS, WIDE, LONG, RAIL = 132, 158, 1.98, 2.375, 0.075


def heavier(now, rounds):
    """Fleece bends less sharply than what was simulated: each point moves to the mean of its neighbours, `rounds` times."""
    grid = now.reshape(ROWS + 1, COLUMNS + 1, 3)
    for _ in range(rounds):
        for axis in (0, 1):
            wide = np.concatenate([grid.take([0], axis) * 2 - grid.take([1], axis), grid, grid.take([-1], axis) * 2 - grid.take([-2], axis)], axis)
            n = grid.shape[axis]
            grid = (wide.take(range(n), axis) + 2 * grid + wide.take(range(2, n + 2), axis)) / 4
    return grid.reshape(-1, 3)


def throw(name, rounds):
    """The throw as it came to rest; u and v come from the flat cloth, hems are pressed in afterwards."""
    now = heavier(np.load(os.path.join(HERE, 'cloth', f'blanket-{name}.npz'))['now'].astype(float), rounds)
    i, j = np.meshgrid(np.arange(ROWS), np.arange(COLUMNS), indexing='ij')
    n, k = COLUMNS + 1, (i * (COLUMNS + 1) + j).ravel()
    made = mesh('throw', now.tolist(), np.column_stack([k, k + 1, k + n + 1, k + n]).tolist())
    layer = made.data.uv_layers.new(name='print').data
    for loop, corner in zip(made.data.loops, layer):
        column, row = loop.vertex_index % n / COLUMNS, loop.vertex_index // n / ROWS
        corner.uv = 0.5 + (column - 0.5) * WIDE / 1.94, 0.5 + (row - 0.5) * LONG / 1.94
    fine = made.modifiers.new('fine', 'SUBSURF')
    fine.levels = fine.render_levels = 2
    thick = made.modifiers.new('thickness', 'SOLIDIFY')
    thick.thickness, thick.offset = 0.020, -1
    # a turned hem, as a cord under the edge
    around = np.concatenate([np.arange(n), n * np.arange(1, ROWS + 1) + COLUMNS, n * ROWS + np.arange(COLUMNS)[::-1], n * np.arange(1, ROWS)[::-1]])
    hem = tube('hem', now[np.append(around[::3], around[0])].tolist(), 0.017)
    return made, hem


def dressed(name, rounds):
    fleece = dict(roughness=1, specular=0.05, sheen=0.8, grain=(70, 0.35, 0.010, 'pile'))
    made, hem = throw(name, rounds)
    return [paint(made, material('fleece', 'A', **fleece)), paint(hem, material('hem', 'A', prints=False, **fleece))]


def on_bed():
    return dressed('bed', 9)


def build():
    oak = material('oak', color=(0.36, 0.21, 0.105), roughness=0.5, specular=0.35)
    rail = paint(tube('rail', [(-4, 0, 0), (0, 0, 0), (4, 0, 0)], RAIL), oak)
    rail['unframed'] = True
    return [*dressed('rail', 3), rail]


def wall():
    made = mesh('wall', [(-20, 0.42, -20), (20, 0.42, -20), (20, 0.42, 20), (-20, 0.42, 20)], [(0, 1, 2, 3)])
    return paint(made, material('paper', color=(0.72,) * 3, roughness=1, specular=0))


def light():
    """From the upper left and nearly along the cloth: the folds would vanish in light from the front."""
    ambient(0.15)
    softbox((-4.6, -2.6, 1.6), (0, 0, -1), 1.7, 360)
    softbox((4.2, -4.4, -1.5), (0, 0, -1), 4.0, 70)


VIEWS = {
    'front': dict(azimuth=0, elevation=2, margin=1.16),
    'detail': dict(azimuth=-30, elevation=10, near=((-0.12, -0.1, -0.95), 0.86)),
}

if __name__ == '__main__':
    run(__file__, build, light, VIEWS, wall)
