"""The studio in which every product is photographed: scene, light, camera, cloth, and what a shot leaves behind.

A view is rendered once, with every surface that can be dyed at the neutral albedo NEUTRAL. A shot leaves five PNG files,
from which `compose.ts` makes the picture of any dye and any design:

  light   light that falls on dyeable surfaces, times their coverage (color = light x albedo)
  rest    what no dye changes: highlights, steel, wood; RGBA, premultiplied
  print   u, v and coverage of the printable area; 16 bit, premultiplied by the coverage
  zones   coverage of dye zone A, of dye zone B, of the printable area
  shadow  share of light that the ground keeps, at a third of the size

`light` and `rest` hold linear values as the square root of a quarter (0..4), of which 12 bits are kept: PNG packs them better.
Written for Blender 3.4; its Debian build has no denoiser, hence the one below.
"""

import hashlib
import json
import math
import os
import struct
import sys
import time
import zlib

import bpy
import numpy as np
from mathutils import Vector
from mathutils.geometry import delaunay_2d_cdt

HERE = os.path.dirname(os.path.abspath(__file__))
CLOTH = os.path.join(HERE, 'cloth')
NEUTRAL = 0.6

# --- scene -----------------------------------------------------------------------------------------------------------


def clear():
    """Empties Blender: each view starts from nothing, so views cannot leak into each other."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    world = bpy.data.worlds.new('world')
    world.use_nodes = True
    bpy.context.scene.world = world


def link(name, data):
    obj = bpy.data.objects.new(name, data)
    bpy.context.collection.objects.link(obj)
    return obj


def ambient(strength, color=(1, 1, 1)):
    node = bpy.context.scene.world.node_tree.nodes['Background']
    node.inputs[0].default_value = (*color, 1)
    node.inputs[1].default_value = strength


def softbox(at, to, width, watts, height=None, color=(1, 1, 1)):
    data = bpy.data.lights.new('softbox', 'AREA')
    data.energy, data.size, data.color = watts, width, color
    if height:
        data.shape, data.size_y = 'RECTANGLE', height
    obj = link('softbox', data)
    obj.location = at
    obj.rotation_euler = (Vector(to) - Vector(at)).to_track_quat('-Z', 'Y').to_euler()
    return obj


def standing_light(key=1.0, fill=0.8, rim=1.0, sky=0.17, strips=0.0):
    """For things that stand: a large key at the upper left, weak fill, a rim from behind. Glossy ones also get two tall strips."""
    ambient(sky)
    softbox((-3.7, -3.1, 4.9), (0, 0, 0.7), 3.1, 415 * key)
    softbox((5.1, -3.5, 2.5), (0, 0, 0.8), 4.0, 68 * fill)
    softbox((2.3, 4.5, 4.3), (0, 0, 0.8), 2.4, 255 * rim)
    if strips:
        softbox((-4.6, -1.5, 1.8), (0, 0, 0.9), 0.7, 62 * strips, 4.6)
        softbox((4.4, -0.5, 1.6), (0, 0, 0.9), 0.35, 38 * strips, 4.6)


def lying_light(key=1.0, fill=1.0, sky=0.14):
    """For things laid flat: one raking key from the upper left, since folds only show in raking light."""
    ambient(sky)
    softbox((-4.3, 2.3, 2.8), (0, 0, 0), 1.6, 330 * key)
    softbox((3.6, -3.1, 4.2), (0, 0, 0), 4.0, 64 * fill)


def sweep():
    """The ground: a paper sweep that curves up into a wall, since a plain plane would show its horizon."""
    bend = np.linspace(0.1, math.pi / 2, 18)
    path = [(-15, 0), (5, 0), *zip(5 + 5 * np.sin(bend), 5 - 5 * np.cos(bend)), (10, 25)]
    verts = [(x, y, z) for y, z in path for x in (-27, 27)]
    faces = [(2 * i, 2 * i + 1, 2 * i + 3, 2 * i + 2) for i in range(len(path) - 1)]
    return paint(mesh('ground', verts, faces), material('paper', color=(0.72,) * 3, roughness=1, specular=0))


def look(parts, azimuth, elevation, margin=1.25, lens=90, near=None):
    """Puts the camera at azimuth (degrees, 0 = front) and elevation, just far enough that the parts times margin are in the picture.

    A part with a property 'unframed' may run out of the picture. near: ((x, y, z), radius) fills the picture with that ball instead.
    """
    data = bpy.data.cameras.new('camera')
    data.lens = lens
    camera = link('camera', data)
    a, e = math.radians(azimuth), math.radians(elevation)
    toward = Vector((math.sin(a) * math.cos(e), -math.cos(a) * math.cos(e), math.sin(e)))
    camera.rotation_euler = (-toward).to_track_quat('-Z', 'Y').to_euler()
    bpy.context.scene.camera = camera
    bpy.context.view_layer.update()
    graph = bpy.context.evaluated_depsgraph_get()
    if near:
        center, radius = near
        distance = radius / math.sin(data.angle / 2)
        camera.location = Vector(center) + toward * distance
        return camera
    points = []
    for part in [part for part in parts if 'unframed' not in part]:
        shaped = part.evaluated_get(graph).data.vertices
        points += [part.matrix_world @ v.co for v in list(shaped)[:: max(1, len(shaped) // 3000)]]
    corners = np.array(points)
    middle = (corners.min(0) + corners.max(0)) / 2
    spread = middle + (corners - middle) * margin
    camera.location, _ = camera.camera_fit_coords(graph, spread.ravel().tolist())
    return camera


# --- shapes ----------------------------------------------------------------------------------------------------------


def mesh(name, verts, faces, smooth=True):
    data = bpy.data.meshes.new(name)
    data.from_pydata([tuple(v) for v in verts], [], [tuple(f) for f in faces])
    data.polygons.foreach_set('use_smooth', [smooth] * len(data.polygons))
    data.update()
    return link(name, data)


def sheet(name, rows, columns, point, ring=False):
    """A surface from point(r, c) -> (x, y, z), arrays with r, c in 0..1; `ring` closes it along c."""
    c = np.linspace(0, 1, columns + 1)
    c = c[:-1] if ring else c
    r, c = np.meshgrid(np.linspace(0, 1, rows + 1), c, indexing='ij')
    verts = np.stack(np.broadcast_arrays(*point(r, c)), -1).reshape(-1, 3)
    n = r.shape[1]
    i, j = np.meshgrid(np.arange(rows), np.arange(columns), indexing='ij')
    k = (j + 1) % n
    faces = np.stack([i * n + j, i * n + k, (i + 1) * n + k, (i + 1) * n + j], -1).reshape(-1, 4)
    return mesh(name, verts.tolist(), faces.tolist())


def lathe(name, profile, segments=160):
    """Turns (radius, z) points round the z axis."""
    p = np.array(profile, float)
    return sheet(
        name,
        len(p) - 1,
        segments,
        lambda r, c: (
            p[np.rint(r * (len(p) - 1)).astype(int), 0] * np.sin(2 * np.pi * c),
            -p[np.rint(r * (len(p) - 1)).astype(int), 0] * np.cos(2 * np.pi * c),
            p[np.rint(r * (len(p) - 1)).astype(int), 1],
        ),
        ring=True,
    )


def softened(points, radii, steps=7):
    """Rounds the inner corners of an open line of points; one radius for all, or one per point."""
    p = [np.array(q, float) for q in points]
    line = [p[0]]
    for i in range(1, len(p) - 1):
        before, here, after = p[i - 1], p[i], p[i + 1]
        radius = radii if isinstance(radii, (int, float)) else radii[i]
        reach = min(radius, 0.49 * np.linalg.norm(before - here), 0.49 * np.linalg.norm(after - here))
        a = here + (before - here) / max(np.linalg.norm(before - here), 1e-9) * reach
        b = here + (after - here) / max(np.linalg.norm(after - here), 1e-9) * reach
        line += [(1 - t) ** 2 * a + 2 * t * (1 - t) * here + t * t * b for t in np.linspace(0, 1, steps)]
    return [*line, p[-1]]


def bezier(a, b, c, d, n=24):
    t = np.linspace(0, 1, n)[:, None]
    a, b, c, d = map(np.array, (a, b, c, d))
    return (1 - t) ** 3 * a + 3 * t * (1 - t) ** 2 * b + 3 * t * t * (1 - t) * c + t**3 * d


def tube(name, points, radius, thickness=None):
    """A tube along a smooth path; `thickness` scales the radius at each point."""
    data = bpy.data.curves.new(name, 'CURVE')
    data.dimensions, data.resolution_u = '3D', 24
    spline = data.splines.new('BEZIER')
    spline.bezier_points.add(len(points) - 1)
    for i, knot in enumerate(spline.bezier_points):
        knot.co = points[i]
        knot.handle_left_type = knot.handle_right_type = 'AUTO'
        knot.radius = thickness[i] if thickness else 1
    data.bevel_depth, data.bevel_resolution, data.use_fill_caps = radius, 12, True
    curve = link(name, data)
    bpy.context.view_layer.update()
    made = bpy.data.meshes.new_from_object(curve.evaluated_get(bpy.context.evaluated_depsgraph_get()))
    bpy.data.objects.remove(curve)
    made.polygons.foreach_set('use_smooth', [True] * len(made.polygons))
    return link(name, made)


def evenly(line, spacing, closed=False):
    """The same line with points at even distances."""
    line = np.vstack([line, line[:1]]) if closed else np.asarray(line, float)
    along = np.concatenate([[0], np.cumsum(np.linalg.norm(np.diff(line, axis=0), axis=1))])
    t = np.linspace(0, along[-1], max(3, int(along[-1] / spacing)) + 1)
    t = t[:-1] if closed else t
    return np.stack([np.interp(t, along, line[:, k]) for k in range(line.shape[1])], -1)


def line_distance(line, p, closed=False):
    """How far each of the points p is from the line."""
    ends = np.vstack([line, line[:1]]) if closed else np.asarray(line)
    out = np.full(len(p), 9.0)
    for a, b in zip(ends[:-1], ends[1:]):
        t = np.clip(((p - a) @ (b - a)) / max((b - a) @ (b - a), 1e-12), 0, 1)
        out = np.minimum(out, np.hypot(*(p - a - t[:, None] * (b - a)).T))
    return out


def within(outline, p):
    odd = np.zeros(len(p), bool)
    for a, b in zip(outline, np.roll(outline, -1, axis=0)):
        crosses = (a[1] > p[:, 1]) != (b[1] > p[:, 1])
        odd ^= crosses & (p[:, 0] < (b[0] - a[0]) * (p[:, 1] - a[1]) / (b[1] - a[1] + 1e-12) + a[0])
    return odd


def cut(name, outline, height, spacing=0.01):
    """A cut piece of cloth, seen from above: height(x, y, d) gives z, with d the distance to the cut edge."""
    edge = evenly(np.asarray(outline, float), spacing, closed=True)
    low, high = edge.min(0), edge.max(0)
    xs, ys = np.arange(low[0], high[0], spacing), np.arange(low[1], high[1], spacing * 0.866)
    field = np.stack(np.meshgrid(xs, ys), -1)
    field[1::2, :, 0] += spacing / 2
    field = field.reshape(-1, 2)
    field = field[within(edge, field)]
    field = field[line_distance(edge, field, closed=True) > 0.55 * spacing]
    points = [Vector(q) for q in np.vstack([edge, field]).tolist()]
    verts, _, faces, *_ = delaunay_2d_cdt(points, [], [list(range(len(edge)))], 1, 1e-6)
    flat = np.array([v[:] for v in verts])
    z = height(flat[:, 0], flat[:, 1], line_distance(edge, flat, closed=True))
    return mesh(name, np.column_stack([flat, np.broadcast_to(z, len(flat))]).tolist(), faces)


def printable(obj, uv, where=lambda center, normal: True):
    """Marks where a design may sit: uv(co) -> (u, v) in 0..1 on the faces that `where` keeps, far outside on the others."""
    layer = obj.data.uv_layers.new(name='print').data
    for face in obj.data.polygons:
        kept = where(face.center, face.normal)
        for corner in face.loop_indices:
            layer[corner].uv = uv(obj.data.vertices[obj.data.loops[corner].vertex_index].co) if kept else (-9, -9)
    return obj


def ripple(x, y, seed, wavelength, stretch=1.0, angle=0.0, waves=28):
    """A smooth random height of about -2..2; `stretch` draws its bumps out along `angle` (degrees)."""
    rng = np.random.default_rng(seed)
    c, s = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    along, across = (x * c + y * s) / stretch, -x * s + y * c
    total = np.zeros(np.shape(x))
    for _ in range(waves):
        turn, size = rng.uniform(0, 2 * math.pi), wavelength * rng.uniform(0.7, 1.6)
        total += np.cos(2 * math.pi / size * (along * math.cos(turn) + across * math.sin(turn)) + rng.uniform(0, 6.3))
    return total / math.sqrt(waves / 2)


def crease(x, y, at, angle, length, width, height):
    """One soft fold that begins at a point and fades along its length; its lee side dips, as pulled cloth does."""
    c, s = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    a = (x - at[0]) * c + (y - at[1]) * s
    d = -(x - at[0]) * s + (y - at[1]) * c + 0.05 * length * np.sin(4.2 * a / length + 11 * at[0])
    fade = np.exp(-2.2 * ((a - 0.42 * length) / (0.55 * length)) ** 2)
    spread = width * (0.75 + 0.6 * np.clip(a / length, 0, 1.2))
    return height * fade * (np.exp(-((d / spread) ** 2)) - 0.55 * np.exp(-(((d - 1.6 * spread) / (1.3 * spread)) ** 2)))


# --- surfaces --------------------------------------------------------------------------------------------------------


def material(name, zone=None, color=(0.5,) * 3, roughness=0.5, specular=0.5, metallic=0.0, sheen=0.0, coat=0.0, grain=None, prints=True):
    """zone 'A' or 'B' can be dyed and is rendered at NEUTRAL; without one, `color` (linear) is what the shopper sees.

    grain: (scale, strength, distance, 'pile' | 'weave'), a bump; above a strength of 0.2 it only costs samples.
    """
    made = bpy.data.materials.new(name)
    made.use_nodes = True
    nodes, links = made.node_tree.nodes, made.node_tree.links
    surface = nodes['Principled BSDF']
    base = (NEUTRAL,) * 3 if zone else color
    values = {'Base Color': (*base, 1), 'Roughness': roughness, 'Specular': specular, 'Metallic': metallic, 'Sheen': sheen}
    values |= {'Clearcoat': coat, 'Clearcoat Roughness': 0.06}
    for key, value in values.items():
        surface.inputs[key].default_value = value

    def compute(operation, *operands):
        node = nodes.new('ShaderNodeMath')
        node.operation = operation
        for socket, operand in zip(node.inputs, operands):
            if isinstance(operand, (int, float)):
                socket.default_value = operand
            else:
                links.new(operand, socket)
        return node.outputs[0]

    if grain:
        scale, strength, distance, kind = grain
        where = nodes.new('ShaderNodeTexCoord').outputs['Object']
        if kind == 'weave':
            threads = []
            for turn in (0, math.pi / 2):
                mapping, wave = nodes.new('ShaderNodeMapping'), nodes.new('ShaderNodeTexWave')
                mapping.inputs['Rotation'].default_value = (0.3, 0.2, turn)
                wave.inputs['Scale'].default_value, wave.inputs['Distortion'].default_value = scale, 0.6
                links.new(where, mapping.inputs[0])
                links.new(mapping.outputs[0], wave.inputs[0])
                threads.append(wave.outputs['Fac'])
            height = compute('MULTIPLY', *threads)
        else:
            noise = nodes.new('ShaderNodeTexNoise')
            noise.inputs['Scale'].default_value, noise.inputs['Detail'].default_value = scale, 3
            links.new(where, noise.inputs['Vector'])
            height = noise.outputs['Fac']
        bump = nodes.new('ShaderNodeBump')
        bump.inputs['Strength'].default_value, bump.inputs['Distance'].default_value = strength, distance
        links.new(height, bump.inputs['Height'])
        links.new(bump.outputs[0], surface.inputs['Normal'])

    def tell(channel, constant=None, socket=None):
        node = nodes.new('ShaderNodeOutputAOV')
        node.name = channel
        if socket:
            links.new(socket, node.inputs['Color'])
        else:
            node.inputs['Color'].default_value = (*constant, 1)

    tell('zones', (zone == 'A', zone == 'B', 0))
    if not (zone and prints):
        tell('place', (0, 0, 0))
        return made
    uv, parts, joined = nodes.new('ShaderNodeUVMap'), nodes.new('ShaderNodeSeparateXYZ'), nodes.new('ShaderNodeCombineXYZ')
    uv.uv_map = 'print'
    links.new(uv.outputs[0], parts.inputs[0])
    inside = compute('SUBTRACT', 1, nodes.new('ShaderNodeNewGeometry').outputs['Backfacing'])
    for axis in (0, 1):
        inside = compute('MULTIPLY', inside, compute('GREATER_THAN', parts.outputs[axis], 1e-5))
        inside = compute('MULTIPLY', inside, compute('LESS_THAN', parts.outputs[axis], 1))
    for axis in (0, 1):
        links.new(compute('MULTIPLY', parts.outputs[axis], inside), joined.inputs[axis])
    links.new(inside, joined.inputs[2])
    tell('place', socket=joined.outputs[0])
    return made


def paint(obj, surface):
    obj.data.materials.clear()
    obj.data.materials.append(surface)
    return obj


# --- a shot ----------------------------------------------------------------------------------------------------------

CHANNELS = {'Image': 'all', 'DiffDir': 'direct', 'DiffInd': 'bounced', 'DiffCol': 'albedo', 'Normal': 'normal', 'zones': 'zones', 'place': 'place'}


def quality(samples, width, height, bounces=5, clear_film=True, threshold=0.015):
    scene = bpy.context.scene
    scene.render.engine = 'CYCLES'
    cycles = scene.cycles
    cycles.samples, cycles.use_adaptive_sampling, cycles.adaptive_threshold = samples, True, threshold
    cycles.adaptive_min_samples, cycles.use_denoising = min(16, samples), False
    cycles.max_bounces, cycles.diffuse_bounces, cycles.glossy_bounces = bounces, 3, 3
    cycles.caustics_reflective = cycles.caustics_refractive = False
    cycles.sample_clamp_indirect, cycles.blur_glossy = 4, 1
    render = scene.render
    render.film_transparent, render.use_persistent_data = clear_film, True
    render.resolution_x, render.resolution_y, render.resolution_percentage = width, height, 100
    scene.view_settings.view_transform = 'Standard'


def expose(channels, folder):
    """Renders and reads back the wanted channels, as float arrays with the top row first."""
    scene = bpy.context.scene
    layer = scene.view_layers[0]
    layer.use_pass_diffuse_direct = layer.use_pass_diffuse_indirect = layer.use_pass_diffuse_color = layer.use_pass_normal = True
    for name in ('zones', 'place'):
        if name not in layer.aovs:
            added = layer.aovs.add()
            added.name, added.type = name, 'COLOR'
    scene.use_nodes = True
    tree = scene.node_tree
    tree.nodes.clear()
    source, target = tree.nodes.new('CompositorNodeRLayers'), tree.nodes.new('CompositorNodeOutputFile')
    target.base_path = folder
    target.format.file_format, target.format.color_depth, target.format.color_mode = 'OPEN_EXR', '32', 'RGBA'
    target.file_slots.clear()
    for channel in channels:
        target.file_slots.new(CHANNELS[channel])
        tree.links.new(source.outputs[channel], target.inputs[-1])
    bpy.ops.render.render()
    return {CHANNELS[c]: read_image(f'{folder}/{CHANNELS[c]}{scene.frame_current:04d}.exr') for c in channels}


def read_image(path):
    image = bpy.data.images.load(path)
    image.colorspace_settings.name = 'Non-Color'
    width, height = image.size
    values = np.empty(width * height * image.channels, np.float32)
    image.pixels.foreach_get(values)
    values = values.reshape(height, width, image.channels)[::-1]
    bpy.data.images.remove(image)
    return np.nan_to_num(values, nan=0, posinf=10, neginf=0)


def write_png(path, values, bits=16):
    """values: HxW or HxWxC, 0..1."""
    values = values[..., None] if values.ndim == 2 else values
    height, width, channels = values.shape
    top = 2**bits - 1
    rows = np.rint(np.clip(values, 0, 1) * top).astype('u1' if bits == 8 else '>u2').reshape(height, -1)
    rows = np.ascontiguousarray(rows).view(np.uint8).reshape(height, -1)
    upward = rows.copy()
    upward[1:] = rows[1:] - rows[:-1]
    body = np.concatenate([np.full((height, 1), 2, np.uint8), upward], 1).tobytes()

    def chunk(kind, data):
        return struct.pack('>I', len(data)) + kind + data + struct.pack('>I', zlib.crc32(kind + data))

    header = struct.pack('>IIBBBBB', width, height, bits, {1: 0, 2: 4, 3: 2, 4: 6}[channels], 0, 0, 0)
    with open(path, 'wb') as file:
        file.write(b'\x89PNG\r\n\x1a\n' + chunk(b'IHDR', header) + chunk(b'IDAT', zlib.compress(body, 7)) + chunk(b'IEND', b''))


def calm(noisy, guide, trust, sigma=0.1, rounds=4):
    """Removes grain but keeps edges: neighbors at growing distances are averaged where guide (grain-free) and brightness agree."""

    def moved(a, dy, dx):
        h, w = a.shape[:2]
        return a[np.clip(np.arange(h) + dy, 0, h - 1)][:, np.clip(np.arange(w) + dx, 0, w - 1)]

    out, guide = noisy.astype(np.float32), guide.astype(np.float32)
    for i in range(rounds):
        step, tone = 2**i, np.log1p(8 * np.maximum(out.mean(-1), 0))
        total = 0.25 * trust
        summed = out * total[..., None]
        for dy, dx in [(y, x) for y in (-1, 0, 1) for x in (-1, 0, 1) if y or x]:
            near = (0.0625 if dy and dx else 0.125) * moved(trust, dy * step, dx * step)
            apart = ((moved(guide, dy * step, dx * step) - guide) ** 2).sum(-1) / 0.0144
            apart += ((moved(tone, dy * step, dx * step) - tone) * (1 + i) / (3 * sigma)) ** 2
            near = near * np.exp(-apart)
            summed += moved(out, dy * step, dx * step) * near[..., None]
            total = total + near
        out = summed / total[..., None]
    return out


def packed(values):
    return np.rint(np.sqrt(np.clip(values, 0, 4) / 4) * 4095) / 4095 * (65520 / 65535)


def enlarged(rows, width):
    at = (np.arange(width) + 0.5) * rows.shape[1] / width - 0.5
    return np.stack([np.interp(at, np.arange(rows.shape[1]), row) for row in rows])


def ground_shadow(parts, ground, size, folder):
    """The ground's light with the product there but unseen, divided by its light without: 1 where nothing changes."""
    ground.visible_camera = True
    for part in parts:
        part.visible_camera = False
    quality(56, size, size, bounces=2, clear_film=False, threshold=0.02)
    shaded = expose(['Image'], folder)['all'][..., :3].mean(-1)
    for part in parts:
        part.hide_render = True
    quality(64, size // 3, size // 3, bounces=2, clear_film=False)
    plain = expose(['Image'], folder)['all'][..., :3].mean(-1)
    # the bare ground has no detail: its small picture, without grain, is drawn out to the size of the other
    plain = calm(plain[..., None], np.zeros((*plain.shape, 1)), np.ones(plain.shape, np.float32), sigma=0.3)[..., 0]
    plain = enlarged(enlarged(plain, size).T, size).T
    kept = np.clip(shaded / np.maximum(plain, 1e-4), 0, 1)
    for part in parts:
        part.visible_camera, part.hide_render = True, False
    return calm(kept[..., None], np.zeros((size, size, 1)), np.ones((size, size), np.float32), sigma=0.2, rounds=5)[..., 0]


def photograph(name, parts, ground, folder, samples, size):
    started = time.time()
    scratch = os.path.join(bpy.app.tempdir, name)
    os.makedirs(scratch, exist_ok=True)
    os.makedirs(folder, exist_ok=True)
    ground.visible_camera = False
    quality(samples, size, size)
    shot = expose(CHANNELS, scratch)
    alpha, zones, place = shot['all'][..., 3:], shot['zones'][..., :3], shot['place'][..., :3]
    dyed = np.clip(zones[..., :1] + zones[..., 1:2], 0, 1)
    # grain is removed from color without its coverage, weighted by trust: silhouettes would keep their grain otherwise
    seen = (alpha > 1e-3) / np.maximum(alpha, 1e-3)
    trust = (alpha[..., 0] + 1e-4) ** 2
    diffuse = (shot['direct'] + shot['bounced'])[..., :3] * shot['albedo'][..., :3] * seen
    guide = np.concatenate([shot['normal'][..., :3], zones * 0.7, shot['albedo'][..., :3] * 1.5], -1) * seen
    light = calm(diffuse, guide, trust) / NEUTRAL * dyed
    rest = np.maximum(shot['all'][..., :3] * seen - diffuse * np.clip(dyed * seen, 0, 1), 0)
    rest = calm(rest, guide, trust, sigma=0.08) * alpha
    # a swatch should look like its hex in the lit part of the product, whatever the light
    exposure = 1 / max(np.percentile(light.mean(-1)[dyed[..., 0] > 0.98], 92), 1e-3)
    base = f'{folder}/{name}'
    write_png(f'{base}.light.png', packed(light.mean(-1) * exposure))
    write_png(f'{base}.rest.png', np.concatenate([packed(rest * exposure), np.rint(alpha * 4095) / 4095], -1))
    write_png(f'{base}.print.png', place)
    write_png(f'{base}.zones.png', np.dstack([zones[..., :2], place[..., 2]]), 8)
    write_png(f'{base}.shadow.png', ground_shadow(parts, ground, size // 3, scratch), 8)
    print(f'VIEW {name} {time.time() - started:.0f} s', flush=True)


def fingerprint(script):
    """Of a product's script, all that it imports from here, and the cloths they load: passes of the same scripts and quality are not
    rendered again."""
    files, waiting = set(), [os.path.abspath(__file__), os.path.abspath(script)]
    while waiting:
        path = waiting.pop()
        if path in files:
            continue
        files.add(path)
        text = open(path).read()
        waiting += [os.path.join(HERE, name) for name in os.listdir(HERE) if name.endswith('.py') and f'from {name[:-3]} import' in text]
        files |= {os.path.join(CLOTH, name) for name in os.listdir(CLOTH) if f"'cloth', '{name}'" in text}
    ordered = sorted(files, key=lambda path: os.path.relpath(path, HERE))
    return hashlib.sha256(b''.join(open(path, 'rb').read() for path in ordered)).hexdigest()[:16]


def arguments():
    """What follows `--` on the command line, such as `samples=96 size=960`."""
    return dict(word.split('=', 1) for word in sys.argv[sys.argv.index('--') + 1 :]) if '--' in sys.argv else {}


def run(script, build, light, views, ground=sweep):
    """Renders the views of a product: `blender -b -P products/mug.py -- samples=96 size=960 views=front folder=passes`."""
    kind = os.path.splitext(os.path.basename(script))[0]
    given = arguments()
    folder = os.path.abspath(given.get('folder', os.path.join(HERE, 'passes')))
    wanted = given['views'].split(',') if 'views' in given else list(views)
    samples, size = int(given.get('samples', 96)), int(given.get('size', 960))
    for view in wanted:
        note = f'{folder}/{kind}.{view}.json'
        recipe = {'scripts': fingerprint(script), 'samples': samples, 'size': size}
        if os.path.exists(note) and json.load(open(note)) == recipe:
            print(f'VIEW {kind}.{view} kept', flush=True)
            continue
        clear()
        quality(samples, size, size)  # the camera's framing depends on the picture's proportions
        framing = dict(views[view])
        parts = build(framing.pop('pose')) if 'pose' in framing else build()
        floor = ground()
        light()
        look(parts, **framing)
        photograph(f'{kind}.{view}', parts, floor, folder, samples, size)
        with open(note, 'w') as file:
            json.dump(recipe, file)
