"""Lets a shirt settle on the plaster torso, once: `blender -b -P cloth/worn.py` writes what came of it beside this script.

1 unit = 36 cm; a render reads the kept points, so it does not depend on the simulation.
"""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
from dressed import *


def settle(name, depth, frames):
    clear()
    body = skin('torso', statue, (-32, -14, -84), (32, 20, 4), 0.8)
    body.scale = (1 / SHIRT_UNIT,) * 3
    body.modifiers.new('solid', 'COLLISION')
    body.collision.thickness_outer, body.collision.cloth_friction = 0.012, 12
    flat, faces = sewn_shirt(depth)
    x, y, side = flat.T
    level = y + HIGH / SHIRT_UNIT
    shirt = mesh('shirt', np.column_stack([x, 0.1 + 0 * x, level]).tolist(), faces)
    shirt.shape_key_add(name='rest')
    # begun as a tube round the body, as wide as the cloth is, and its sleeves round the arms, which hang lower than the pattern's
    out, flat_points = np.abs(x), np.column_stack([np.abs(x), y])
    above, below = (line_distance(line, flat_points) for line in seams())
    t = np.minimum(out / 0.725, 1) * math.pi / 2
    low = np.clip((0.55 - y) / 0.5, 0, 1)
    body_x = out * (1 - low) + 0.535 * np.sin(t) * low
    body_y = 0.385 * np.cos(t) * np.sqrt(1 - np.exp(-above / 0.16))
    sleeve = np.where(out > 0.75, 1, np.clip((out - 0.52) / 0.22, 0, 1) * np.clip((y - 0.30) / 0.15, 0, 1))
    sleeve = sleeve * sleeve * (3 - 2 * sleeve)
    turn = math.radians(33) * sleeve
    dx, dy = out - 0.50, y - 0.74
    arm_x, arm_y = 0.50 + dx * np.cos(turn) + dy * np.sin(turn), 0.74 - dx * np.sin(turn) + dy * np.cos(turn)
    round_arm = 0.20 * np.sqrt(1 - np.exp(-np.minimum(above, below) / 0.10))
    begun_x = body_x * (1 - sleeve) + arm_x * sleeve
    begun_z = y * (1 - sleeve) + arm_y * sleeve
    begun_y = side * (body_y * (1 - sleeve) + round_arm * sleeve)
    begun = np.column_stack([np.sign(x) * begun_x, 0.10 + begun_y, begun_z + HIGH / SHIRT_UNIT + 0.03])
    # the collar is where a neck puts it
    edge = np.flatnonzero(neck_distance(flat, depth) < 2e-3)
    curves = [neck_curve(depth), neck_curve(BACK_DEPTH)]
    lengths = [np.concatenate([[0], np.cumsum(np.linalg.norm(np.diff(curve, axis=0), axis=1))]) for curve in curves]
    near = [[int(np.argmin(((curve - q) ** 2).sum(1))) for q in np.column_stack([out, y])[edge]] for curve in curves]
    share = [1 - length[k] / length[-1] for length, k in zip(lengths, near)]  # 0 in the middle, 1 at the shoulder
    round_neck = np.where(x[edge] < 0, -1, 1) * np.where(side[edge] > 0, share[1], 2 - share[0]) * math.pi / 2
    sink = (1 - np.cos(round_neck)) / 2  # 0 behind, 1 in front
    ring = np.column_stack([7.5 * np.sin(round_neck), 2.6 + 5.8 * np.cos(round_neck), -2.2 - (depth * SHIRT_UNIT - 2.4) * sink**1.4])
    begun[edge] = onto_body(ring, 0.55) / SHIRT_UNIT
    key = shirt.shape_key_add(name='begun')
    key.data.foreach_set('co', begun.astype(np.float32).ravel())
    key.value = 1
    shirt.active_shape_key_index = 1
    cloth = shirt.modifiers.new('cloth', 'CLOTH')
    made = cloth.settings
    made.quality, made.mass = 6, 0.20
    made.tension_stiffness = made.compression_stiffness = 15
    made.shear_stiffness, made.bending_stiffness = 6, 0.5
    made.tension_damping = made.compression_damping = 10
    made.bending_damping, made.air_damping = 0.6, 2
    pinned = shirt.vertex_groups.new(name='collar')
    pinned.add(edge.tolist(), 1, 'REPLACE')
    made.vertex_group_mass = 'collar'
    made.rest_shape_key = shirt.data.shape_keys.key_blocks['rest']
    cloth.collision_settings.distance_min, cloth.collision_settings.friction = 0.010, 12
    cloth.collision_settings.use_self_collision = False
    cloth.point_cache.frame_end = frames
    started = time.time()
    for frame in range(1, frames + 1):
        bpy.context.scene.frame_set(frame)
    shaped = shirt.evaluated_get(bpy.context.evaluated_depsgraph_get()).data.vertices
    now = np.array([v.co[:] for v in shaped], np.float16)
    np.savez_compressed(os.path.join(os.path.dirname(os.path.abspath(__file__)), f'{name}.npz'), now=now)
    print('CLOTH', name, len(now), now.min(0), now.max(0), f'{time.time() - started:.0f} s', flush=True)


if __name__ == '__main__':
    settle('t-shirt', 0.234, 42)
