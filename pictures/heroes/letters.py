"""Pip on a stack of printouts, with a letter in her paws: for the page on which people write to the shop."""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
import example
from clay import *
from example import HEAD, pressed
from sherlock import box, mixed, padded

PAPER, PRINT, GOLD, CHARCOAL = (0.88, 0.83, 0.73), (0.16, 0.13, 0.11), (0.95, 0.62, 0.19), (0.040, 0.036, 0.032)
WIDE, DEEP, THICK = 3.15, 2.5, 0.042  # a sheet
SHEETS = 18
STEP = THICK + 0.004
TOP = SHEETS * STEP  # where the stack ends and she begins
FLAT = Matrix.Rotation(math.pi / 2, 4, 'X')  # what lies in the plane of x and y stands up and faces the viewer


def moved(parts, place):
    for part in parts:
        part.data.transform(place)
    return parts


def solid(size, at, surface, edge=0.02):
    """A box with its shape applied, so that `moved` takes it along."""
    made = box(size, at, 0, surface, edge)
    bpy.context.view_layer.update()
    shaped = bpy.data.meshes.new_from_object(made.evaluated_get(bpy.context.evaluated_depsgraph_get()))
    made.modifiers.clear()
    made.data = shaped
    made.data.transform(made.matrix_basis)
    made.matrix_basis = Matrix.Identity(4)
    return made


def rounded(width, height, radius=0.035):
    """The outline of a card around the origin."""
    corners = [(sx * (width / 2 - radius), sy * (height / 2 - radius), turn) for sx, sy, turn in ((1, -1, -90), (1, 1, 0), (-1, 1, 90), (-1, -1, 180))]
    turns = np.radians(np.linspace(0, 90, 7))
    return np.array([(x + radius * math.cos(t + math.radians(turn)), y + radius * math.sin(t + math.radians(turn))) for x, y, turn in corners for t in turns])


def paw(size, surface, thick=0.09):
    """The brand's paw as a relief, as large as `size`, on the plane of x and y."""
    upper = [(0, 3.6), (-2.1, 3.6), (-4.1, 2.0), (-5.6, -0.3), (-6.8, -3.2), (-6.4, -5.6), (-4.6, -6.5), (-2.6, -6.3), (0, -5.9)]
    outline = softened([*upper, *[(-x, y) for x, y in upper[-2:0:-1]], upper[0]], 1.5, 6)[:-1]
    outline = np.array(outline) * size / 22
    edge = 0.13 * size
    pad = cut('pad', outline, lambda x, y, d: thick * size * np.sqrt(1 - (1 - np.clip(d / edge, 0, 1)) ** 2), size / 40)
    parts = [paint(pad, surface)]
    for side in (1, -1):
        for x, y, turn in ((8.7, 3.5, -24), (3.6, 8.8, -8)):
            parts.append(paint(ball((side * x * size / 22, y * size / 22, 0), (2.15 * size / 22, 3.0 * size / 22, thick * size), (0, 0, side * turn), 4), surface))
    return parts


def seal(size, surface):
    """Wax that ran a little, with the paw pressed into it."""

    def point(r, c):
        turn = 2 * np.pi * c
        rim = 1 + 0.05 * np.cos(5 * turn + 0.4) + 0.035 * np.cos(8 * turn)
        out = np.interp(r, [0, 0.5, 0.62, 0.8, 0.93, 1], [0, 0.66, 0.74, 0.90, 1.0, 1.0])
        high = np.interp(r, [0, 0.5, 0.62, 0.7, 0.8, 0.93, 1], [0.14, 0.14, 0.22, 0.27, 0.26, 0.12, 0])
        ring = 1 + (rim - 1) * np.clip((out - 0.7) / 0.3, 0, 1)
        return size * out * ring * np.cos(turn), size * out * ring * np.sin(turn), size * high

    wax = sheet('wax', 60, 120, point, ring=True)
    finer = wax.modifiers.new('soft', 'SMOOTH')
    finer.factor, finer.iterations = 0.5, 6
    return [paint(wax, surface), *moved(paw(1.12 * size, surface), Matrix.Translation((0, -0.03 * size, 0.14 * size)))]


def envelope(width, height, surface, wax):
    """Its back, with flap and seal; it lies on the plane of x and y."""
    tip = -0.06 * height
    keep = lambda points: points
    low = [[(sx * width / 2, -height / 2), (sx * 0.04 * width, tip)] for sx in (1, -1)]
    body, _ = pressed(rounded(width, height), 0.028, 0.026, keep, [(line, 0.016) for line in low], 0.012)
    flap_outline = softened([(0, height / 2), (-width / 2 + 0.02, height / 2), (0, tip), (width / 2 - 0.02, height / 2), (0, height / 2)], [0, 0.05, 0.13, 0.05, 0], 9)[:-1]
    flap, _ = pressed(np.array(flap_outline), 0.014, 0.014, lambda points: points + (0, 0, 0.034))
    return [paint(body, surface), paint(flap, surface), *moved(seal(0.165 * height / 0.66, wax), Matrix.Translation((0, tip + 0.05, 0.042)))]


def letter(width, height, paper, stamp, ink, gold):
    """Its front: a stamp and an address that nobody can read."""
    body, _ = pressed(rounded(width, height), 0.024, 0.022, lambda points: points)
    parts = [paint(body, paper)]
    parts.append(solid((0.20 * width, 0.24 * width, 0.016), (0.36 * width, height / 2 - 0.18 * width, 0.026), stamp, 0.006))
    for i, share in enumerate((0.36, 0.30, 0.22)):
        parts.append(solid((share * width, 0.032 * width, 0.008), ((share / 2 - 0.16) * width, (-0.02 - 0.10 * i) * width, 0.025), ink, 0.003))
    return [*parts, *moved(paw(0.13 * width, gold, 0.05), Matrix.Translation((0.36 * width, height / 2 - 0.18 * width, 0.034)))]


def printed(seed):
    """Lines of a page as (x, y, half width, half height, color), from its middle."""
    rng = np.random.default_rng(seed)
    left, y = -WIDE / 2 + 0.32, DEEP / 2 - 0.34
    lines = [(left + 0.42, y, 0.42, 0.045, PRINT)]
    y -= 0.26
    while y > -DEEP / 2 + 0.26:
        for i in range(rng.integers(2, 4)):
            half = (WIDE - 0.64) / 2 * (rng.uniform(0.86, 1.0) if i < 2 else rng.uniform(0.35, 0.7))
            lines.append((left + half, y, half, 0.021, PRINT))
            y -= 0.145
        y -= 0.10
    return lines


def page(seed, bend=lambda points: points):
    """A printed sheet; bend(points) lays it into the scene, from the plane of x and y."""
    made = padded(lambda r, c: ((c - 0.5) * WIDE, (0.5 - r) * DEEP, 0 * r), (DEEP, WIDE), THICK, 300, 360)
    lines = printed(seed)

    def look_of(points):
        color = np.array(PAPER) * np.ones((len(points), 1))
        for x, y, wide, high, tone in lines:
            inside = np.clip((wide - np.abs(points[:, 0] - x)) / 0.014 + 0.5, 0, 1) * np.clip((high - np.abs(points[:, 1] - y)) / 0.014 + 0.5, 0, 1)
            color = mixed(color, tone, 0.72 * inside)
        return color

    colored(made, material('page', color=PAPER, roughness=0.75, specular=0.2), look_of)
    points = np.array([v.co[:] for v in made.data.vertices])
    made.data.vertices.foreach_set('co', bend(points).astype(np.float32).ravel())
    return made


def turned(points, at, turn):
    a = math.radians(turn)
    x, y = points[:, 0], points[:, 1]
    return np.column_stack([at[0] + x * math.cos(a) - y * math.sin(a), at[1] + x * math.sin(a) + y * math.cos(a), at[2] + points[:, 2]])


def sliding(at, turn, edge, steep=62, bow=0.40):
    """A sheet that hangs over the front of the stack, at y = edge, down to the ground."""
    ahead = np.linspace(0, 3, 1501)
    lean, out, fall = np.zeros(len(ahead)), np.zeros(len(ahead)), np.zeros(len(ahead))
    for i in range(1, len(ahead)):
        left = max(at[2] - THICK / 2 - fall[i - 1], 0)  # above the ground, near which it bends up again
        lean[i] = min(ahead[i] / bow, math.radians(steep), math.acos(max(1 - left / bow, -1)))
        out[i], fall[i] = out[i - 1] + ahead[1] * math.cos(lean[i]), fall[i - 1] + ahead[1] * math.sin(lean[i])

    def bend(points):
        flat = turned(points * (1, 1, 0), at, turn)
        over = np.clip(edge - flat[:, 1], 0, None)
        tilt = np.interp(over, ahead, lean)
        y = np.where(over > 0, edge - np.interp(over, ahead, out), flat[:, 1])
        z = flat[:, 2] - np.interp(over, ahead, fall)
        return np.column_stack([flat[:, 0], y - points[:, 2] * np.sin(tilt), z + points[:, 2] * np.cos(tilt)])

    return bend


def curled(at, turn):
    """A sheet on the ground whose right front corner curls up."""

    def bend(points):
        corner = np.clip((points[:, 0] / WIDE - points[:, 1] / DEEP) - 0.52, 0, None)
        return turned(points + np.outer(1.7 * corner**1.8, (-0.25, 0.25, 1)), at, turn)

    return bend


def stack():
    rng = np.random.default_rng(11)
    made = []
    for i in range(1, SHEETS - 1):  # the first is the one that was pulled out
        tone = np.array(PAPER) * rng.uniform(0.90, 1.02)
        if i in (4, 11):
            tone = (0.80, 0.62, 0.33) if i == 4 else (0.70, 0.47, 0.40)
        surface = material('paper', color=tuple(tone), roughness=0.78, specular=0.18)
        at = (rng.uniform(-0.09, 0.09), 0.02 + rng.uniform(-0.09, 0.09), (i + 0.5) * STEP)
        turn = rng.uniform(-3.5, 3.5) if i not in (3, 8, 13) else (-8, 8, -7)[(i - 3) // 5]
        made.append(box((WIDE, DEEP, THICK), at, turn, surface, 0.014))
    made.append(page(3, lambda points: turned(points, (0, 0, TOP - THICK / 2), 2)))
    return made


def pencil(at, turn, surfaces):
    lacquer, gold, wood, lead, rubber = surfaces
    place = Matrix.Translation(at) @ Matrix.Rotation(math.radians(turn), 4, 'Z') @ Matrix.Rotation(math.pi / 2, 4, 'Y') @ Matrix.Rotation(math.radians(15), 4, 'Z')
    body = lathe('pencil', [(0.001, 0), (0.072, 0), (0.072, 1.32)], 6)
    body.data.polygons.foreach_set('use_smooth', [False] * len(body.data.polygons))
    cone = lathe('cone', [(0.070, 1.32), (0.020, 1.55)], 48)
    point = lathe('lead', [(0.0205, 1.548), (0.006, 1.60), (0.0005, 1.604)], 32)
    band = lathe('band', softened([(0.001, -0.14), (0.075, -0.14), (0.075, 0.02), (0.001, 0.02)], 0.012), 48)
    end = lathe('rubber', softened([(0.001, -0.27), (0.066, -0.27), (0.066, -0.13)], 0.03), 48)
    parts = [paint(body, lacquer), paint(cone, wood), paint(point, lead), paint(band, gold), paint(end, rubber)]
    return moved(parts, place)


def rack(at, turn, surfaces):
    """Letters that wait, between brass bows on a walnut foot."""
    walnut, gold, stamp, ink, papers = surfaces
    parts = [solid((1.25, 0.62, 0.13), (0, 0, 0.085), walnut, 0.035)]
    for sx in (-0.5, 0.5):
        for sy in (-0.2, 0.2):
            parts.append(paint(ball((sx, sy, 0.025), (0.06, 0.06, 0.035), detail=4), gold))
    for y, high in ((-0.22, 0.50), (0.03, 0.62), (0.24, 0.74)):
        a = np.linspace(0, math.pi, 17)
        bow = [(-0.46, y, 0.14), *[(-0.46 * math.cos(t), y, 0.14 + (high - 0.14) * math.sin(t) ** 0.75) for t in a[1:-1]], (0.46, y, 0.14)]
        parts.append(paint(tube('bow', bow, 0.026), gold))
    for i, (x, y, wide, high, lean, roll) in enumerate(((0.04, 0.145, 1.18, 0.86, -7, 2), (-0.05, -0.085, 1.08, 0.74, -8, -4))):
        upright = Matrix.Translation((x, y, 0.16 + high / 2)) @ Matrix.Rotation(math.radians(roll), 4, 'Y') @ Matrix.Rotation(math.radians(lean), 4, 'X') @ FLAT
        parts += moved(letter(wide, high, papers[i], stamp, ink, gold), upright)
    return moved(parts, Matrix.Translation(at) @ Matrix.Rotation(math.radians(turn), 4, 'Z') @ Matrix.Scale(1.2, 4))


def hand_stamp(at, turn, walnut, gold):
    handle = [(0.001, 0.86), (0.10, 0.85), (0.15, 0.76), (0.155, 0.68), (0.11, 0.56), (0.075, 0.44), (0.085, 0.32), (0.15, 0.25), (0.17, 0.20), (0.17, 0.16), (0.001, 0.16)]
    wood = lathe('handle', softened(handle, 0.05, 6), 96)
    foot = lathe('foot', softened([(0.001, 0.17), (0.27, 0.17), (0.29, 0.0), (0.001, 0.0)], 0.03), 96)
    return moved([paint(wood, walnut), paint(foot, gold)], Matrix.Translation(at) @ Matrix.Rotation(math.radians(turn), 4, 'Z'))


def build():
    gold = material('gold', color=GOLD, roughness=0.24, metallic=1)
    ink = material('ink line', color=(0.10, 0.08, 0.07), roughness=0.7)
    walnut = material('walnut', color=(0.115, 0.047, 0.022), roughness=0.32, coat=0.35)
    night = material('night', color=CHARCOAL, roughness=0.6, specular=0.3)
    ivory = material('ivory', color=(0.86, 0.79, 0.66), roughness=0.7, specular=0.2)
    blue = material('blue', color=(0.16, 0.235, 0.30), roughness=0.7, specular=0.2)
    rose = material('rose stamp', color=(0.56, 0.17, 0.12), roughness=0.6)
    lacquer = material('lacquer', color=(0.78, 0.42, 0.06), roughness=0.3, coat=0.4)
    maple = material('maple', color=(0.72, 0.50, 0.28), roughness=0.6)
    lead = material('lead', color=(0.03, 0.03, 0.03), roughness=0.4)
    rubber = material('rubber', color=example.PINK, roughness=0.6)

    parts = stack()
    parts.append(page(5, sliding((-1.02, -1.06, TOP + THICK / 2 + 0.002), -14, -1.42)))
    parts.append(page(8, curled((1.72, -1.22, THICK / 2), 15)))

    def pip():
        example.sitter()
        hold = HEAD @ Matrix.Translation((0.10, -1.36, -0.73)) @ Matrix.Rotation(math.radians(-9), 4, 'Z') @ Matrix.Rotation(math.radians(-13), 4, 'X') @ Matrix.Rotation(math.radians(6), 4, 'Y') @ FLAT
        moved(envelope(1.22, 0.74, night, gold), hold)

    parts += placed(pip, -0.25, 0.14, TOP + THICK - example.TOP + 0.004, 0, 1)
    parts += rack((-2.62, 0.2, 0), 16, (walnut, gold, rose, ink, (blue, ivory)))
    parts += hand_stamp((2.42, 0.25, 0), 0, walnut, gold)
    parts += moved(paw(0.46, rose, 0.03), Matrix.Translation((2.42, -0.78, THICK - 0.002)) @ Matrix.Rotation(math.radians(22), 4, 'Z'))
    parts += pencil((1.15, -1.72, 0.115), 9, (lacquer, gold, maple, lead, rubber))
    return parts


if __name__ == '__main__':
    show('letters', build, backdrop=(0.66, 0.37, 0.285), shift=-0.03, margin=1.2, elevation=16)
