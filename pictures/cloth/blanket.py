"""Lets the throw fall onto a bed, once: `blender -b -P cloth/blanket.py` writes what came of it beside this script.

1 unit = 64 cm; the throw is 127 x 152 cm. A render reads the kept mesh, so it does not depend on the simulation.
"""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
from studio import *

WIDE, LONG, COLUMNS, ROWS = 1.98, 2.375, 132, 158


def flat():
    x, y = np.meshgrid(np.linspace(-WIDE / 2, WIDE / 2, COLUMNS + 1), np.linspace(-LONG / 2, LONG / 2, ROWS + 1))
    return np.column_stack([x.ravel(), y.ravel(), 0 * x.ravel()])


def fall(start, frames):
    """Simulates the flat cloth from the positions `start` and keeps where it came to rest."""
    rest = flat()
    i, j = np.meshgrid(np.arange(ROWS), np.arange(COLUMNS), indexing='ij')
    n, k = COLUMNS + 1, (i * (COLUMNS + 1) + j).ravel()
    throw = mesh('throw', rest.tolist(), np.column_stack([k, k + 1, k + n + 1, k + n]).tolist())
    throw.shape_key_add(name='rest')
    begun = throw.shape_key_add(name='begun')
    begun.data.foreach_set('co', start.astype(np.float32).ravel())
    begun.value = 1
    throw.active_shape_key_index = 1
    cloth = throw.modifiers.new('cloth', 'CLOTH')
    made = cloth.settings
    made.quality, made.mass = 7, 0.35
    made.tension_stiffness = made.compression_stiffness = 18
    made.shear_stiffness, made.bending_stiffness = 8, 0.5
    made.tension_damping = made.compression_damping = 12
    made.bending_damping, made.air_damping = 1.0, 2
    made.rest_shape_key = throw.data.shape_keys.key_blocks['rest']
    cloth.collision_settings.distance_min, cloth.collision_settings.friction = 0.012, 30
    cloth.point_cache.frame_end = frames
    for frame in range(1, frames + 1):
        bpy.context.scene.frame_set(frame)
    shaped = throw.evaluated_get(bpy.context.evaluated_depsgraph_get()).data.vertices
    now = np.array([v.co[:] for v in shaped], np.float16)
    np.savez_compressed(os.path.join(os.path.dirname(os.path.abspath(__file__)), 'blanket.npz'), now=now)
    print('CLOTH', now.min(0), now.max(0), flush=True)


def solid(made):
    made.modifiers.new('solid', 'COLLISION')
    made.collision.thickness_outer, made.collision.cloth_friction = 0.014, 30


def onto_bed():
    clear()
    rest = flat()
    x, y, _ = rest.T
    turn = math.radians(-7)
    x, y = x * 0.95, y * 0.95
    lift = 0.05 * ripple(rest[:, 0], rest[:, 1], 71, 0.55) + 0.035 * ripple(rest[:, 0], rest[:, 1], 72, 0.3, 2.2, 35)
    start = np.column_stack([x * math.cos(turn) - y * math.sin(turn) + 0.05, x * math.sin(turn) + y * math.cos(turn), 0.16 + lift])
    bed = mesh('bed', *slab(1.75, -0.72, 3.2, -0.6, 0.0))
    edge = bed.modifiers.new('edge', 'BEVEL')
    edge.width, edge.segments = 0.10, 5
    solid(bed)
    fall(start, 75)


def slab(half, front, back, low, high):
    verts = [(x, y, z) for z in (low, high) for x, y in ((-half, front), (half, front), (half, back), (-half, back))]
    return verts, [(3, 2, 1, 0), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7)]


if __name__ == '__main__':
    onto_bed()
