"""The home page's picture: Rudy asleep on five gold ingots, a clay figure in a warm studio, 1600 x 900.

`blender -b -P hero.py -- samples=128 width=1600` writes passes/hero.png, as seen, without passes: nothing here is dyed.
"""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from mathutils import Euler, Matrix
from mathutils.bvhtree import BVHTree

from studio import *

CREAM, IVORY, CARAMEL, INK = (0.84, 0.66, 0.41), (0.90, 0.82, 0.67), (0.44, 0.175, 0.045), (0.022, 0.019, 0.018)
TOP = 1.0  # where the upper ingots end and the dog begins


def ball(center, radii, turn=(0, 0, 0), detail=5):
    bpy.ops.mesh.primitive_ico_sphere_add(subdivisions=detail, radius=1)
    made = bpy.context.object
    turned = Euler([math.radians(a) for a in turn]).to_matrix().to_4x4()
    made.data.transform(Matrix.Translation(center) @ turned @ Matrix.Diagonal((*radii, 1)))
    bpy.ops.object.shade_smooth()
    return made


def limb(points, radii):
    """A tube with round ends."""
    return [tube('limb', points, 1, radii), *(ball(points[i], (radii[i],) * 3, detail=4) for i in (0, -1))]


def clay(parts, voxel, rounds):
    """One soft body out of many; returns it with its shape applied."""
    bpy.ops.object.select_all(action='DESELECT')
    for part in parts:
        part.select_set(True)
    bpy.context.view_layer.objects.active = parts[0]
    bpy.ops.object.join()
    joined = bpy.context.object
    merge = joined.modifiers.new('merge', 'REMESH')
    merge.mode, merge.voxel_size, merge.use_smooth_shade = 'VOXEL', voxel, True
    soften = joined.modifiers.new('soften', 'SMOOTH')
    soften.factor, soften.iterations = 0.5, rounds
    bpy.context.view_layer.update()
    made = bpy.data.meshes.new_from_object(joined.evaluated_get(bpy.context.evaluated_depsgraph_get()))
    bpy.data.objects.remove(joined)
    return link('clay', made)


def colored(obj, surface, color_of):
    """Paints each vertex: color_of(points) -> colors, both as arrays."""
    points = np.array([v.co[:] for v in obj.data.vertices])
    layer = obj.data.color_attributes.new('paint', 'FLOAT_COLOR', 'POINT')
    layer.data.foreach_set('color', np.column_stack([color_of(points), np.ones(len(points))]).astype(np.float32).ravel())
    node = surface.node_tree.nodes.new('ShaderNodeVertexColor')
    node.layer_name = 'paint'
    surface.node_tree.links.new(node.outputs[0], surface.node_tree.nodes['Principled BSDF'].inputs['Base Color'])
    return paint(obj, surface)


def blob(points, center, radii, soft=0.05):
    """1 inside an ellipsoid, 0 outside, with a painted edge between."""
    far = np.linalg.norm((points - center) / radii, axis=1)
    return np.clip((1 - far) / soft + 0.5, 0, 1)


def ingot(x, z, length, depth, turn):
    height, taper = 0.5, 0.84
    verts = [
        (sx * (length / 2 - up * 0.075), sy * depth / 2 * (taper if up else 1), up * height)
        for up in (0, 1)
        for sx, sy in ((-1, -1), (1, -1), (1, 1), (-1, 1))
    ]
    made = mesh('ingot', verts, [(3, 2, 1, 0), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7)])
    made.data.use_auto_smooth = True
    edge = made.modifiers.new('edge', 'BEVEL')
    edge.width, edge.segments = 0.05, 6
    made.modifiers.new('normals', 'WEIGHTED_NORMAL')
    made.location, made.rotation_euler.z = (x, 0.02 * turn, z), math.radians(turn)
    return made


def build():
    clay_surface = dict(roughness=0.48, specular=0.4, coat=0.1)
    fur, tan = material('fur', color=CREAM, **clay_surface), material('ears', color=CARAMEL, **clay_surface)
    dark = material('ink', color=INK, roughness=0.32, coat=0.3)
    tongue = material('tongue', color=(0.66, 0.20, 0.13), roughness=0.4)
    gold = material('gold', color=(0.95, 0.62, 0.19), roughness=0.2, metallic=1, grain=(5, 0.02, 0.02, 'pile'))

    bars = [ingot(x, 0, 1.86, 1.75, turn) for x, turn in ((-1.9, 1), (0, -1), (1.9, 1))]
    bars += [ingot(x, 0.502, 1.86, 1.62, turn) for x, turn in ((-0.935, 0), (0.94, 0.5))]
    for bar in bars:
        paint(bar, gold)

    at = Vector((-0.80, -0.26, TOP + 0.60))
    head = Matrix.Translation(at) @ Euler([math.radians(a) for a in (6, -7, -9)]).to_matrix().to_4x4()
    local = [
        ((0, 0.02, 0.03), (0.66, 0.55, 0.53)),
        ((0.30, -0.16, -0.20), (0.34, 0.32, 0.27)),
        ((-0.30, -0.16, -0.20), (0.34, 0.32, 0.27)),
        ((0, -0.34, -0.05), (0.21, 0.24, 0.18)),
        ((0.14, -0.53, -0.205), (0.20, 0.17, 0.155)),
        ((-0.14, -0.53, -0.205), (0.20, 0.17, 0.155)),
        ((0, -0.42, -0.31), (0.20, 0.17, 0.12)),
    ]
    body = []
    for center, radii in local:
        part = ball(center, radii)
        part.data.transform(head)
        body.append(part)
    body += [
        ball((0.20, 0.22, TOP + 0.48), (1.02, 0.60, 0.52)),
        ball((0.88, 0.16, TOP + 0.48), (0.60, 0.58, 0.52)),
        ball((-0.40, 0.16, TOP + 0.46), (0.62, 0.54, 0.48)),
        ball((0.88, -0.32, TOP + 0.36), (0.48, 0.28, 0.40), (0, 10, -12)),
        ball((0.42, -0.58, TOP + 0.13), (0.34, 0.19, 0.15), (0, 0, 6)),
        ball((-1.10, -0.66, TOP + 0.12), (0.22, 0.27, 0.14), (0, 0, 10)),
        ball((-0.52, -0.70, TOP + 0.12), (0.22, 0.27, 0.14), (0, 0, -6)),
    ]
    tail = [(1.30, 0.20, TOP + 0.24), (1.62, 0.02, TOP + 0.13), (1.72, -0.32, TOP + 0.12), (1.46, -0.58, TOP + 0.12), (1.08, -0.64, TOP + 0.12)]
    body += limb(tail, [0.15, 0.135, 0.125, 0.115, 0.09])
    dog = clay(body, 0.015, 9)
    for v in dog.data.vertices:
        v.co.z = max(v.co.z, TOP + 0.006)  # he lies on the ingots, not in them
    inverse = np.array(head.inverted())

    def coat(points):
        face = points @ inverse[:3, :3].T + inverse[:3, 3]
        near = blob(points, np.array(at), np.array([0.95, 0.95, 0.80]))
        white = np.maximum(blob(face, (0, -0.56, -0.24), (0.42, 0.42, 0.25)), np.clip((0.105 + 0.06 * np.abs(face[:, 2] - 0.2) - np.abs(face[:, 0])) / 0.04 + 0.5, 0, 1) * (face[:, 1] < 0.45)) * near
        white = np.maximum(white, blob(face, (0, -0.40, -0.10), (0.22, 0.5, 0.16)) * near)
        for paw, size in (((-1.10, -0.72, TOP + 0.08), 0.34), ((-0.52, -0.76, TOP + 0.08), 0.34), ((0.38, -0.60, TOP + 0.1), 0.38), ((1.02, -0.64, TOP + 0.12), 0.30)):
            white = np.maximum(white, blob(points, paw, (size, 0.30, 0.22)))
        brown = blob(face, (0.36, -0.34, 0.13), (0.27, 0.40, 0.26)) * near
        brown = np.maximum(brown, blob(points, (0.62, 0.30, TOP + 0.95), (0.46, 0.62, 0.36)))
        color = np.array(CREAM) * np.ones((len(points), 1))
        color = color * (1 - brown[:, None]) + np.array(CARAMEL) * brown[:, None]
        return color * (1 - white[:, None]) + np.array(IVORY) * white[:, None]

    colored(dog, fur, coat)
    bpy.context.view_layer.update()
    tree = BVHTree.FromObject(dog, bpy.context.evaluated_depsgraph_get())
    ahead = (head.to_3x3() @ Vector((0, 1, 0))).normalized()

    def on_face(x, z, out=0.0):
        """The point of the face before local (x, z), pulled `out` towards the viewer."""
        return tree.ray_cast(head @ Vector((x, -2.5, z)), ahead)[0] - ahead * out

    def line_on_face(points, radius, out=0.0):
        placed = np.array([(head.inverted() @ on_face(x, z, out))[:] for x, z in points])
        t = np.linspace(0, 1, len(points))
        placed[:, 1] = np.polyval(np.polyfit(t, placed[:, 1], 3), t)  # the clay under a line is not quite even
        ends = [0.45, *[1.0] * (len(points) - 2), 0.45]
        return paint(tube('line', [tuple(head @ Vector(p)) for p in placed], radius, ends), dark)

    parts = [*bars, dog]
    for side in (1, -1):
        parts.append(line_on_face([(side * 0.335 + 0.125 * t, 0.045 - 0.075 * (1 - t * t)) for t in np.linspace(-1, 1, 11)], 0.021))
        parts.append(line_on_face([(side * 0.33 + 0.075 * t, 0.245 - 0.035 * t * t) for t in np.linspace(-1, 1, 7)], 0.015))
        parts.append(line_on_face([(side * x, z) for x, z in ((0.012, -0.295), (0.08, -0.335), (0.17, -0.325), (0.23, -0.285))], 0.011))
        path = [(0.48, 0.04, 0.36), (0.68, -0.06, 0.20), (0.76, -0.12, -0.10), (0.76, -0.18, -0.36), (0.72, -0.22, -0.50)]
        ear = clay(limb([(side * x, y, z) for x, y, z in path], [0.10, 0.20, 0.26, 0.28, 0.20]), 0.02, 8)
        for v in ear.data.vertices:
            v.co.x = side * 0.68 + (v.co.x - side * 0.68) * 0.5
        ear.data.transform(head)
        parts.append(paint(ear, tan))
    nose = ball((0, 0, 0), (0.125, 0.075, 0.085), detail=4)
    nose.data.transform(Matrix.Translation(on_face(0, -0.115, 0.015)) @ head.to_3x3().to_4x4())
    tip = ball((0, 0, 0), (0.062, 0.034, 0.075), detail=4)
    tip.data.transform(Matrix.Translation(on_face(0.055, -0.375, 0.004)) @ head.to_3x3().to_4x4())
    return [*parts, paint(nose, dark), paint(tip, tongue)]


def main():
    given = dict(word.split('=', 1) for word in sys.argv[sys.argv.index('--') + 1 :]) if '--' in sys.argv else {}
    width, samples = int(given.get('width', 1600)), int(given.get('samples', 128))
    clear()
    quality(samples, width, width * 9 // 16, clear_film=False)
    parts = build()
    paint(sweep(), material('backdrop', color=(0.93, 0.87, 0.76), roughness=0.9, specular=0.1))
    ambient(0.5, (1, 0.95, 0.87))
    softbox((-4.4, -4.0, 5.2), (0, 0, 1.2), 3.4, 520, color=(1, 0.89, 0.74))
    softbox((5.0, -4.2, 2.2), (0, 0, 1.1), 4.0, 80, color=(1, 0.82, 0.62))
    softbox((3.0, 4.2, 4.6), (0, 0, 1.3), 2.2, 400, color=(1, 0.94, 0.84))
    softbox((-1.5, -6.0, 1.6), (0, 0, 0.5), 4.0, 52, 0.9, color=(1, 0.9, 0.72))
    softbox((4.6, -5.0, 1.2), (1.5, 0, 0.5), 2.2, 26, 0.9, color=(1, 0.9, 0.72))
    softbox((0, 9.0, 6.5), (0, 10, 2.5), 9.0, 300, color=(1, 0.95, 0.86))  # the wall behind him
    camera = look(parts, azimuth=-4, elevation=14, margin=1.2, lens=75)
    camera.data.shift_x = -0.035  # a little more room at the left
    scratch = os.path.join(bpy.app.tempdir, 'hero')
    os.makedirs(scratch, exist_ok=True)
    shot = expose(['Image', 'Normal', 'DiffCol'], scratch)
    guide = np.concatenate([shot['normal'][..., :3], shot['albedo'][..., :3] * 2], -1)
    seen = calm(shot['all'][..., :3], guide, np.ones(guide.shape[:2], np.float32), sigma=0.08)
    seen = seen * (0.92 / np.percentile(seen.mean(-1), 95))
    bent = np.where(seen <= 0.7, seen, 0.7 + 0.3 * (1 - np.exp(-(seen - 0.7) / 0.42)))
    shown = np.where(bent <= 0.0031308, 12.92 * bent, 1.055 * np.maximum(bent, 1e-6) ** (1 / 2.4) - 0.055)
    dither = np.random.default_rng(1).uniform(-0.002, 0.002, shown.shape)
    folder = os.path.abspath(given.get('folder', os.path.join(HERE, 'passes')))
    os.makedirs(folder, exist_ok=True)
    write_png(f'{folder}/hero.png', shown + dither, 8)
    print('VIEW hero', flush=True)


if __name__ == '__main__':
    main()
