"""Clay figures for the large pictures of the collections: soft bodies out of many balls, painted by vertex, in a warm studio of 1600 x 900.

A figure (`heroes/<name>.py`) builds its parts and calls `show`; nothing here is dyed, so there are no passes but the picture as seen.
"""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from mathutils import Euler, Matrix
from mathutils.bvhtree import BVHTree

from studio import *


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


class Face:
    """Where to draw on a figure: its face looks along the local -y of `head`."""

    def __init__(self, figure, head):
        bpy.context.view_layer.update()
        self.tree = BVHTree.FromObject(figure, bpy.context.evaluated_depsgraph_get())
        self.head, self.ahead = head, (head.to_3x3() @ Vector((0, 1, 0))).normalized()

    def at(self, x, z, out=0.0):
        """The point of the face before local (x, z), pulled `out` towards the viewer."""
        return self.tree.ray_cast(self.head @ Vector((x, -2.5, z)), self.ahead)[0] - self.ahead * out

    def line(self, points, radius, surface, out=0.0):
        placed = np.array([(self.head.inverted() @ self.at(x, z, out))[:] for x, z in points])
        t = np.linspace(0, 1, len(points))
        placed[:, 1] = np.polyval(np.polyfit(t, placed[:, 1], 3), t)  # the clay under a line is not quite even
        ends = [0.45, *[1.0] * (len(points) - 2), 0.45]
        return paint(tube('line', [tuple(self.head @ Vector(p)) for p in placed], radius, ends), surface)

    def knob(self, x, z, radii, surface, out=0.0):
        """A ball on the face, such as a nose."""
        made = ball((0, 0, 0), radii, detail=4)
        made.data.transform(Matrix.Translation(self.at(x, z, out)) @ self.head.to_3x3().to_4x4())
        return paint(made, surface)


def placed(build, x, y, z, turn, size):
    """Everything that `build` makes, moved to its place."""
    before = set(bpy.data.objects)
    build()
    place = Matrix.Translation((x, y, z)) @ Matrix.Rotation(math.radians(turn), 4, 'Z') @ Matrix.Scale(size, 4)
    made = set(bpy.data.objects) - before
    bpy.context.view_layer.update()
    for part in made:
        part.matrix_world = place @ part.matrix_world
    return made


def warm_studio(parts, backdrop=(0.93, 0.87, 0.76), azimuth=-4, elevation=14, shift=-0.035, margin=1.2):
    """Its paper, lights and camera."""
    paint(sweep(), material('backdrop', color=backdrop, roughness=0.9, specular=0.1))
    ambient(0.5, (1, 0.95, 0.87))
    softbox((-4.4, -4.0, 5.2), (0, 0, 1.2), 3.4, 520, color=(1, 0.89, 0.74))
    softbox((5.0, -4.2, 2.2), (0, 0, 1.1), 4.0, 80, color=(1, 0.82, 0.62))
    softbox((3.0, 4.2, 4.6), (0, 0, 1.3), 2.2, 400, color=(1, 0.94, 0.84))
    softbox((-1.5, -6.0, 1.6), (0, 0, 0.5), 4.0, 52, 0.9, color=(1, 0.9, 0.72))
    softbox((4.6, -5.0, 1.2), (1.5, 0, 0.5), 2.2, 26, 0.9, color=(1, 0.9, 0.72))
    softbox((0, 9.0, 6.5), (0, 10, 2.5), 9.0, 300, color=(1, 0.95, 0.86))  # the wall behind him
    look(parts, azimuth=azimuth, elevation=elevation, margin=margin, lens=75).data.shift_x = shift


def show(name, build, around=warm_studio, proportion=9 / 16, bright=0.92, **studio):
    """Writes passes/hero.<name>.png: `blender -b -P heroes/rudy.py -- samples=128 width=1600`. around(parts, ...) sets light and camera."""
    given = arguments()
    width, samples = int(given.get('width', 1600)), int(given.get('samples', 128))
    clear()
    quality(samples, width, round(width * proportion), clear_film=False)
    around(build(), **studio)
    scratch = os.path.join(bpy.app.tempdir, 'hero')
    os.makedirs(scratch, exist_ok=True)
    shot = expose(['Image', 'Normal', 'DiffCol'], scratch)
    guide = np.concatenate([shot['normal'][..., :3], shot['albedo'][..., :3] * 2], -1)
    seen = calm(shot['all'][..., :3], guide, np.ones(guide.shape[:2], np.float32), sigma=0.08)
    seen = seen * (bright / np.percentile(seen.mean(-1), 95))  # less before a dark backdrop, which is most of the picture
    bent = np.where(seen <= 0.7, seen, 0.7 + 0.3 * (1 - np.exp(-(seen - 0.7) / 0.42)))
    shown = np.where(bent <= 0.0031308, 12.92 * bent, 1.055 * np.maximum(bent, 1e-6) ** (1 / 2.4) - 0.055)
    dither = np.random.default_rng(1).uniform(-0.002, 0.002, shown.shape)
    folder = os.path.abspath(given.get('folder', os.path.join(HERE, 'passes')))
    os.makedirs(folder, exist_ok=True)
    write_png(f'{folder}/hero.{name}.png', shown + dither, 8)
    print(f'VIEW hero.{name}', flush=True)

