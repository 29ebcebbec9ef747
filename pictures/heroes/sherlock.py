"""Sherlock on his old cases, blowing bubbles from a pipe, for his collection and the home page."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
import bmesh

from clay import *

TAN, DARK, IVORY, INK = (0.40, 0.155, 0.042), (0.115, 0.046, 0.022), (0.90, 0.82, 0.67), (0.022, 0.019, 0.018)
TWEED, GREEN, RUST = (0.50, 0.355, 0.165), (0.062, 0.128, 0.075), (0.50, 0.088, 0.028)
TOP = 0.92  # where the upper book ends and the dog begins
HEAD = Vector((-0.78, -0.36, TOP + 1.20))
# in hundreds of the drawings' units, the eyes at the height of 0
HEAD_TURN = Matrix.Translation(HEAD) @ Euler([math.radians(a) for a in (-5, -5, 3)]).to_matrix().to_4x4() @ Matrix.Scale(0.46, 4)


def mixed(color, other, share):
    return color * (1 - share[:, None]) + np.array(other) * share[:, None]


def tweed(u, v, period):
    """Sherlock's check: green bands, rust lines between them."""
    color = np.array(TWEED) * np.ones((len(u), 1))
    for along, strength in ((u, 0.9), (v, 0.75)):
        off = np.abs((along / period) % 1 - 0.5)
        color = mixed(color, GREEN, strength * np.clip((0.125 - off) / 0.03 + 0.5, 0, 1))
        off = np.abs((along / period + 0.5) % 1 - 0.5)
        color = mixed(color, RUST, 0.85 * np.clip((0.034 - off) / 0.02 + 0.5, 0, 1))
    return color


def padded(point, lengths, thickness, rows, columns):
    """Thick cloth with round edges: point(r, c) is its middle, `lengths` about how long it is along r and c."""

    def dense(n):  # more points near the edges, which are round
        return 0.5 - 0.5 * np.cos(np.linspace(0, math.pi, n + 1))

    r, c = np.meshgrid(dense(rows), dense(columns), indexing='ij')
    middle = np.stack(np.broadcast_arrays(*point(r, c)), -1)
    step = 1e-4
    along = np.stack(np.broadcast_arrays(*point(r + step, c)), -1) - middle
    across = np.stack(np.broadcast_arrays(*point(r, c + step)), -1) - middle
    normal = np.cross(along, across)
    normal /= np.maximum(np.linalg.norm(normal, axis=-1, keepdims=True), 1e-12)
    edge = np.minimum(np.minimum(r, 1 - r) * lengths[0], np.minimum(c, 1 - c) * lengths[1])
    high = thickness / 2 * np.sqrt(np.clip(1 - (1 - np.minimum(edge / (thickness * 0.6), 1)) ** 2, 0, 1))
    n, m = r.shape
    i, j = np.meshgrid(np.arange(n - 1), np.arange(m - 1), indexing='ij')
    k = i * m + j
    quads = np.stack([k, k + 1, k + m + 1, k + m], -1).reshape(-1, 4)
    verts = np.concatenate([(middle + s * normal * high[..., None]).reshape(-1, 3) for s in (1, -1)])
    return mesh('cloth', verts.tolist(), [*quads.tolist(), *(quads[:, ::-1] + n * m).tolist()])


def kept(obj, at, normal):
    """Cuts away what lies beyond the plane."""
    shape = bmesh.new()
    shape.from_mesh(obj.data)
    bmesh.ops.bisect_plane(shape, geom=[*shape.verts, *shape.edges, *shape.faces], plane_co=at, plane_no=normal, clear_outer=True)
    shape.to_mesh(obj.data)
    shape.free()
    return obj


def thick(obj, thickness, offset):
    """An open surface made solid."""
    solid = obj.modifiers.new('solid', 'SOLIDIFY')
    solid.thickness, solid.offset = thickness, offset
    bpy.context.view_layer.update()
    made = bpy.data.meshes.new_from_object(obj.evaluated_get(bpy.context.evaluated_depsgraph_get()))
    obj.modifiers.clear()
    obj.data = made
    return obj


def box(size, at, turn, surface, edge=0.02):
    x, y, z = (s / 2 for s in size)
    verts = [(sx * x, sy * y, sz * z) for sz in (-1, 1) for sx, sy in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    made = mesh('box', verts, [(3, 2, 1, 0), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7)])
    made.data.use_auto_smooth = True
    bevel = made.modifiers.new('edge', 'BEVEL')
    bevel.width, bevel.segments = edge, 4
    made.modifiers.new('normals', 'WEIGHTED_NORMAL')
    made.location, made.rotation_euler.z = at, math.radians(turn)
    return paint(made, surface)


def pages():
    """Paper seen from its edges: many thin lines."""
    made = material('pages', color=(0.80, 0.68, 0.47), roughness=0.8, specular=0.15)
    nodes, links = made.node_tree.nodes, made.node_tree.links
    where, wave, ramp = nodes.new('ShaderNodeTexCoord'), nodes.new('ShaderNodeTexWave'), nodes.new('ShaderNodeMixRGB')
    wave.bands_direction = 'Z'
    wave.inputs['Scale'].default_value, wave.inputs['Distortion'].default_value = 11, 1.6
    ramp.inputs[1].default_value, ramp.inputs[2].default_value = (0.52, 0.39, 0.22, 1), (0.86, 0.75, 0.55, 1)
    links.new(where.outputs['Object'], wave.inputs[0])
    links.new(wave.outputs['Fac'], ramp.inputs[0])
    links.new(ramp.outputs[0], nodes['Principled BSDF'].inputs['Base Color'])
    return made


def clear_surface(name, tint, least, most):
    """Soap or glass: seen through in the middle, mirroring at the rim."""
    made = bpy.data.materials.new(name)
    made.use_nodes = True
    nodes, links = made.node_tree.nodes, made.node_tree.links
    nodes.clear()
    out, mix, facing, span = (nodes.new(f'ShaderNode{kind}') for kind in ('OutputMaterial', 'MixShader', 'LayerWeight', 'MapRange'))
    through, mirror = nodes.new('ShaderNodeBsdfTransparent'), nodes.new('ShaderNodeBsdfGlossy')
    through.inputs[0].default_value, mirror.inputs[0].default_value = (*tint, 1), (0.92, 1, 0.96, 1)
    mirror.inputs['Roughness'].default_value = 0.06
    facing.inputs['Blend'].default_value = 0.3
    span.inputs['To Min'].default_value, span.inputs['To Max'].default_value = least, most
    links.new(facing.outputs['Facing'], span.inputs['Value'])
    links.new(span.outputs[0], mix.inputs[0])
    links.new(through.outputs[0], mix.inputs[1])
    links.new(mirror.outputs[0], mix.inputs[2])
    links.new(mix.outputs[0], out.inputs[0])
    return made


def cases(gold):
    """What he lies on: a ledger, folders, and a book with its pages to the front."""
    leather = material('leather', color=(0.21, 0.060, 0.030), roughness=0.42, specular=0.4, grain=(26, 0.08, 0.02, 'pile'))
    green = material('bound', color=(0.050, 0.120, 0.078), roughness=0.75, specular=0.12, grain=(34, 0.06, 0.02, 'pile'))
    manila = material('manila', color=(0.55, 0.315, 0.115), roughness=0.75, specular=0.2)
    white = material('sheets', color=(0.82, 0.74, 0.60), roughness=0.8, specular=0.15)
    paper = pages()
    made = []

    # the ledger shows its spine, round from board to board
    height, width, front = 0.44, 4.75, -1.12
    made.append(box((width - 0.1, 1.9, height - 0.1), (0, front + 1.0, height / 2), 0, paper))
    for z in (0.03, height - 0.03):
        made.append(box((width, 2.1, 0.06), (0, front + 1.07, z), 0, leather, 0.025))
    turn = np.linspace(-math.pi / 2, math.pi / 2, 33)
    line = [(front + 0.04 - 0.15 * np.cos(a), height / 2 + (height / 2) * np.sin(a)) for a in turn]
    y, z = np.array(line).T
    rows = len(line) - 1
    spine = sheet('spine', rows, 2, lambda r, c: ((c - 0.5) * width, y[np.rint(r * rows).astype(int)], z[np.rint(r * rows).astype(int)]))
    made.append(paint(thick(spine, 0.05, -1), leather))
    for x in (-1.96, -1.42, 1.42, 1.96):
        for off in (-0.055, 0.055):
            made.append(paint(tube('band', [(x + off, a - 0.004, b) for a, b in line[2:-2]], 0.011), gold))
        made.append(paint(tube('rib', [(x, a + 0.012, b) for a, b in line[1:-1]], 0.038), leather))
    title = [(-0.62, front - 0.115, 0.285), (0.62, front - 0.115, 0.285)]
    made.append(paint(tube('title', title, 0.014), gold))
    made.append(paint(tube('title', [(0.6 * x, y, 0.2) for x, y, _ in title], 0.012), gold))

    level = height
    for length, depth, turn, x, thin, surface in (
        (4.4, 2.0, -1.2, 0.14, 0.026, manila),
        (4.3, 2.03, -0.8, 0.10, 0.018, white),
        (4.4, 2.0, -0.9, 0.12, 0.026, manila),
        (4.5, 2.0, 1.0, -0.02, 0.026, manila),
        (4.4, 2.04, 1.7, -0.06, 0.018, white),
        (4.5, 2.0, 1.3, -0.02, 0.026, manila),
    ):
        made.append(box((length, depth, thin), (x, -0.06, level + thin / 2), turn, surface, 0.008))
        level += thin + 0.001

    board = 0.05
    thin = TOP - level - 2 * board
    made.append(box((4.30, 2.02, board), (0.10, -0.06, level + board / 2), -0.6, green, 0.022))
    made.append(box((4.16, 1.88, thin), (0.10, -0.06, level + board + thin / 2), -0.6, paper, 0.012))
    made.append(box((4.30, 2.02, board), (0.10, -0.06, TOP - board / 2), -0.6, green, 0.022))
    return made


def exhibit(thread):
    """The tag on the folders, from the drawing of a bone: exhibit A."""
    card = material('card', color=(0.72, 0.50, 0.26), roughness=0.7, specular=0.2)
    outline = [(-0.17, -0.44), (0.17, -0.44), (0.17, -0.09), (0.085, 0), (-0.085, 0), (-0.17, -0.09)]
    verts = [(x, y, z) for y in (-0.012, 0.012) for x, z in outline]
    sides = [(i, i + 6, (i + 1) % 6 + 6, (i + 1) % 6) for i in range(6)]
    tag = mesh('tag', verts, [(0, 1, 2, 3, 4, 5), (11, 10, 9, 8, 7, 6), *sides], smooth=False)
    eyelet = lathe('eyelet', [(0.032 + 0.012 * math.cos(a), 0.012 * math.sin(a)) for a in np.linspace(0, 2 * math.pi, 17)], 48)
    eyelet.data.transform(Matrix.Translation((0, -0.014, -0.06)) @ Matrix.Rotation(math.pi / 2, 4, 'X'))
    hole = ball((0, -0.010, -0.06), (0.026, 0.006, 0.026), detail=3)
    strokes = [((-0.085, -0.39), (0, -0.14)), ((0, -0.14), (0.085, -0.39)), ((-0.052, -0.31), (0.052, -0.31))]
    letter = [part for ends in strokes for part in limb([(x, -0.012, z) for x, z in ends], [0.02, 0.02])]
    loops = [tube('thread', [(0, -0.022, -0.06), (side * 0.05, -0.01, 0.03), (side * 0.07, 0.12, 0.075), (side * 0.08, 0.30, 0.075)], 0.010) for side in (1, -1)]
    parts = [paint(tag, card), paint(hole, thread[1]), *(paint(part, thread[0]) for part in (eyelet, *letter, *loops))]
    place = Matrix.Translation((-1.0, -1.315, 0.455)) @ Matrix.Rotation(math.radians(-5), 4, 'Y')
    for part in parts:
        part.data.transform(place)
    return parts


def crown(height, angle, out=0.0):
    """A point of the hat: height 0..1 from its rim to its tip, angle in degrees from the front."""
    up, a = height * math.pi / 2, np.radians(angle)
    r = 1.18 * np.cos(up) ** 0.82 + out
    return r * np.sin(a), 0.12 - 1.1 * r * np.cos(a), 0.58 + (1.74 + out) * np.sin(up)


def deerstalker(cloth, ribbon):
    hat = sheet('crown', 220, 900, lambda r, c: crown(r, 360 * c), ring=True)
    colored(hat, cloth, lambda p: tweed(1.15 * np.arctan2(p[:, 0], 0.12 - p[:, 1]), p[:, 2], 0.46))
    parts = [hat]
    for side in (1, -1):

        def flap(r, c):
            edge = 33 - 16 * np.sin(np.clip(r * 1.7, 0, 1) * math.pi / 2) + 24 * np.clip(r - 0.75, 0, 1)
            return crown(0.02 + 0.93 * r, side * (edge + c * (180 - 2 * edge)), 0.055)

        made = padded(flap, (2.6, 2.4), 0.10, 160, 260)
        parts.append(colored(made, cloth, lambda p: tweed(1.15 * np.arctan2(p[:, 0], 0.12 - p[:, 1]) + 0.23, p[:, 2] + 0.12, 0.46)))

    def peak(r, c):
        a = np.radians((c - 0.5) * 172)
        reach = 0.54 * np.cos((c - 0.5) * math.pi * 0.92) ** 0.6 * r
        x, y = (1.15 + reach) * np.sin(a), 0.12 - (1.24 + reach) * np.cos(a)
        return x, y, 1.06 - 0.26 * np.sin(np.abs(a)) ** 2 - 0.22 * r - 0.12 * r * r

    made = padded(peak, (0.7, 3.4), 0.11, 70, 420)
    parts.append(colored(made, cloth, lambda p: tweed(1.3 * np.arctan2(p[:, 0], 0.12 - p[:, 1]), 1.15 * np.hypot(p[:, 0], p[:, 1] - 0.12) - 0.02, 0.46)))

    for side in (1, -1):
        loop = limb([(side * x, -0.05, z) for x, z in ((0.06, 2.40), (0.30, 2.52), (0.54, 2.62), (0.66, 2.63))], [0.08, 0.17, 0.25, 0.22])
        loop = clay(loop, 0.018, 5)
        for v in loop.data.vertices:
            v.co.y = -0.05 + 0.55 * (v.co.y + 0.05)
        tail = limb([(side * x, y, z) for x, y, z in ((0.04, -0.18, 2.36), (0.26, -0.47, 2.20), (0.47, -0.75, 1.88))], [0.07, 0.10, 0.13])
        parts += [paint(piece, ribbon) for piece in (loop, clay(tail, 0.018, 5))]
    parts.append(paint(ball((0, -0.06, 2.40), (0.17, 0.16, 0.15)), ribbon))
    for part in parts:
        part.data.transform(HEAD_TURN @ Matrix.Rotation(math.radians(-7), 4, 'X'))  # pushed back, for light on his eyes
    return parts


def eye(face, side, gaze, lid, pink, shine):
    """A tired eye: the lid covers a third of it, and the red below it shows."""
    size = Vector((0.35, 0.22, 0.31))
    place = Matrix.Translation(face.at(side * 0.55, 0.02, -0.045)) @ HEAD_TURN.to_3x3().to_4x4() @ Matrix.Rotation(math.radians(side * 14), 4, 'Z')

    def look_of(p):
        far = np.hypot(p[:, 0] - gaze, p[:, 2]) + 9 * (p[:, 1] > 0)
        color = mixed(np.array((0.88, 0.80, 0.66)) * np.ones((len(p), 1)), (0.17, 0.062, 0.018), np.clip((0.205 - far) / 0.012 + 0.5, 0, 1))
        return mixed(color, INK, np.maximum(np.clip((0.132 - far) / 0.012 + 0.5, 0, 1), np.clip(1 - np.abs(far - 0.207) / 0.014, 0, 1)))

    white = colored(ball((0, 0, 0), size, detail=6), material('eye', color=IVORY, roughness=0.18, coat=0.5), look_of)
    upper = kept(ball((0, 0, 0), size * 1.10, detail=6), (0, 0, 0.11), (-side * 0.24, 0.05, -1))
    lower = kept(ball((0, 0, 0), size * 1.07, detail=6), (0, 0, -0.145), (side * 0.16, -0.05, 1))
    glint = ball((gaze - 0.075, -0.208, 0.06), (0.052, 0.02, 0.052), detail=4)
    parts = [white, paint(thick(upper, 0.05, -1), lid), paint(thick(lower, 0.04, -1), pink), paint(glint, shine)]
    for part in parts:
        part.data.transform(place)
    return parts


def pipe(face, bowl_at, dark, wood):
    mouth = face.at(0.70, -1.36, -0.03)
    to = HEAD_TURN.to_3x3()
    path = [mouth, *(mouth + to @ Vector(p) for p in ((0.22, -0.30, -0.06), (0.85, -0.50, -0.40)))]
    path += [bowl_at + Vector(p) for p in ((-0.17, 0, 0.02), (-0.02, 0, 0.06))]
    stem = tube('stem', [tuple(p) for p in path], 0.052, [1.25, 0.95, 0.95, 1.15, 1.2])
    outside = [(0.001, -0.005), (0.07, 0.0), (0.125, 0.03), (0.165, 0.09), (0.185, 0.17), (0.19, 0.27), (0.186, 0.345), (0.178, 0.36)]
    inside = [(0.160, 0.362), (0.147, 0.35), (0.142, 0.30), (0.13, 0.2), (0.001, 0.18)]
    bowl = lathe('bowl', [*outside, *inside], 96)
    bowl.data.transform(Matrix.Translation(bowl_at))
    ring = lathe('ring', [(0.19 + 0.012 * math.cos(a), 0.315 + 0.014 * math.sin(a)) for a in np.linspace(0, 2 * math.pi, 17)], 96)
    ring.data.transform(Matrix.Translation(bowl_at))
    return [paint(stem, dark), paint(bowl, wood), paint(ring, dark)]


def magnifier(gold, wood, glass):
    """Leans on the books, so that its lens faces the viewer."""
    ring = lathe('ring', [(0.46 + 0.052 * math.cos(a), 0.065 * math.sin(a)) for a in np.linspace(0, 2 * math.pi, 33)], 128)
    lens = lathe('lens', [(0.44 * math.sin(a), 0.05 * math.cos(a)) for a in np.linspace(0, math.pi, 41)], 96)
    neck = tube('neck', [(0.49, 0, 0), (0.66, 0, 0)], 0.045)
    grip = clay(limb([(0.64, 0, 0), (0.80, 0, 0), (1.10, 0, 0), (1.32, 0, 0)], [0.06, 0.075, 0.088, 0.075]), 0.012, 4)
    collar = tube('collar', [(0.61, 0, 0), (0.67, 0, 0)], 0.075)
    parts = [paint(ring, gold), paint(lens, glass), paint(neck, gold), paint(grip, wood), paint(collar, gold)]
    place = Matrix.Translation((1.92, -1.37, 0.47)) @ Matrix.Rotation(math.radians(62), 4, 'X') @ Matrix.Rotation(math.radians(-20), 4, 'Z')
    for part in parts:
        part.data.transform(place)
    return parts


def build():
    clay_surface = dict(roughness=0.55, specular=0.25, coat=0.02)
    fur, brown = material('fur', color=TAN, **clay_surface), material('ears', color=DARK, **clay_surface)
    cloth = material('tweed', color=TWEED, roughness=0.8, specular=0.2, sheen=0.3, grain=(60, 0.10, 0.02, 'pile'))
    ribbon = material('ribbon', color=RUST, roughness=0.5, specular=0.4, sheen=0.2)
    dark = material('ink', color=INK, roughness=0.32, coat=0.3)
    lid = material('lid', color=(0.15, 0.058, 0.024), **clay_surface)
    pink = material('lower lid', color=(0.60, 0.17, 0.11), roughness=0.4)
    shine = material('shine', color=(0.95, 0.93, 0.88), roughness=0.3)
    briar = material('briar', color=(0.42, 0.080, 0.026), roughness=0.25, coat=0.4)
    grip = material('grip', color=(0.15, 0.055, 0.025), roughness=0.3, coat=0.4)
    gold = material('gold', color=(0.95, 0.62, 0.19), roughness=0.22, metallic=1)

    parts = [*cases(gold), *exhibit((ribbon, dark))]

    local = [
        ((0, 0.10, 0.32), (1.0, 0.95, 0.98)),
        ((0.45, -0.05, -0.45), (0.72, 0.80, 0.78)),
        ((-0.45, -0.05, -0.45), (0.72, 0.80, 0.78)),
        ((0.53, -0.72, -0.86), (0.64, 0.56, 0.59)),
        ((-0.53, -0.72, -0.86), (0.64, 0.56, 0.59)),
        ((0, -0.72, -0.42), (0.44, 0.62, 0.40)),
        ((0, -0.62, -1.38), (0.42, 0.44, 0.36)),
    ]
    body = []
    for center, radii in local:
        part = ball(center, radii)
        part.data.transform(HEAD_TURN)
        body.append(part)
    torso = [
        ball((-0.76, 0.10, TOP + 0.50), (0.56, 0.62, 0.58)),
        ball((-0.20, 0.24, TOP + 0.50), (0.90, 0.62, 0.53)),
        ball((0.70, 0.24, TOP + 0.50), (1.00, 0.60, 0.51)),
        ball((-0.78, -0.02, TOP + 0.85), (0.42, 0.44, 0.42)),
    ]
    rear = [
        ball((1.44, 0.20, TOP + 0.48), (0.60, 0.60, 0.52)),
        ball((1.38, -0.30, TOP + 0.38), (0.50, 0.30, 0.42), (0, 10, -12)),
        ball((0.98, -0.58, TOP + 0.13), (0.34, 0.19, 0.15), (0, 0, 6)),
    ]
    legs = []
    for x, turn in ((-1.12, 8), (-0.42, -6)):
        legs += limb([(x * 0.97, -0.30, TOP + 0.22), (x, -0.66, TOP + 0.16)], [0.21, 0.17])
        legs.append(ball((x, -0.84, TOP + 0.15), (0.23, 0.25, 0.165), (0, 0, turn)))
    tail = limb([(1.86, 0.25, TOP + 0.42), (2.14, 0.22, TOP + 0.52), (2.28, 0.20, TOP + 0.80), (2.22, 0.20, TOP + 1.12)], [0.15, 0.125, 0.105, 0.065])
    trunk = [link('trunk', part.data.copy()) for part in torso]  # for the coat, which his limbs come out of
    dog = clay([*body, *torso, *rear, *legs, *tail], 0.014, 9)
    for v in dog.data.vertices:
        v.co.z = max(v.co.z, TOP + 0.006)  # he lies on the book, not in it
    inverse = np.array(HEAD_TURN.inverted())

    def coat(points):
        face = points @ inverse[:3, :3].T + inverse[:3, 3]
        x, y, z = np.abs(face[:, 0]), face[:, 1], face[:, 2]
        near = blob(points, np.array(HEAD), np.array([0.85, 0.85, 0.95]))
        color = np.array(TAN) * np.ones((len(points), 1))
        color = mixed(color, DARK, blob(np.column_stack([x, y, z]), (0.86, -0.4, 0.42), (0.56, 0.9, 0.52)))
        half = 0.13 + 0.10 * np.abs(z - 0.15) + 0.9 * np.maximum(-0.05 - z, 0) ** 1.5
        blaze = np.clip((half - x) / 0.05 + 0.5, 0, 1) * (y < 0.2) * (z > -0.7)
        muzzle = np.maximum(blob(face, (0, -0.95, -0.92), (1.24, 0.78, 0.66)), blob(face, (0, -0.75, -1.45), (0.55, 0.55, 0.42)))
        white = np.maximum(blaze, muzzle) * near
        for paw, size in (((-1.12, -0.84, TOP + 0.1), 0.36), ((-0.42, -0.84, TOP + 0.1), 0.36), ((0.92, -0.60, TOP + 0.02), 0.42)):
            white = np.maximum(white, blob(points, paw, (size, 0.34, 0.30)))
        white = np.maximum(white, blob(points, (2.22, 0.20, TOP + 1.16), (0.3, 0.3, 0.26)))
        return mixed(color, IVORY, white)

    colored(dog, fur, coat)
    parts.append(dog)

    jacket = clay(trunk, 0.02, 14)
    kept(jacket, (1.16, 0, TOP + 0.5), (1, 0, 0.14))
    kept(jacket, (0, 0, TOP + 0.14), (0, 0, -1))
    kept(jacket, (0, 0, TOP + 1.12), (0, 0, 1))
    jacket = clay([thick(jacket, 0.075, 1)], 0.013, 8)
    finer = jacket.modifiers.new('finer', 'SUBSURF')
    finer.levels = finer.render_levels = 1
    bpy.context.view_layer.update()
    jacket.data = bpy.data.meshes.new_from_object(jacket.evaluated_get(bpy.context.evaluated_depsgraph_get()))
    jacket.modifiers.clear()
    parts.append(colored(jacket, cloth, lambda p: tweed(p[:, 0] + 0.04, 0.62 * np.arctan2(0.2 - p[:, 1], p[:, 2] - TOP - 0.35), 0.24)))

    face = Face(dog, HEAD_TURN)
    for side in (1, -1):
        parts += eye(face, side, 0.07, lid, pink, shine)
        parts.append(face.line([(side * (0.30 + 0.44 * t), 0.50 - 0.02 * t - 0.12 * t * t) for t in np.linspace(0, 1, 7)], 0.014, dark, 0.004))
        parts.append(face.line([(side * x, z) for x, z in ((0.01, -1.29), (0.10, -1.38), (0.24, -1.43), (0.42, -1.43))], 0.012, dark))
        for x, z in ((0.54, -0.96), (0.76, -0.90), (0.72, -1.12)):
            parts.append(face.knob(side * x, z, (0.036, 0.02, 0.036), dark, 0.0))
        path = [(0.92, 0.12, 0.62), (1.16, 0.06, 0.30), (1.38, -0.04, -0.30), (1.54, -0.16, -1.00), (1.68, -0.24, -1.70), (1.70, -0.26, -2.14)]
        ear = clay(limb([(side * x, y, z) for x, y, z in path], [0.24, 0.32, 0.38, 0.42, 0.44, 0.36]), 0.03, 8)
        for v in ear.data.vertices:
            middle = 0.10 - 0.36 * min(max((0.6 - v.co.z) / 2.6, 0), 1)
            v.co.y = middle + (v.co.y - middle) * 0.42
        ear.data.transform(HEAD_TURN)
        for v in ear.data.vertices:
            v.co.z = max(v.co.z, TOP + 0.01)
        parts.append(paint(ear, brown))
    parts.append(face.line([(0, z) for z in (-0.72, -0.85, -1.0, -1.15, -1.29)], 0.013, dark))
    parts.append(face.knob(0, -0.50, (0.49, 0.30, 0.29), dark, 0.02))
    parts += deerstalker(cloth, ribbon)

    tie = Vector((-0.77, -0.86, TOP + 0.365))
    for side in (1, -1):
        wing = clay(limb([(side * x, 0, z) for x, z in ((0.03, 0), (0.10, 0.003), (0.17, 0.01), (0.20, 0.012))], [0.04, 0.07, 0.115, 0.12]), 0.009, 3)
        for v in wing.data.vertices:
            out = abs(v.co.x)
            v.co.x, v.co.y = side * (out if out < 0.2 else 0.2 + 0.4 * (out - 0.2)), 0.6 * v.co.y
        wing.data.transform(Matrix.Translation(tie))
        parts.append(paint(wing, ribbon))
    parts.append(paint(ball(tie + Vector((0, -0.03, 0)), (0.055, 0.06, 0.06)), ribbon))

    bowl = Vector((0.32, -1.02, TOP + 0.32))
    parts += pipe(face, bowl, dark, briar)
    soap = clear_surface('soap', (0.95, 0.99, 0.97), 0.08, 0.95)
    bubbles = [(0.0, 0.42, 0.135), (0.23, 0.70, 0.11), (-0.06, 0.78, 0.07), (0.42, 1.10, 0.23), (0.06, 1.10, 0.06)]
    bubbles += [(0.20, 1.50, 0.11), (0.78, 1.50, 0.10), (0.62, 1.80, 0.16), (0.30, 1.90, 0.06)]
    for x, z, radius in bubbles:
        parts.append(paint(ball(bowl + Vector((x, 0, z)), (radius,) * 3), soap))
    parts += magnifier(gold, grip, clear_surface('glass', (0.94, 0.97, 0.96), 0.02, 0.5))
    return parts


if __name__ == '__main__':
    show('sherlock', build, backdrop=(0.085, 0.135, 0.115), shift=0, bright=0.56, margin=1.42)
