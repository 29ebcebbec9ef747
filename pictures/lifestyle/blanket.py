"""The throw on a bed with linen sheets, as `cloth/blanket.py` let it fall."""

import os
import sys

import bmesh

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
from rooms import *

COLUMNS, ROWS, WIDE, LONG = 132, 158, 1.98, 2.375  # as simulated; 1 unit = 64 cm


def heavier(now, rounds):
    """Fleece bends less sharply than what was simulated: each point moves to the mean of its neighbors, `rounds` times."""
    grid = now.reshape(ROWS + 1, COLUMNS + 1, 3)
    for _ in range(rounds):
        for axis in (0, 1):
            wide = np.concatenate([grid.take([0], axis) * 2 - grid.take([1], axis), grid, grid.take([-1], axis) * 2 - grid.take([-2], axis)], axis)
            n = grid.shape[axis]
            grid = (wide.take(range(n), axis) + 2 * grid + wide.take(range(2, n + 2), axis)) / 4
    return grid.reshape(-1, 3)


def throw(rounds):
    """The throw as it came to rest, and its hem; u and v come from the flat cloth, hems are pressed in afterwards."""
    now = heavier(np.load(os.path.join(HERE, 'cloth', 'blanket.npz'))['now'].astype(float), rounds)
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
    fleece = dict(roughness=1, specular=0.05, sheen=0.8, grain=(70, 0.35, 0.010, 'pile'))
    return [paint(made, material('fleece', 'A', **fleece)), paint(hem, material('hem', 'A', prints=False, **fleece))]


def close(made):
    """The poles of a flat block are small holes, and this one's lies between the pillows."""
    grid = bmesh.new()
    grid.from_mesh(made.data)
    bmesh.ops.holes_fill(grid, edges=[edge for edge in grid.edges if edge.is_boundary])
    grid.to_mesh(made.data)
    grid.free()


def build():
    parts = bring(throw(9), 64)
    sheet_cloth = linen(CHALK, 0.2)
    bed = pebble((0, 10.4, -2.6), (11.6, 15.2, 2.58), sheet_cloth, 0.12, rows=140)
    bed.location.y = 10.55
    close(bed)
    made = product('pillow')
    for x, turn in ((-4.4, 4), (4.3, -5)):
        halves = [paint(sheet(name, 200, 200, made.half(name == 'front')), sheet_cloth) for name in ('front', 'back')]
        bring(halves, 30, at=(x, 13.0, 2.0), turn=(-42, 0, turn))
        for half in halves:
            half.scale = (1.35, 0.85, 0.9)
    wall(plaster(), 19)
    ambient(0.32, (0.95, 0.975, 1))
    window(sun(-62, 34, 3.0), (0, 1, 0), pane=(5.2, 6.4), bar=0.7, away=22, leaves=14)
    softbox((-14, -10, 12), (0, 0, 0), 8, 1500)
    frame(parts, 14, 33, 1.12, (0, -1, 0.2), lens=60, stop=4, shift=(0.0, 0.04))


if __name__ == '__main__':
    shoot(__file__, build, 0.97)
