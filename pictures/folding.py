"""A shirt folded as in a shop, on a table: its sleeves lie behind from the shoulders on, and its lower half under them."""

from rooms import *
from shirt import armhole, dip, shoulder_seam, without_print

SHOULDER_SIDE, SIDE, SIDE_ROUND = 0.625, 0.535, 0.026  # half as wide at the shoulders, so that their seams are seen, and below; how round the cloth turns
LOWER, LOWER_ROUND = -0.375, 0.052
UNIT = 3.6  # a shirt's unit in the room's


def turned_under(past, bend, level):
    """Cloth that goes `past` a fold, at `level` over the cloth's middle: how far outside the fold it is, and how high."""
    angle = np.clip(past / bend, 0, math.pi)
    beyond = np.maximum(0, past - math.pi * bend)
    inside = past <= 0
    return np.where(inside, past, (bend + level) * np.sin(angle) - beyond), np.where(inside, level, -bend + (bend + level) * np.cos(angle))


def lower_edge(x):
    return 0.010 * ripple(x, 0 * x, 33, 1.0)


def lower_bend(x):
    return LOWER_ROUND * (1 + 0.10 * ripple(x, 0 * x, 34, 0.7))


def sewn_in(x, y):
    """What a sleeve's and a shoulder's seam are above the cloth."""
    half = np.column_stack([np.abs(x), y])
    sleeve, shoulder = line_distance(armhole(), half), line_distance(shoulder_seam(), half)
    seams = -0.0052 * dip(sleeve, 0, 0.0052) + 0.0020 * dip(sleeve, 0.014, 0.009)
    return seams - 0.0036 * dip(shoulder, 0, 0.0050) + 0.0016 * dip(shoulder, 0.013, 0.007)


def folded(x, y, z, kind='front'):
    """Where a point of the flat shirt is then; `kind` of part it belongs to."""
    side, out = np.where(x < 0, -1, 1), np.abs(x)
    # no edge is quite straight, nor equally pressed
    rise = np.clip((y - LOWER) / (0.83 - LOWER), 0, 1)
    edge = SIDE + (SHOULDER_SIDE - SIDE) * (0.35 * rise + 0.65 * rise * rise) + 0.006 * ripple(y, 0.7 * side, 31, 0.9)
    edge = edge - 0.02 * np.exp(-((np.maximum(0, y - LOWER) / 0.10) ** 2))  # its corners are round
    bend = SIDE_ROUND * (1.1 + 0.22 * ripple(y, side, 32, 0.55))
    # the cloth's own folds are pressed flat towards it: they would dent the edge; its seams are not
    near = np.clip((out - edge + 0.14) / 0.14, 0, 1)
    near = near * near * (3 - 2 * near)
    flat = {'back': 0.004, 'stitches': 0.0155}.get(kind, 0.012)
    pressed = z + 0.9 * near * (flat + (sewn_in(x, y) if kind != 'back' else 0) - z)
    past, high = turned_under(out - edge, bend, pressed)
    there = edge + past
    # the left side goes over the right one
    high = np.where(out - edge > math.pi * bend, high - 0.012 * (side > 0) * np.clip((out - edge - math.pi * bend) / 0.2, 0, 1), high)
    low = LOWER + lower_edge(x)
    bend = lower_bend(x)
    high = np.maximum(high * (1 - 0.35 * np.clip((low - y + 0.12) / 0.12, 0, 1)), -0.9 * bend)
    past, high = turned_under(low - y, bend, high)
    far = low - past
    # what lies on top sinks towards the edges
    sunk = np.exp(-((np.maximum(0, edge - there) / 0.13) ** 2)) + 0.2 * np.exp(-((np.maximum(0, far - LOWER) / 0.15) ** 2))
    top = np.clip((high + 0.03) / 0.03, 0, 1)
    return np.column_stack([side * there, far, high - 0.012 * sunk * top])


def tail(layer):
    """The lowest layers: the shirt's hem, turned under once more and again. They touch what lies on them all along: no gap is seen between."""

    def point(r, c):
        x = (c - 0.5) * 2 * (SIDE - 0.026 - 0.012 * layer)
        bend = 0.019 * (1 + 0.15 * ripple(x, 0 * x, 35 + layer, 0.6))
        past, high = turned_under((r - 0.5) * 1.2, bend, 0 * x)
        front = LOWER - 0.024 - 0.026 * layer + lower_edge(x) + 0.005 * ripple(x, 0 * x, 38 + layer, 0.6) + 0.05 * np.exp(-(SIDE - 0.02 - np.abs(x)) / 0.04)
        return x, front - past, 0.008 - 2 * lower_bend(x) - 0.036 * layer + high + 0.001 * ripple(x, r, 37, 0.5)

    return paint(sheet('tail', 90, 120, point), bpy.data.materials['inside'])


def laid_on_table(kind):
    """The shirt of that kind, folded, beside a cup of coffee by a window."""
    parts = without_print(product(kind).build())
    for part in parts:
        spots = np.array([v.co[:] for v in part.data.vertices]) + np.array(part.location)
        part.location = (0, 0, 0)
        part.data.vertices.foreach_set('co', folded(*spots.T, part.name.split('.')[0]).astype(np.float32).ravel())
        part.data.update()
    parts += [tail(0), tail(1)]
    rests = -UNIT * min(min(v.co.z for v in part.data.vertices) for part in parts)
    bring(parts, 36, at=(0, -1.0, rests), turn=(0, 0, 6))
    planks(wood(OAK, roughness=0.42), 0, 2.4, 8, -9.0, thick=0.3)
    wall(plaster(), 12)
    cup((2.90, 1.95, 0))
    book((-2.95, 3.45, 0), (2.1, 1.5, 0.22), (0.10, 0.15, 0.17), 12)
    plant((-2.2, 5.6, 0), 2.6, seed=9, pot=(0.62, 0.57, 0.50))
    ambient(0.34, (0.95, 0.975, 1))
    window(sun(-52, 32, 3.1), (2.4, 1.7, 0), pane=(5.0, 5.2), bar=0.4, leaves=9, seed=4)
    softbox((-8, -2, 6), (0, 0, 0), 5, 330)
    return frame(parts, -5, 37, 1.2, (0, -1, 0.2), lens=70, stop=11, near=((0.12, 0.05, 0), 3.25))


def cup(at):
    """Of white stoneware on its saucer, 8 cm across, with coffee."""
    glazed = material('stoneware', color=(0.74, 0.71, 0.66), roughness=0.3)
    form = softened([(0, 0.10), (0.24, 0.10), (0.40, 0.75), (0.365, 0.75), (0.22, 0.16), (0, 0.16)], [0, 0.12, 0.018, 0.018, 0.1, 0], 9)
    dish = softened([(0, 0.03), (0.40, 0.03), (0.72, 0.11), (0.72, 0.135), (0.38, 0.075), (0, 0.075)], [0, 0.05, 0.012, 0.012, 0.05, 0], 7)
    coffee = [(0, 0.62), (0.355, 0.62)]
    turn = np.linspace(-0.42, 0.42, 11) * math.pi
    ear = [(0.34 + 0.24 * math.cos(a), 0, 0.45 + 0.20 * math.sin(a)) for a in turn]
    drink = material('coffee', color=(0.035, 0.016, 0.008), roughness=0.12)
    made = [paint(lathe('cup', form, 96), glazed), paint(lathe('saucer', dish, 96), glazed), paint(lathe('coffee', coffee, 64), drink), paint(tube('ear', ear, 0.05), glazed)]
    for part in made:
        part.location, part.rotation_euler = at, (0, 0, math.radians(-35))
