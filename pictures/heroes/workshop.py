"""Rudy's face in a hoop, half sewn, among thread and scissors on a bench: the picture that the page about the label begins with.

1 unit = 10 cm, as in the rooms. Each stitch is a thread of its own; the drawing is the head of `designs/rudy-crest.svg`.
"""

import os
import re
import sys
from xml.etree import ElementTree

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
from clay import *
from rooms import *

TOP = 0.098  # of the cloth in the hoop
UNIT = 0.0028  # of the drawing
MIDDLE = (0, -183)  # of the drawing, in its units
BARE, CONTOUR = -1, 0  # what a point of the drawing shows; other numbers are colors of areas
GOLD, CARAMEL, NIGHT, INK = '#dda63a', '#c58440', '#3c4c70', '#2a2523'


def linear(hex_color):
    levels = np.array([int(hex_color[i : i + 2], 16) / 255 for i in (1, 3, 5)])
    return tuple(np.where(levels <= 0.04045, levels / 12.92, ((levels + 0.055) / 1.055) ** 2.4))


# --- the drawing -----------------------------------------------------------------------------------------------------


def path_lines(d):
    """The closed lines of an SVG path of M, L, H, V, C and Z."""
    words, lines, command = re.findall(r'[A-Z]|-?\d*\.?\d+', d), [], ''
    take = lambda n: [float(words.pop(0)) for _ in range(n)]
    while words:
        command = words.pop(0) if words[0].isalpha() else command
        if command == 'M':
            lines.append([take(2)])
            command = 'L'
        elif command in 'LHV':
            x, y = lines[-1][-1]
            lines[-1].append(take(2) if command == 'L' else [take(1)[0], y] if command == 'H' else [x, take(1)[0]])
        elif command == 'C':
            lines[-1] += bezier(lines[-1][-1], take(2), take(2), take(2), 9)[1:].tolist()
    return [np.array(line) for line in lines]


def turned(words):
    """An SVG transform as a matrix."""
    total = np.eye(3)
    for kind, given in re.findall(r'(\w+)\(([^)]*)\)', words):
        values = [float(v) for v in re.split(r'[ ,]+', given.strip())]
        step = np.eye(3)
        if kind == 'translate':
            step[:2, 2] = values
        elif kind == 'scale':
            step[0, 0], step[1, 1] = values[0], values[-1]
        else:
            a = math.radians(values[0])
            step[:2, :2] = (math.cos(a), -math.sin(a)), (math.sin(a), math.cos(a))
        total = total @ step
    return total


def shapes(node, matrix=np.eye(3), clip=None, known=None):
    """All shapes of a drawing in the order they are painted, as (fill, width of its contour, lines, what clips them)."""
    known = {} if known is None else known
    moved = lambda lines: [line @ matrix[:2, :2].T + matrix[:2, 2] for line in lines]
    name = node.tag.split('}')[1]
    matrix = matrix @ turned(node.get('transform', ''))
    if name == 'clipPath':
        known[node.get('id')] = path_lines(node[0].get('d'))
        return
    if node.get('clip-path'):
        clip = moved(known[node.get('clip-path')[5:-1]])
    if name == 'ellipse':
        x, y, a, b = (float(node.get(key)) for key in ('cx', 'cy', 'rx', 'ry'))
        t = np.linspace(0, 2 * math.pi, 20)[:-1]
        yield node.get('fill'), 0, moved([np.stack([x + a * np.cos(t), y + b * np.sin(t)], -1)]), clip
    elif name == 'path':
        contour = float(node.get('stroke-width', 0)) * abs(np.linalg.det(matrix[:2, :2])) ** 0.5
        yield node.get('fill'), contour, moved(path_lines(node.get('d'))), clip
    for child in node:
        yield from shapes(child, matrix, clip, known)


class Drawing:
    """What is where in a drawing; x and y are units of the hoop."""

    def __init__(self, file, pieces):
        self.colors, self.shapes, self.low = [INK], [], np.array([-215.0, -345.0])
        self.seen = np.full((310, 430), BARE)
        rows, columns = np.indices(self.seen.shape)
        spots = np.stack([columns, rows], -1).reshape(-1, 2) + self.low
        root = ElementTree.parse(file).getroot()
        for fill, contour, lines, clip in (shape for i in pieces for shape in shapes(root[i])):
            at = np.concatenate(lines)
            near = np.flatnonzero(((spots > at.min(0) - contour) & (spots < at.max(0) + contour)).all(1))
            inside = np.logical_xor.reduce([within(line, spots[near]) for line in lines])
            for line in clip or []:
                inside &= within(line, spots[near])
            self.colors += [] if fill in self.colors[1:] else [fill]
            number = self.colors.index(fill, 1)
            self.seen.ravel()[near[inside]] = number
            if contour:
                number = CONTOUR
                edge = np.min([line_distance(line, spots[near], closed=True) for line in lines], 0)
                self.seen.ravel()[near[edge < contour / 2]] = CONTOUR
            self.shapes.append((number, [self.placed(line) for line in lines]))

    def placed(self, spots):
        return (np.asarray(spots) - MIDDLE) * (UNIT, -UNIT)

    def at(self, points):
        """What is seen there."""
        spots = np.rint(np.asarray(points) * (1 / UNIT, -1 / UNIT) + MIDDLE - self.low).astype(int)
        x, y = np.clip(spots[..., 0], 0, self.seen.shape[1] - 1), np.clip(spots[..., 1], 0, self.seen.shape[0] - 1)
        return self.seen[y, x]


# --- thread ----------------------------------------------------------------------------------------------------------


def is_sewn(points):
    """The left part is; the rest still waits."""
    x, y = np.asarray(points)[..., 0], np.asarray(points)[..., 1]
    return x + 0.42 * y < 0.13 + 0.018 * np.sin(33 * y) + 0.011 * np.sin(81 * y + 1)


def outward_of(line):
    """The normals of a closed line, away from what it encloses."""
    ahead = np.roll(line, -1, axis=0) - np.roll(line, 1, axis=0)
    normal = np.stack([ahead[:, 1], -ahead[:, 0]], -1)
    around = np.sum(line[:, 0] * np.roll(line[:, 1], -1) - np.roll(line[:, 0], -1) * line[:, 1])
    return normal / np.maximum(np.linalg.norm(normal, axis=1), 1e-9)[:, None] * (1 if around > 0 else -1)


def contour_stitches(drawing, pitch, long):
    """Split stitch: rows side by side along each contour."""
    found = []
    for number, lines in drawing.shapes:
        if number != CONTOUR:
            continue
        for line in lines:
            line = evenly(line, long / 4, closed=True)
            for k in range(-3, 5):
                row = line + outward_of(line) * (k * pitch)
                start = np.arange(2 * (k % 2), len(row), 4)
                ends = row[start], row[(start + 4) % len(row)]
                kept = np.all([drawing.at(ends[0] * (1 - t) + ends[1] * t) == CONTOUR for t in (0.1, 0.5, 0.9)], 0)
                found.append(np.stack(ends, 1)[kept])
    return np.concatenate(found)


def fill_stitches(drawing, number, angle, pitch, long, rng):
    """Long and short: rows across an area, each cut where the area ends and where its thread does."""
    c, s = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    step, found = UNIT * 0.6, []
    for row in np.arange(-0.75, 0.75, pitch):
        along = np.arange(-0.75, 0.75, step)
        points = np.stack([along * c - row * s, along * s + row * c], -1)
        there = np.concatenate([[0], drawing.at(points) == number, [0]]).astype(int)
        starts, ends = np.flatnonzero(np.diff(there) == 1), np.flatnonzero(np.diff(there) == -1) - 1
        for a, b in zip(along[starts], along[ends]):
            cuts = [a]
            reach = long * rng.uniform(0.4, 1.1)
            while b - cuts[-1] > 1.35 * reach:
                cuts.append(cuts[-1] + reach)
                reach = long * rng.uniform(0.75, 1.25)
            cuts.append(b)
            for low, high in zip(cuts, cuts[1:]):
                if high - low > 2 * step:
                    off = row + rng.normal(0, 0.06 * pitch)
                    found.append([(t * c - off * s, t * s + off * c) for t in (low, high)])
    return np.array(found).reshape(-1, 2, 2)


def sew(ends, radius, height, surface, rng):
    """A thread for each pair of ends, bent up between them, with its ends in the cloth."""
    ends = ends[is_sewn(ends.mean(1))]
    steps, rounds = 9, 8
    share = np.linspace(-1, 1, steps)
    flat = ends[:, :1] + (ends[:, 1:] - ends[:, :1]) * (share[:, None] + 1) / 2
    rise = TOP + height * (1 - share**4) + radius * (0.6 - 1.6 * share**6) + rng.normal(0, 0.12 * radius, (len(ends), 1))
    ahead = (ends[:, 1] - ends[:, 0]) / np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1)[:, None]
    side = np.stack([-ahead[:, 1], ahead[:, 0]], -1)
    thick = radius * (1 - 0.4 * share**4)
    turn = np.linspace(0, 2 * math.pi, rounds, endpoint=False)
    around = np.cos(turn)[None, None, :] * thick[None, :, None]
    xy = flat[:, :, None] + around[..., None] * side[:, None, None]
    z = rise[..., None] + np.sin(turn)[None, None] * thick[None, :, None] * np.ones((len(ends), 1, 1))
    verts = np.concatenate([xy, z[..., None]], -1).reshape(-1, 3)
    n, i, j = np.meshgrid(np.arange(len(ends)), np.arange(steps - 1), np.arange(rounds), indexing='ij')
    first, k = n * steps * rounds + i * rounds, (j + 1) % rounds
    faces = np.stack([first + j, first + k, first + k + rounds, first + j + rounds], -1).reshape(-1, 4)
    made = mesh('stitches', verts.tolist(), faces.tolist())
    tone = np.repeat(rng.uniform(0.86, 1.12, len(ends)), steps * rounds)
    return colored(made, surface, lambda points: tone[:, None] * np.array(surface['tone'])[None])


def thread(hex_color):
    """Twisted cotton, a little glossy; its stitches differ a little in tone."""
    made = material('thread', color=linear(hex_color), roughness=0.5, specular=0.35, sheen=0.25)
    made['tone'] = linear(hex_color)
    return made


def embroidery():
    rng = np.random.default_rng(4)
    drawing = Drawing(os.path.join(HERE, 'designs', 'rudy-crest.svg'), (2, 3, 4))  # without its shield
    for number, color in enumerate(drawing.colors):
        if number == CONTOUR:
            sew(contour_stitches(drawing, 0.0072, 0.042), 0.0050, 0.0045, thread(color), rng)
        else:
            angle = {INK: 80, CARAMEL: 100, '#a5662c': 97, '#f8f1e2': 86, '#f1dfbb': 74, '#dfc596': 66}.get(color, 84)
            sew(fill_stitches(drawing, number, angle, 0.0072, 0.060, rng), 0.0053, 0.0055 if color == INK else 0.003, thread(color), rng)
    pencil = material('pencil', color=(0.10, 0.13, 0.22), roughness=0.9)
    for number, lines in drawing.shapes:
        for line in lines if drawing.colors[number] in (INK, CARAMEL) else []:
            line = evenly(line, 0.006, closed=True)
            out = outward_of(line) * UNIT
            shown = drawing.at(line + 3 * out) == CONTOUR if number == CONTOUR else drawing.at(line - 1.5 * out) == number
            shown &= ~is_sewn(line - (0.012, 0))
            points = line + (3 * out if number == CONTOUR else 0)
            runs = np.split(np.arange(len(line)), np.flatnonzero(np.diff(shown.astype(int))) + 1)
            for run in runs:
                if shown[run[0]] and len(run) > 4:
                    paint(tube('pencil', [(*points[i], TOP + 0.0004) for i in run[::2]], 0.0018), pencil)


# --- things ----------------------------------------------------------------------------------------------------------


def woven(color=(0.60, 0.525, 0.43)):
    """Linen so near that its threads are seen."""
    made = material('linen', color=color, roughness=0.95, specular=0.1, sheen=0.25)
    nodes, links = made.node_tree.nodes, made.node_tree.links
    where = nodes.new('ShaderNodeTexCoord').outputs['Object']
    bands = []
    for direction in ('X', 'Y'):
        wave = nodes.new('ShaderNodeTexWave')
        wave.bands_direction = direction
        for key, value in (('Scale', 42), ('Distortion', 1.1), ('Detail', 3), ('Detail Scale', 0.6)):
            wave.inputs[key].default_value = value
        links.new(where, wave.inputs['Vector'])
        bands.append(wave.outputs['Fac'])
    threads = blend(made, *bands, 0.5)
    slubs = blend(made, noise(made, 12, (0.1, 1, 1), 3), noise(made, 12, (1, 0.1, 1), 3), 0.5)
    return textured(made, blend(made, threads, slubs, 0.45), tuple(0.74 * c for c in color), tuple(1.10 * c for c in color), (threads, 0.35, 0.006))


def cloth(surface):
    """Stretched in the hoop, and what lies around it on the bench."""
    paint(sheet('drum', 80, 200, lambda r, c: (
        0.752 * np.sin(np.pi / 2 * r) * np.cos(2 * np.pi * c), 0.752 * np.sin(np.pi / 2 * r) * np.sin(2 * np.pi * c),
        TOP - 0.05 * np.clip((np.sin(np.pi / 2 * r) * 0.752 - 0.735) / 0.017, 0, 1) ** 2,
    ), ring=True), surface)

    def around(r, c):
        a = 2 * np.pi * c
        far = 0.84 + 0.26 * (np.abs(np.cos(a)) ** 5 + np.abs(np.sin(a)) ** 5) ** -0.2 + 0.03 * np.sin(5 * a + 1)
        out = 0.79 + (far - 0.79) * r
        fold = ripple(3.2 * np.cos(a + 0.1 * r), 3.2 * np.sin(a + 0.1 * r), 21, 1.9) + 0.35 * ripple(3.2 * np.cos(a), 3.2 * np.sin(a), 22, 0.7)
        z = 0.012 + 0.021 * np.maximum(fold + 0.4, 0) * np.sin(np.pi * np.clip(r * 0.75 + 0.15, 0, 1))
        return out * np.cos(a), out * np.sin(a), z

    skirt = paint(sheet('around', 70, 720, around, ring=True), surface)
    skirt.modifiers.new('cloth', 'SOLIDIFY').thickness = 0.006


def hoop():
    """The outer ring, its brass screw at the upper right."""
    beech = wood((0.62, 0.40, 0.205), roughness=0.4)
    profile = [(0.752, 0.0), (0.812, 0.0), (0.812, 0.112), (0.752, 0.112), (0.752, 0.0)]
    ring = paint(lathe('hoop', softened(profile, [0, 0.02, 0.02, 0.02, 0], 8), 240), beech)
    brass = material('brass', color=(0.80, 0.55, 0.22), metallic=1, roughness=0.28)
    holder = link('screw', None)
    for x in (-0.055, 0.055):
        box((x, 0.845, 0.056), (0.028, 0.085, 0.085), brass, 0.008).parent = holder
    parts = [tube('screw', [(-0.13, 0.855, 0.056), (0.0, 0.855, 0.056), (0.17, 0.855, 0.056)], 0.014)]
    knob = lathe('knob', softened([(0, 0), (0.038, 0), (0.038, 0.075), (0, 0.075)], 0.01), 60)
    for v in knob.data.vertices:  # milled
        far = math.hypot(v.co.x, v.co.y)
        if far > 0.03:
            v.co.xy *= 1 + 0.05 * math.sin(24 * math.atan2(v.co.y, v.co.x))
    knob.location, knob.rotation_euler = (0.14, 0.855, 0.056), (0, math.radians(90), 0)
    for part in (*parts, knob):
        paint(part, brass).parent = holder
    holder.rotation_euler.z = math.radians(-38)
    return ring


def spool(at, color, turn=(0, 0, 0), full=1.0):
    """A wooden one, wound with thread."""
    maple = wood((0.60, 0.42, 0.25), along=2, roughness=0.5)
    ends = [(0, 0), (0.165, 0), (0.165, 0.045), (0.085, 0.075), (0.085, 0.375), (0.165, 0.405), (0.165, 0.45), (0.035, 0.45), (0.035, 0.3)]
    body = paint(lathe('spool', softened(ends, [0, 0.012, 0.012, 0.01, 0.01, 0.012, 0.012, 0.008, 0], 6), 120), maple)
    turns = np.linspace(0.062, 0.388, 33 * 6)
    swell = 0.085 + (0.055 + 0.008 * np.sin((turns - 0.06) / 0.33 * math.pi)) * full
    wound = lathe('wound', [(r + 0.0042 * abs(math.sin(math.pi * i / 6)), z) for i, (r, z) in enumerate(zip(swell, turns))], 120)
    for v in wound.data.vertices:  # each turn climbs
        v.co.z += 0.005 * math.sin(2 * math.atan2(v.co.y, v.co.x))
    paint(wound, thread(color))
    for part in (body, wound):
        part.location, part.rotation_euler = at, tuple(math.radians(a) for a in turn)


def needle(tip, eye, surface):
    tip, eye = Vector(tip), Vector(eye)
    ahead = (tip - eye).normalized()
    side = Vector((-ahead.y, ahead.x, 0))
    point = lambda along, off=0.0: tuple(eye + ahead * along + side * off)
    length = (tip - eye).length
    paint(tube('needle', [point(0.055), point(length * 0.4), point(length * 0.75), point(length)], 0.0072, [0.85, 1, 0.8, 0.12]), surface)
    for off in (1, -1):  # its eye
        paint(tube('eye', [point(-0.012), point(0.008, off * 0.0075), point(0.042, off * 0.0075), point(0.062)], 0.0042), surface)


def scissors(at, turn):
    """Small ones with gilded handles, a little open."""
    steel = material('steel', color=(0.62, 0.61, 0.59), metallic=1, roughness=0.22)
    gilded = material('gilded', color=(0.92, 0.62, 0.22), metallic=1, roughness=0.25)
    holder = link('scissors', None)
    for side in (1, -1):
        half = link('half', None)
        half.parent, half.rotation_euler.z, half.location.z = holder, math.radians(9 * side), 0.016 + 0.007 * side
        outline = [(0, -0.03), (0.03 * side, 0.0), (0.026 * side, 0.25), (0.004 * side, 0.50), (-0.003 * side, 0.50), (-0.012 * side, 0.2), (-0.02 * side, -0.02)]
        blade = paint(cut('blade', softened([*outline, outline[0]], 0.008)[:-1], lambda x, y, d: 0.010 * np.clip(d / 0.014, 0, 1), 0.006), steel)
        blade.modifiers.new('thick', 'SOLIDIFY').thickness = 0.009
        shank = tube('shank', [(0, 0.0, 0.004), (-0.018 * side, -0.10, 0.006), (-0.055 * side, -0.22, 0.006), (-0.085 * side, -0.31, 0.006)], 0.016, [1.25, 1.1, 0.9, 0.9])
        bpy.ops.mesh.primitive_torus_add(major_radius=0.088, minor_radius=0.0165, major_segments=90, minor_segments=20, location=(-0.125 * side, -0.395, 0.006))
        ring = bpy.context.object
        bpy.ops.object.shade_smooth()
        ring.scale, ring.rotation_euler.z = (0.82, 1.18, 1), math.radians(24 * -side)
        paint(shank, gilded), paint(ring, gilded)
        for part in (blade, shank, ring):
            part.parent = half
    pivot = paint(lathe('pivot', softened([(0, 0), (0.024, 0), (0.024, 0.012), (0, 0.016)], 0.005), 40), gilded)
    pivot.parent, pivot.location.z = holder, 0.030
    holder.location, holder.scale, holder.rotation_euler.z = at, (0.86,) * 3, math.radians(turn)


def build():
    planks(wood((0.185, 0.094, 0.045), roughness=0.45), 0, 1.25, 8, -3.4)
    cloth(woven())
    ring = hoop()
    embroidery()
    steel = material('needle', color=(0.78, 0.77, 0.75), metallic=1, roughness=0.33)
    needle((0.20, -0.60, TOP + 0.008), (0.57, -0.36, TOP + 0.010), steel)
    cotton = thread(CARAMEL)
    path = [(0.13, 0.09, -0.004), (0.16, 0.11, 0.024), (0.29, 0.05, 0.012), (0.43, 0.13, 0.006), (0.61, 0.02, 0.006), (0.51, -0.16, 0.006), (0.60, -0.28, 0.010), (0.548, -0.372, 0.014), (0.50, -0.27, 0.006), (0.38, -0.22, 0.005)]
    path = [(x, y, TOP + z) for x, y, z in path]
    paint(tube('thread', path, 0.0048), cotton)
    spool((-0.52, 1.19, 0), GOLD)
    spool((-0.10, 1.36, 0), NIGHT, (0, 0, 40), 0.8)
    spool((0.46, 1.27, 0.165), CARAMEL, (90, 0, 62))
    scissors((0.68, -0.77, 0.042), -56)
    return [ring]


def light_and_camera(parts):
    ambient(0.23, (1, 0.97, 0.93))
    window(sun(-66, 27, 4.4, softness=3.2, color=(1, 0.88, 0.72)), (0.0, 0.1, 0.1), pane=(1.3, 1.15), panes=(2, 2), bar=0.16, away=9)
    softbox((-4.2, 1.2, 2.6), (0, 0, 0), 2.2, 62, color=(1, 0.90, 0.76))
    softbox((3.4, -3.0, 3.4), (0, 0, 0), 3.2, 22, color=(1, 0.95, 0.9))
    frame(parts, 8, 49, 1.29, (0.02, -0.06, TOP), lens=70, stop=5.6, shift=(0.025, 0.106))


if __name__ == '__main__':
    show('workshop', build, light_and_camera, proportion=1, bright=0.9)
