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


def cushion(at, turn, size, cloth):
    """A pillow that leans on what is behind it; `size` scales one of 60 x 60 cm."""
    halves = [paint(sheet(name, 200, 200, product('pillow').half(name == 'front')), cloth) for name in ('front', 'back')]
    bring(halves, 30, at=at, turn=(-42, 0, turn))
    for half in halves:
        half.scale = size


def build():
    parts = bring(throw(9), 64)
    sheet_cloth = linen((0.80, 0.72, 0.60), 0.2)
    bed = pebble((0, 10.4, -2.6), (11.6, 15.2, 2.58), sheet_cloth, 0.12, rows=140)
    bed.location.y = 10.55
    close(bed)
    oak = wood(OAK)
    box((0, 10.4, -5.9), (23.8, 30.0, 1.5), oak, 0.12)  # the bed's frame
    box((0, 16.2, 2.4), (24.6, 0.7, 9.6), oak, 0.25)  # and its head
    for x, turn in ((-4.9, 4), (4.6, -5)):
        cushion((x, 13.2, 2.2), turn, (1.35, 0.85, 0.95), sheet_cloth)
    cushion((-0.6, 11.3, 1.5), -7, (0.95, 0.7, 0.66), linen((0.52, 0.235, 0.115), 0.2))
    planks(oak, -8.2, 2.4, 12, -14)
    wall(plaster((0.74, 0.62, 0.47)), 17)
    ambient(0.30, (1, 0.97, 0.93))
    window(sun(-62, 34, 4.2, color=(1, 0.90, 0.75)), (0, 1.5, 0), pane=(5.2, 6.4), bar=0.7, away=22, leaves=14)
    softbox((-14, -10, 12), (0, 0, 0), 8, 2600, color=(1, 0.95, 0.88))
    frame(parts, 14, 33, 1.16, (0, -1, 0.2), lens=60, stop=5, shift=(0.0, 0.09))


if __name__ == '__main__':
    shoot(__file__, build, 0.97)
