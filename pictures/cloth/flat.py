"""Lets the front of a shirt be laid on a table, once: `blender -b -P cloth/flat.py -- pose=2` writes its heights beside this script.

Where a fold is to be there is a little more cloth than room (`EXCESS`); how it buckles is left to the simulation. 1 unit = 36 cm.
"""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
from shirt import *

EXCESS = [
    # at, angle, length, width, how much more cloth there is across
    ((-0.70, 0.26), -50, 0.75, 0.05, 0.016),
    ((-0.66, 0.36), -28, 0.55, 0.05, 0.011),
    ((-0.69, 0.10), -68, 0.80, 0.06, 0.013),
    ((0.70, 0.27), 233, 0.80, 0.05, 0.015),
    ((0.67, 0.40), 205, 0.50, 0.05, 0.012),
    ((0.70, 0.06), 250, 0.85, 0.06, 0.013),
    ((-0.45, -1.10), 82, 0.85, 0.06, 0.014),
    ((-0.10, -1.10), 94, 0.70, 0.06, 0.010),
    ((0.27, -1.10), 80, 0.95, 0.06, 0.014),
    ((0.58, -1.10), 102, 0.80, 0.06, 0.013),
    ((-0.68, -0.55), -20, 0.60, 0.06, 0.008),
    ((0.68, -0.42), 202, 0.60, 0.06, 0.009),
    ((-0.50, 0.86), -70, 0.60, 0.06, 0.008),
    ((0.46, 0.88), 252, 0.60, 0.06, 0.008),
]
SLEEVES = [
    ((0.70, 0.34), 42, 0.42, 0.04, 0.015),
    ((0.74, 0.27), 18, 0.36, 0.04, 0.013),
    ((0.66, 0.60), -12, 0.40, 0.05, 0.010),
    ((0.66, 0.76), -34, 0.40, 0.05, 0.008),
]


def elsewhere(folds, chance):
    """As many folds, each at another place, in another direction, longer or shorter, deeper or flatter."""
    for (x, y), angle, length, width, extra in folds:
        along = y < -1  # the hem's may begin anywhere on it
        at = (x + chance.normal(0, 0.16 if along else 0.02), y + (0 if along else chance.normal(0, 0.05)))
        yield at, angle + chance.normal(0, 9), length * chance.uniform(0.75, 1.3), width, extra * chance.uniform(0.4, 1.6)


def more(x, y, pose):
    """The cloth that is to lie at x, y, in its own flat measure."""
    px, py = x.copy(), y.copy()
    chance = np.random.default_rng(pose)
    for side, folds in ((1, EXCESS), (1, SLEEVES), (-1, SLEEVES)):
        if pose > 1:
            folds = elsewhere(folds, chance)
        for (ax, ay), angle, length, width, extra in folds:
            extra = extra * (0.6 if side < 0 else 0.8)
            c, s = math.cos(math.radians(angle)), math.sin(math.radians(angle))
            a = (side * x - ax) * c + (y - ay) * s
            d = -(side * x - ax) * s + (y - ay) * c + 0.04 * length * np.sin(4.5 * a / length + 9 * ax)
            fade = 1 / (1 + np.exp(-(a + 0.06) / 0.03)) * np.clip(1 - a / length, 0, 1) ** 0.7
            push = extra / 2 * np.tanh(d / width) * np.exp(-((d / 0.30) ** 2)) * fade
            px, py = px - side * s * push, py + c * push
    # a little too much everywhere
    return px * 1.005 + 0.0018 * ripple(x, y, 61, 0.35), py * 1.002 + 0.0018 * ripple(x, y, 62, 0.35)


def gridded(flat, faces, values, low, step, size):
    """The values of a mesh at each crossing of a grid of so many rows and columns over its flat points; NaN beside it."""
    grid = np.full((*size, values.shape[1]), np.nan)
    for face in faces:
        a, b, c = flat[face]
        first = np.floor((np.minimum(np.minimum(a, b), c) - low) / step).astype(int)
        last = np.ceil((np.maximum(np.maximum(a, b), c) - low) / step).astype(int)
        i, j = np.meshgrid(np.arange(first[0], last[0] + 1), np.arange(first[1], last[1] + 1))
        p = np.stack([i, j], -1) * step + low
        area = (b[1] - c[1]) * (a[0] - c[0]) + (c[0] - b[0]) * (a[1] - c[1])
        u = ((b[1] - c[1]) * (p[..., 0] - c[0]) + (c[0] - b[0]) * (p[..., 1] - c[1])) / area
        v = ((c[1] - a[1]) * (p[..., 0] - c[0]) + (a[0] - c[0]) * (p[..., 1] - c[1])) / area
        inside = (u >= -1e-6) & (v >= -1e-6) & (u + v <= 1 + 1e-6)
        grid[j[inside], i[inside]] = np.stack([u, v, 1 - u - v], -1)[inside] @ values[face]
    return grid


def settle(pose, frames, spacing=0.02):
    clear()
    table = mesh('table', [(-3, -3, -0.02), (3, -3, -0.02), (3, 3, -0.02), (-3, 3, -0.02)], [(0, 1, 2, 3)])
    table.modifiers.new('solid', 'COLLISION')
    table.collision.thickness_outer, table.collision.cloth_friction = 0.02, 30
    shirt = cut('shirt', outline(0.05), lambda x, y, d: 0.006 + 0.006 * ripple(x, y, 63, 0.3) * np.clip(d / 0.1, 0, 1), spacing)
    spots = np.array([v.co[:] for v in shirt.data.vertices])
    edge = line_distance(evenly(outline(0.05), spacing, closed=True), spots[:, :2], closed=True)
    x, y, z = spots.T
    px, py = more(x, y, pose)
    shirt.shape_key_add(name='laid')
    rest = shirt.shape_key_add(name='rest')
    rest.data.foreach_set('co', np.column_stack([px, py, 0 * z]).astype(np.float32).ravel())
    shirt.active_shape_key_index = 0
    cloth = shirt.modifiers.new('cloth', 'CLOTH')
    made = cloth.settings
    made.quality, made.mass = 7, 0.20
    made.tension_stiffness = made.compression_stiffness = 40
    made.shear_stiffness, made.bending_stiffness = 12, 8
    made.tension_damping = made.compression_damping = 10
    made.bending_damping, made.air_damping = 0.6, 2
    held = shirt.vertex_groups.new(name='held')
    for i in np.flatnonzero(edge < 0.004):
        free = y[i] < -1.0 or (abs(x[i]) > 0.89 and y[i] < 0.5)
        held.add([int(i)], 0.25 if free else 1.0, 'REPLACE')
    made.vertex_group_mass = 'held'
    made.rest_shape_key = rest
    cloth.collision_settings.distance_min, cloth.collision_settings.friction = 0.004, 30
    cloth.collision_settings.use_self_collision = False
    made.effector_weights.gravity = 0.5
    cloth.point_cache.frame_end = frames
    started = time.time()
    for frame in range(1, frames + 1):
        bpy.context.scene.frame_set(frame)
    shaped = shirt.evaluated_get(bpy.context.evaluated_depsgraph_get()).data
    now = np.array([v.co[:] for v in shaped.vertices])
    print('CLOTH', len(now), now.min(0), now.max(0), np.percentile(now[:, 2], [5, 50, 90, 99]), f'{time.time() - started:.0f} s', flush=True)
    step, low = 0.010, np.array((-1.155, -1.15))
    faces = [list(face.vertices) for face in shaped.polygons]
    grid = np.nan_to_num(gridded(now[:, :2], faces, now[:, 2:], low, step, (230, 232)))[..., 0]
    grid = np.maximum(grid - np.percentile(now[:, 2], 20), 0)
    for axis in (0, 1, 0, 1):  # the mesh's own pattern goes
        grid = 0.25 * np.roll(grid, 1, axis) + 0.5 * grid + 0.25 * np.roll(grid, -1, axis)
    here = os.path.dirname(os.path.abspath(__file__))
    np.savez_compressed(os.path.join(here, f'flat-{pose}.npz'), height=grid.astype(np.float16), corner=low, step=step)


if __name__ == '__main__':
    settle(int(arguments()['pose']), 40)
