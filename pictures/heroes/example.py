"""Pip in the meadow with a leaf that she has begun, for her collection and the home page."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
from clay import *

CREAM, GINGER, BROWN, PINK = (0.90, 0.80, 0.62), (0.50, 0.205, 0.048), (0.125, 0.052, 0.024), (0.72, 0.27, 0.20)
PETAL, YOLK, INK, TOOTH = (0.92, 0.87, 0.76), (0.78, 0.38, 0.045), (0.022, 0.019, 0.018), (0.93, 0.90, 0.82)
LEAF, VEIN, MEADOW = (0.105, 0.25, 0.05), (0.50, 0.60, 0.28), (0.21, 0.36, 0.085)
TOP = 0.26  # where the meadow ends and she begins
UNIT = 1 / 165  # of her drawing, whose ball is 392 wide
AT = Vector((0.25, 0.1, TOP + 1.17))
HEAD = Matrix.Translation(AT) @ Euler([math.radians(a) for a in (-5, -3, -2)]).to_matrix().to_4x4()
CLAY = dict(roughness=0.48, specular=0.4, coat=0.1)


def drawn(path):
    """Bezier curves of a drawing as points (x, z) on her: [start, (c1, c2, end), ...]."""
    here, line = path[0], []
    for c1, c2, end in path[1:]:
        line += bezier(here, c1, c2, end)[:-1].tolist()
        here = end
    return np.array([*line, here]) * (UNIT, -UNIT)


def pressed(outline, thick, edge, place, veins=(), groove=0.0, spacing=0.011):
    """A flat piece of clay with round edges and pressed veins; place(points) puts it into the scene. Returns it and how far it is to veins."""
    half = cut('half', outline, lambda x, y, d: thick * np.sqrt(1 - (1 - np.clip(d / edge, 0, 1)) ** 2), spacing)
    points = np.array([v.co[:] for v in half.data.vertices])
    faces = [tuple(f.vertices) for f in half.data.polygons]
    bpy.data.objects.remove(half)
    far = np.full(len(points), 9.0)
    for vein, width in veins:
        far = np.minimum(far, line_distance(np.asarray(vein, float), points[:, :2]) / width)
    upper = points.copy()
    upper[:, 2] -= groove * np.exp(-((far * 1.2) ** 2)) * (points[:, 2] > thick * 0.8)
    both = place(np.vstack([upper, points * (1, 1, -1)]))
    made = mesh('pressed', both.tolist(), [*faces, *(tuple(i + len(points) for i in reversed(f)) for f in faces)])
    return made, np.concatenate([far, np.full(len(points), 9.0)])


def framed(at, toward, turn=0.0):
    """A place whose local z looks `toward`."""
    return Matrix.Translation(at) @ Vector(toward).to_track_quat('Z', 'Y').to_matrix().to_4x4() @ Matrix.Rotation(math.radians(turn), 4, 'Z')


def daisy(at, toward, size, petals, surfaces, turn=0.0, seed=1, gone=()):
    rng = np.random.default_rng(seed)
    place = framed(at, toward, turn)
    white, yolk = surfaces
    parts = []
    for i in range(petals):
        petal = ball((0, 0.60, 0.02), (1.75 / petals + 0.02, 0.36, 0.085), detail=4)
        for v in petal.data.vertices:
            v.co.z += 0.22 * (v.co.y - 0.35) ** 2 * rng.uniform(0.98, 1.02)  # curls up, not quite evenly
            v.co.x *= 0.72 + 0.42 * v.co.y  # wider outside
        lift = Matrix.Rotation(math.radians(rng.uniform(4, 12)), 4, 'X')
        around = Matrix.Rotation(2 * math.pi * (i + rng.uniform(-0.07, 0.07)) / petals, 4, 'Z')
        petal.data.transform(place @ Matrix.Scale(size, 4) @ around @ lift)
        if i not in gone:
            parts.append(paint(petal, white))
        else:
            bpy.data.objects.remove(petal)
    heart = ball((0, 0, 0.06), (0.31, 0.31, 0.19), detail=4)
    heart.data.transform(place @ Matrix.Scale(size, 4))
    return [*parts, paint(heart, yolk)]


def stem(foot, at, toward, radius, surface, bow=0.12):
    """From the ground into the back of a flower."""
    foot, at = Vector(foot), Vector(at)
    back = at - Vector(toward).normalized() * 0.22
    middle = (foot + back) / 2 + Vector((bow, 0, 0.05))
    return paint(tube('stem', [foot, middle, back, at], radius, [1.25, 1, 0.9, 0.8]), surface)


def blade(at, lean, height, width, surface):
    """Grass: a soft pointed roll."""
    x, y, z = at
    points = [(x, y, z - 0.08), (x + lean[0] * 0.3, y + lean[1] * 0.3, z + height * 0.55), (x + lean[0], y + lean[1], z + height)]
    made = clay(limb(points, [width, width * 0.8, width * 0.28]), 0.012, 3)
    return paint(made, surface)


def clover(at, size, turn, green):
    right = [(0, 0), ((0.30, 0.22), (0.62, 0.60), (0.48, 0.92)), ((0.38, 1.12), (0.08, 1.08), (0, 0.86))]
    half = drawn(right) * (size / UNIT, -size / UNIT)
    outline = np.vstack([half, half[-2:0:-1] * (-1, 1)])
    place = framed(at, (0, -0.35, 1), turn)
    parts = []
    for i in range(3):
        matrix = np.array(place @ Matrix.Rotation(2 * math.pi * i / 3, 4, 'Z') @ Matrix.Rotation(math.radians(13), 4, 'X'))

        def put(points):
            bent = points + np.outer(0.45 * np.abs(points[:, 0]) ** 1.4, (0, 0, 1))
            return bent @ matrix[:3, :3].T + matrix[:3, 3]

        arc = [(t * 0.42 * size, (0.60 - 0.16 * t * t) * size) for t in np.linspace(-1, 1, 9)]
        leaflet, far = pressed(outline, 0.03, 0.035, put, [(arc, 0.024)], 0.004, 0.013)
        pale = np.exp(-(np.minimum(far, 4) ** 2))[:, None]
        surface = material('clover', color=LEAF, roughness=0.5, specular=0.4, coat=0.1)
        colored(leaflet, surface, lambda points: np.array(LEAF) * 1.15 * (1 - 0.55 * pale) + np.array(VEIN) * 0.55 * pale)
        parts.append(leaflet)
    foot = Vector((at[0], at[1], TOP - 0.1))
    return [*parts, paint(tube('stem', [foot, (foot + Vector(at)) / 2 + Vector((0.02, 0, 0)), at], 0.022), green)]


def meadow(surface):
    """A slab of clay with a round rim, flat in the middle where she sits."""

    def point(r, c):
        turn = 2 * np.pi * c
        rim = 1 + 0.035 * np.cos(3 * turn + 0.6) + 0.025 * np.cos(5 * turn + 2)
        a = np.clip((r - 0.4) / 0.6, 0, 1) * np.pi  # over the top, down the rim and below
        out = np.where(r < 0.4, r / 0.4 * 0.93, 0.93 + 0.07 * np.sin(a)) * rim
        x, y = 3.0 * out * np.cos(turn), -0.1 + 1.7 * out * np.sin(turn)
        away = np.clip((np.hypot(x - 0.2, (y + 0.2) * 1.1) - 1.6) / 0.8, 0, 1)
        z = TOP / 2 + TOP / 2 * np.where(r < 0.4, 1, np.cos(a)) + (r < 0.7) * 0.022 * ripple(x, y, 4, 1.1) * away * np.clip((0.98 - out / rim) / 0.1, 0, 1)
        return x, y, z

    return paint(sheet('meadow', 150, 240, point, ring=True), surface)


def flower_surfaces():
    return material('petal', color=PETAL, **CLAY), material('yolk', color=YOLK, roughness=0.55, grain=(26, 0.2, 0.03, 'pile'))


def sitter():
    """Pip alone, with a daisy by her ear and her paws around what another function makes; what she sits on ends at TOP."""
    fur, skin = material('fur', color=CREAM, roughness=0.6, specular=0.3, coat=0.03), material('skin', color=PINK, **CLAY)
    dark = material('ink', color=INK, roughness=0.32, coat=0.3)
    eye = material('eye', color=(0.028, 0.014, 0.009), roughness=0.22, coat=0.4)
    glint = material('glint', color=(0.95, 0.93, 0.88), roughness=0.3)
    tooth = material('tooth', color=TOOTH, roughness=0.25, coat=0.3)

    local = [
        ((0, 0.05, 0.03), (1.23, 1.06, 1.19)),
        ((0, -0.02, -0.29), (1.29, 1.14, 0.94)),
        ((0, -0.06, -0.62), (1.16, 1.08, 0.64)),
        ((0.62, -0.66, -0.26), (0.52, 0.47, 0.42)),
        ((-0.56, -0.62, -0.22), (0.48, 0.42, 0.38)),
        ((0, -0.74, 0.08), (0.44, 0.34, 0.40)),
        ((0.15, -1.02, -0.20), (0.25, 0.20, 0.18)),
        ((-0.15, -1.02, -0.20), (0.25, 0.20, 0.18)),
        ((0, -0.98, -0.36), (0.20, 0.17, 0.12)),
    ]
    body = [ball(center, radii) for center, radii in local]
    for points, radii in (
        ([(-0.25, -0.12, 1.00), (-0.33, -0.14, 1.18), (-0.44, -0.17, 1.27), (-0.56, -0.20, 1.29)], [0.21, 0.14, 0.10, 0.045]),
        ([(-0.10, -0.14, 1.04), (-0.15, -0.18, 1.30), (-0.11, -0.25, 1.47), (0.01, -0.33, 1.59)], [0.27, 0.20, 0.135, 0.045]),
        ([(0.14, -0.10, 1.04), (0.18, -0.13, 1.24), (0.27, -0.18, 1.37), (0.43, -0.24, 1.43)], [0.25, 0.18, 0.12, 0.045]),
        ([(-0.66, -0.80, -0.62), (-0.48, -1.12, -0.66), (-0.28, -1.33, -0.67)], [0.22, 0.17, 0.13]),
        ([(1.02, -0.72, -0.42), (0.93, -1.20, -0.50), (0.54, -1.48, -0.67)], [0.24, 0.175, 0.125]),
    ):
        body += limb(points, radii)
    for part in body:
        part.data.transform(HEAD)
    pip = clay(body, 0.015, 9)
    for v in pip.data.vertices:
        v.co.z = max(v.co.z, TOP - 0.01)  # she sits on something, not in it
    inverse = np.array(HEAD.inverted())

    ginger = drawn([(-20, -300), ((-40, -150), (-26, -90), (-30, -40)), ((-60, -10), (-130, 40), (-300, 20)), ((-300, -100), (-300, -200), (-300, -300))])
    brown = drawn([(30, -300), ((50, -160), (34, -100), (40, -56)), ((62, -22), (104, 6), (150, -30)), ((200, -48), (250, -56), (300, -60)), ((300, -100), (300, -200), (300, -300))])
    hip = drawn([(-300, 96), ((-180, 90), (-150, 120), (-130, 170)), ((-140, 200), (-150, 220), (-160, 300)), ((-200, 300), (-250, 300), (-300, 300))])
    flank = drawn([(300, 60), ((190, 60), (150, 110), (150, 200)), ((150, 220), (150, 240), (150, 300)), ((200, 300), (250, 300), (300, 300))])

    def inside(outline, flat):
        far = line_distance(outline, flat, closed=True)
        return np.clip(np.where(within(outline, flat), far, -far) / 0.035 + 0.5, 0, 1)

    def coat(points):
        face = points @ inverse[:3, :3].T + inverse[:3, 3]
        flat = face[:, [0, 2]]
        color = np.array(CREAM) * np.ones((len(points), 1))
        tuft = np.clip((face[:, 2] - 1.19) / 0.05 + 0.5, 0, 1) + blob(face, (0, -0.1, 1.20), (0.35, 0.5, 0.30), 0.06)
        arm = np.clip((-1.06 - face[:, 1]) / 0.05 + 0.5, 0, 1) * (face[:, 2] < -0.4)
        for outline, tone in ((ginger, GINGER), (brown, BROWN), (hip, BROWN), (flank, GINGER)):
            part = (inside(outline, flat) * (1 - np.clip(tuft, 0, 1)) * (1 - arm))[:, None]
            color = color * (1 - part) + np.array(tone) * part
        for side in (1, -1):  # flushed from eating
            blush = 1.2 * np.clip(1.25 - np.linalg.norm((flat - (side * 0.68, -0.09)) / (0.165, 0.10), axis=1), 0, 0.5)[:, None]
            blush = blush * (face[:, 1] < 0)[:, None]
            color = color * (1 - blush) + np.array(PINK) * blush
        return color

    colored(pip, fur, coat)
    face = Face(pip, HEAD)
    parts = [pip]

    # the face
    for side, lift in ((1, -0.01), (-1, 0.08)):
        x, z = side * 0.50, 0.25
        parts.append(face.knob(x, z, (0.188, 0.09, 0.20), eye, -0.005))
        for dx, dz, size in ((-0.055, 0.065, 0.052), (0.055, -0.06, 0.024)):
            # on the ball of the eye, so that both eyes are lit from the same side
            out = 0.085 * math.sqrt(1 - (dx / 0.188) ** 2 - (dz / 0.20) ** 2)
            spot = ball((dx, -out, dz), (size, 0.014, size * 1.05), detail=4)
            spot.data.transform(Matrix.Translation(face.at(x, z, -0.005)) @ HEAD.to_3x3().to_4x4())
            parts.append(paint(spot, glint))
        parts.append(face.line([(side * (0.50 + 0.12 * t), 0.545 + lift - 0.05 * t * t) for t in np.linspace(-1, 1, 9)], 0.024, dark))
        for start, end in (((0.50, -0.15), (0.86, -0.09)), ((0.50, -0.205), (0.89, -0.19)), ((0.52, -0.26), (0.86, -0.29))):
            t = np.linspace(0, 1, 7)
            hair = np.outer(1 - t, start) + np.outer(t, end) + np.outer(0.09 * t * (1 - t), (0, 1))
            parts.append(face.line(hair * (side, 1), 0.0105, dark))
        parts.append(face.line([(side * px, pz) for px, pz in ((0.008, -0.235), (0.06, -0.285), (0.14, -0.285), (0.21, -0.235))], 0.015, dark))
    parts.append(face.line([(0, z) for z in np.linspace(-0.12, -0.24, 5)], 0.014, dark))
    parts.append(face.knob(0, -0.04, (0.175, 0.095, 0.12), skin, 0.01))
    for side in (1, -1):
        parts.append(face.knob(side * 0.048, -0.335, (0.052, 0.036, 0.095), tooth, 0.05))

    # ears: cupped, pink inside
    for side, tone in ((1, BROWN), (-1, GINGER)):
        ear = ball((0, 0, 0), (0.37, 0.10, 0.33), detail=5)
        flat = np.array([v.co[:] for v in ear.data.vertices])
        deep_in = np.clip(1 - np.hypot(flat[:, 0] / 0.28, flat[:, 2] / 0.25), 0, 1)
        for v, d, p in zip(ear.data.vertices, deep_in, flat):
            if p[1] < 0:
                v.co.y += 0.17 * min(d * 1.6, 1) * (1 - 0.25 * min(d * 1.6, 1))
            v.co.z *= 0.86 + 0.30 * v.co.x / 0.37  # narrower where it grows out
        pink = np.clip(deep_in / 0.05, 0, 1) * (flat[:, 1] < 0)
        tilted = Euler([math.radians(a) for a in (-6, -24, 10)]).to_matrix().to_4x4()
        ear.data.transform(HEAD @ Matrix.Translation((side * 1.02, 0.06, 0.80)) @ Matrix.Scale(side, 4, (1, 0, 0)) @ tilted)
        if side < 0:
            ear.data.flip_normals()
        surface = material('ear', color=tone, roughness=0.6, specular=0.3)
        colored(ear, surface, lambda points: np.array(tone) * (1 - pink[:, None]) + np.array(PINK) * pink[:, None])
        parts.append(ear)

    # paws and feet
    for x, y, z, turn in ((-0.19, -1.41, -0.68, 20), (0.38, -1.53, -0.70, -14)):
        fingers = [ball((dx, -0.04, dz), (0.056, 0.075, 0.085), detail=4) for dx, dz in ((-0.085, 0.065), (0, 0.097), (0.085, 0.065))]
        paw = clay([ball((0, 0, 0), (0.15, 0.11, 0.15), detail=4), *fingers], 0.01, 3)
        paw.data.transform(HEAD @ Matrix.Translation((x, y, z)) @ Matrix.Rotation(math.radians(turn), 4, 'Y'))
        parts.append(paint(paw, skin))
    for side in (1, -1):
        toes = [ball((dx, dy, 0.10), (0.095, 0.14, 0.105), detail=4) for dx, dy in ((-0.17, -0.27), (0, -0.33), (0.17, -0.27))]
        foot = clay([ball((0, 0, 0.12), (0.27, 0.36, 0.15), detail=4), *toes], 0.012, 4)
        foot.data.transform(Matrix.Translation((AT.x + side * 0.60, AT.y - 0.98, TOP - 0.01)) @ Matrix.Rotation(math.radians(side * 16), 4, 'Z'))
        parts.append(paint(foot, skin))

    # her flower
    bloom = HEAD @ Vector((0.70, -0.42, 0.98))
    parts += daisy(bloom, HEAD.to_3x3() @ Vector((0.50, -0.72, 0.50)), 0.37, 6, flower_surfaces(), 12, 3)
    return parts


def bitten_leaf():
    """The leaf in her paws, bitten where her mouth is."""
    whole = [((40, 42), (96, 62), (138, 104)), ((176, 142), (200, 190), (262, 196)), ((236, 236), (168, 250), (104, 222)), ((58, 202), (12, 176), (-8, 128))]
    bites = [((-2, 118), (6, 116), (8, 108)), ((-6, 106), (-18, 98), (-20, 88)), ((-8, 86), (0, 80), (0, 72)), ((-6, 68), (-12, 64), (-14, 58))]
    outline = drawn([(-14, 58), *whole, *bites])
    rib = drawn([(4, 84), ((60, 110), (110, 160), (150, 190)), ((190, 206), (220, 204), (250, 199))])
    side_veins = [
        drawn([(60, 122), ((80, 116), (100, 112), (118, 108))]), drawn([(110, 160), ((130, 156), (146, 152), (164, 148))]),
        drawn([(62, 124), ((66, 146), (70, 166), (84, 190))]), drawn([(112, 162), ((118, 180), (128, 200), (142, 218))]),
    ]
    turned, tip_up = np.array(HEAD), math.radians(17)

    def hold(points):
        x = -0.06 + points[:, 0] * math.cos(tip_up) - (points[:, 1] + 0.4) * math.sin(tip_up)
        z = -0.475 + points[:, 0] * math.sin(tip_up) + (points[:, 1] + 0.4) * math.cos(tip_up)
        y = -1.25 + 0.04 * (x - 0.1) ** 2 + 0.24 * (z + 0.35) - points[:, 2]
        return np.stack([x, y, z], -1) @ turned[:3, :3].T + turned[:3, 3]

    leaf, far = pressed(outline, 0.032, 0.036, hold, [(rib, 0.02), *((v, 0.013) for v in side_veins)], 0.012)
    pale = np.exp(-(np.minimum(far, 4) ** 2) * 1.2)[:, None]
    colored(leaf, material('leaf', color=LEAF, **CLAY), lambda points: np.array(LEAF) * (1 - 0.8 * pale) + np.array(VEIN) * 0.8 * pale)
    return leaf


def build():
    petal, yolk = flower_surfaces()
    green = material('green', color=(0.13, 0.27, 0.06), **CLAY)
    grass = material('grass', color=(0.20, 0.38, 0.09), **CLAY)
    turf = material('turf', color=MEADOW, roughness=0.6, specular=0.3, grain=(7, 0.12, 0.05, 'pile'))
    parts = [meadow(turf), *sitter(), bitten_leaf()]
    for x, y, height, size, petals, seed, lean in (
        (-2.25, 0.30, 1.20, 0.44, 9, 5, -0.3), (-1.62, -0.30, 0.72, 0.33, 8, 6, 0.1), (-2.62, -0.45, 0.52, 0.28, 8, 7, -0.2),
        (2.30, 0.35, 0.98, 0.40, 9, 8, 0.3), (2.72, -0.35, 0.48, 0.28, 8, 9, 0.2),
    ):
        toward = Vector((-0.16 * x, -1, 0.55))  # they look at her
        head_at = (x + lean * 0.4, y - 0.08, TOP + height)
        parts += daisy(head_at, toward, size, petals, (petal, yolk), seed * 20, seed, (5, 6, 7) if seed == 6 else ())
        parts.append(stem((x, y, TOP - 0.08), head_at, toward, 0.034, green, bow=-lean * 0.25))
    # one daisy came before the leaf
    for x, y, turn in ((-1.22, -1.30, 40), (-0.80, -1.36, -50)):
        fallen = ball((0, 0, 0), (0.075, 0.14, 0.028), detail=4)
        fallen.data.transform(Matrix.Translation((x, y, TOP + 0.028)) @ Matrix.Rotation(math.radians(turn), 4, 'Z') @ Matrix.Rotation(0.06, 4, 'X'))
        parts.append(paint(fallen, petal))
    for x, y, up, size, turn in ((-1.52, -0.90, 0.22, 0.31, 20), (-2.02, -0.75, 0.15, 0.25, 70), (2.3, -0.92, 0.13, 0.25, 50)):
        parts += clover((x, y, TOP + up), size, turn, green)
    rng = np.random.default_rng(2)
    for x, y in ((-2.45, 0.15), (-1.85, -0.05), (2.5, 0.1), (2.5, -0.6), (-1.3, 0.8), (1.75, 0.6)):
        for _ in range(3):
            foot = (x + rng.uniform(-0.1, 0.1), y + rng.uniform(-0.08, 0.08), TOP)
            lean = (rng.uniform(-0.2, 0.2), rng.uniform(-0.06, 0.03))
            parts.append(blade(foot, lean, rng.uniform(0.26, 0.46), 0.045, grass))
    return parts


if __name__ == '__main__':
    show('example', build, backdrop=(0.56, 0.71, 0.65), margin=1.45)
