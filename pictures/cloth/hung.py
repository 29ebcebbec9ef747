"""Lets a shirt hang on a hanger, once: `blender -b -P cloth/hung.py` writes beside this script how far each of its points comes.

Front and back are sewn together where they meet; the neck and the shoulders, as far as the hanger reaches, are held, and all
else falls. It is stopped while the sleeves still sink, before they cling to the sides. 1 unit = 36 cm.
"""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
from shirt import *

HANGER = 0.57  # half its width
NECK_DEPTH = 0.16
SPACING = 0.030
STEP, LOW, CELLS = 0.016, np.array((-1.184, -1.168)), (140, 149)


def layer():
    """One layer, flat: its points and triangles."""
    piece = cut('layer', outline(NECK_DEPTH), lambda x, y, d: 0 * d, SPACING)
    points = np.array([v.co[:2] for v in piece.data.vertices])
    faces = np.array([face.vertices[:] for face in piece.data.polygons])
    bpy.data.objects.remove(piece)
    return points, faces


def hang(frames):
    clear()
    flat, faces = layer()
    on_seam = line_distance(laid(both(silhouette())), flat) < 1e-3
    sewn_on = on_seam & (np.minimum.reduce([line_distance(line, flat) for line in hem_lines()]) > 1e-3)
    # at a seam both layers share their points
    twin = np.where(sewn_on, np.arange(len(flat)), len(flat) - 1 + np.cumsum(~sewn_on))
    rim = line_distance(outline(NECK_DEPTH), flat, closed=True)
    apart = np.where(sewn_on, 0, 0.001 + 0.06 * np.sqrt(1 - np.exp(-rim / 0.10)))
    start = np.concatenate([np.column_stack([flat[:, 0], -apart, flat[:, 1]]), np.column_stack([flat[:, 0], apart, flat[:, 1]])[~sewn_on]])
    shirt = mesh('shirt', start.tolist(), np.concatenate([faces, twin[faces][:, ::-1]]).tolist())

    held = shirt.vertex_groups.new(name='held')
    x, _, y = start.T
    fixed = np.hypot(x / 0.33, (y - 0.95) / 0.22) < 1
    fixed[: len(flat)] |= on_seam & (flat[:, 1] > 0.8) & (np.abs(flat[:, 0]) < HANGER)
    held.add(np.flatnonzero(fixed).tolist(), 1.0, 'REPLACE')
    cloth = shirt.modifiers.new('cloth', 'CLOTH')
    made = cloth.settings
    made.quality, made.mass = 5, 0.25
    made.tension_stiffness = made.compression_stiffness = 30
    made.shear_stiffness, made.bending_stiffness = 8, 1.0
    made.tension_damping = made.compression_damping = 8
    made.bending_damping, made.air_damping = 0.5, 2
    made.vertex_group_mass = 'held'
    made.use_pressure, made.uniform_pressure_force = True, 0.25  # a little air, or both layers would stick together
    cloth.collision_settings.use_self_collision = True
    cloth.collision_settings.self_distance_min, cloth.collision_settings.self_friction = 0.008, 8
    cloth.point_cache.frame_end = frames
    for frame in range(1, frames + 1):
        bpy.context.scene.frame_set(frame)
    shaped = shirt.evaluated_get(bpy.context.evaluated_depsgraph_get()).data
    now = np.array([v.co[:] for v in shaped.vertices])
    store(flat, faces, now[: len(flat)], now[twin])


def over_grid(flat, faces, values):
    """Values of points as a grid over the flat shirt; beyond its edge they go on as at the edge."""
    grid, known = np.zeros((*CELLS, values.shape[1])), np.zeros(CELLS, bool)
    for face in faces:
        a, b, c = flat[face]
        first = np.floor((np.minimum(np.minimum(a, b), c) - LOW) / STEP).astype(int)
        last = np.ceil((np.maximum(np.maximum(a, b), c) - LOW) / STEP).astype(int)
        i, j = np.meshgrid(np.arange(first[0], last[0] + 1), np.arange(first[1], last[1] + 1))
        p = np.stack([i, j], -1) * STEP + LOW
        area = (b[1] - c[1]) * (a[0] - c[0]) + (c[0] - b[0]) * (a[1] - c[1])
        u = ((b[1] - c[1]) * (p[..., 0] - c[0]) + (c[0] - b[0]) * (p[..., 1] - c[1])) / area
        v = ((c[1] - a[1]) * (p[..., 0] - c[0]) + (a[0] - c[0]) * (p[..., 1] - c[1])) / area
        inside = (u >= -1e-6) & (v >= -1e-6) & (u + v <= 1 + 1e-6)
        u, v = u[inside][:, None], v[inside][:, None]
        grid[j[inside], i[inside]] = u * values[face[0]] + v * values[face[1]] + (1 - u - v) * values[face[2]]
        known[j[inside], i[inside]] = True
    for _ in range(14):
        total, count = np.zeros_like(grid), np.zeros(CELLS)
        for dy in (-1, 0, 1):
            for dx in (-1, 0, 1):
                beside = np.roll(known, (dy, dx), (0, 1))
                total += np.roll(grid, (dy, dx), (0, 1)) * beside[..., None]
                count += beside
        fresh = ~known & (count > 0)
        grid[fresh] = total[fresh] / count[fresh][:, None]
        known |= fresh
    for axis in (0, 1) * 3:  # the mesh's own pattern goes
        grid = 0.25 * np.roll(grid, 1, axis) + 0.5 * grid + 0.25 * np.roll(grid, -1, axis)
    return grid


def store(flat, faces, front, back):
    """As x, y and height over the table on which the flat shirt lies."""
    moved = [over_grid(flat, faces, spots[:, [0, 2, 1]] * (1, 1, -1) - np.column_stack([flat, 0 * flat[:, 0]])) for spots in (front, back)]
    here = os.path.dirname(os.path.abspath(__file__))
    np.savez_compressed(os.path.join(here, 'hung.npz'), front=moved[0].astype(np.float16), back=moved[1].astype(np.float16), corner=LOW, step=STEP)


if __name__ == '__main__':
    hang(64)
