"""The torso that wears shirts, as a tailor has it: covered with linen, its arms ending in the sleeves; and how a shirt is put on it.

Its shapes are distances in centimeters, as the head's: it looks along -y, and z = 0 where a flat shirt has y = 0. How the cloth hangs is
simulated (`cloth/worn.py`); seams, collar and print keep their places on the cloth.
"""

from bust import HEAD_LINEN, Matrix, carved, egg, joined, mirrored, rod, skin
from hand import cast_light
from rooms import *
import shirt
from shirt import CUFF_IN, CUFF_OUT, NECK, both, front_height, hem_wave, hems, laid, neckline, outline, silhouette, without_print

CM = 36.0  # a shirt's unit
SHOULDER_JOINT, ARM_END = (18.2, 1.4, 25.2), (23.0, 0.6, 12.2)
NECK_END = 43.5
CELL, CORNER, SIZE = 0.02, (-1.24, -1.20), (125, 117)  # of the stored cloth


def torso(p):
    """The distance to it."""
    m = mirrored(p)
    d = joined(egg(m, (0, 0.4, 16.0), (16.0, 10.3, 21.0)), egg(m, (0, 0.6, -36), (16.8, 11.0, 27)), 11.0)
    d = joined(d, egg(m, (7.4, -5.9, 17.0), (8.0, 4.4, 7.4)), 4.5)  # chest
    d = joined(d, egg(m, (8.2, 7.0, 19.0), (7.0, 4.6, 10.0)), 4.0)  # shoulder blades
    d = joined(d, rod(m, (2.0, 2.0, 31.0), SHOULDER_JOINT, 5.2, 5.5), 3.0)
    d = joined(d, rod(m, SHOULDER_JOINT, ARM_END, 5.5, 4.5), 1.6)
    d = joined(d, rod(m, (0, 2.4, 24), (0, 0.2, 52), 6.6, 5.7), 3.6)  # neck
    return carved(d, NECK_END - p[..., 2], 0.5)


def lines(kind):
    """From the right neck point: the upper edges of the cloth of front and back to the middle, and the line at which both are sewn."""
    if kind == 'polo':
        return neckline(0.16), neckline(0.05), silhouette()
    made = product(kind)
    low = NECK[1] - made.DEPTH + 0.052
    front = bezier(made.CREST, (0.205, low + 0.138), (0.125, low), (0, low), 40)
    back = bezier(made.CREST, (0.15, 0.966), (0.07, 0.956), (0, 0.954), 40)
    return front, back, np.concatenate([made.folded_over()[:-1], silhouette()])


def sewn_lines(seam):
    """Where front and back are one: on both sides, above the cuff and from under it to the hem."""
    top, under = (np.argmin(np.hypot(*(seam - end).T)) for end in (CUFF_OUT, CUFF_IN))
    last = np.argmin(np.hypot(*(seam - (0.716, -1.070)).T))
    return [laid(part * (side, 1)) for part in (seam[: top + 1], seam[under : last + 1]) for side in (1, -1)]


class Hanging:
    """Where points of the flat shirt are once it is worn, in its own unit."""

    def __init__(self, kind, stored):
        self.places = np.load(stored)['places'] / 500 / CM
        self.sewn = sewn_lines(lines(kind)[2])

    def smooth(self, layer, x, y):
        """Between the stored points, by cubic splines."""
        field = self.places[layer]
        a, b = np.clip((x - CORNER[0]) / CELL, 1, SIZE[0] - 3), np.clip((y - CORNER[1]) / CELL, 1, SIZE[1] - 3)
        i, j = a.astype(int), b.astype(int)
        weights = lambda t: ((1 - t) ** 3 / 6, (3 * t**3 - 6 * t * t + 4) / 6, (-3 * t**3 + 3 * t * t + 3 * t + 1) / 6, t**3 / 6)
        out = 0
        for row, of_row in enumerate(weights(b - j)):
            for column, of_column in enumerate(weights(a - i)):
                out = out + (of_row * of_column)[:, None] * field[j + row - 1, i + column - 1]
        return out

    def outward(self, layer, x, y, step=2e-3):
        there = self.smooth(layer, x, y)
        facing = np.cross(self.smooth(layer, x + step, y) - there, self.smooth(layer, x, y + step) - there)
        return facing * (-1) ** layer / np.maximum(np.linalg.norm(facing, axis=1, keepdims=True), 1e-9)

    def put(self, x, y, z, layer):
        """So far outside the cloth of front (0) or back (1), which are one at their seams."""
        seam = np.minimum.reduce([line_distance(line, np.column_stack([x, y])) for line in self.sewn])
        share = 0.5 * np.exp(-((seam / 0.022) ** 2))[:, None]
        there, out = (of(layer, x, y) * (1 - share) + of(1 - layer, x, y) * share for of in (self.smooth, self.outward))
        return there + out * (z / np.maximum(np.linalg.norm(out, axis=1), 1e-9))[:, None]


def lying(x, y):
    """The height over a table of a shirt without folds, less seams and hems."""
    edge = line_distance(laid(both(silhouette())), np.column_stack([x, y]))
    return 0.005 + 0.014 * np.sqrt(1 - np.exp(-edge / 0.020)) + 0.013 * np.maximum(0, hem_wave(x, y))


def moved(part, places):
    part.location = (0, 0, 0)
    part.data.vertices.foreach_set('co', places.astype(np.float32).ravel())
    part.data.update()
    return part


def spots_of(part):
    return (np.array([v.co[:] for v in part.data.vertices]) + np.array(part.location)).T


def put_on(kind, stored):
    """The shirt of that kind on the torso, its parts in its own unit."""
    shirt.settled = lambda x, y: 0 * x  # its folds on the table
    made = product(kind)
    height = getattr(made, 'height', front_height)
    hanging = Hanging(kind, stored)
    left_out = ('tape', 'label', 'back', 'stand', 'collar')[: 4 if kind == 't-shirt' else 5]  # the neck hides it, or it is made anew
    parts = []
    for part in without_print(made.build()):
        x, y, z = spots_of(part)
        on_tape = part.name.startswith('stitches') and np.abs(x).max() < 0.28 and y.min() > 0.85
        if on_tape or part.name.split('.')[0] in left_out:
            bpy.data.objects.remove(part)
            continue
        if part.name.startswith('cuff'):
            other = part.copy()
            other.data = part.data.copy()
            bpy.context.collection.objects.link(other)
            other.data.flip_normals()
            parts.append(moved(other, hanging.put(x, y, z - lying(x, y), 1)))
        if part.name.startswith('back collar'):
            parts.append(moved(part, hanging.put(x, y, -z, 1)))
        else:
            parts.append(moved(part, hanging.put(x, y, z - lying(x, y), 0)))
    cloth = bpy.data.materials['inside']
    back = paint(cut('back', outline(0.05), lambda x, y, d: height(x, y) - lying(x, y), 0.0075), cloth)
    rows = hems(bpy.data.materials['thread'], lambda x, y: height(x, y) - lying(x, y), sleeves=kind != 'polo')[:-2]
    for part in (back, *rows):
        x, y, z = spots_of(part)
        part.data.flip_normals()
        parts.append(moved(part, hanging.put(x, y, z, 1)))
    for part in parts:
        if part.name.startswith(('front', 'back')):
            hem = part.modifiers.new('hem', 'SOLIDIFY')
            hem.thickness, hem.offset = 0.007, -1
    if kind == 'polo':
        parts.append(collar(hanging, made))
    return parts


STAND, LEAF, TIP = (1.5, 3.3), 6.0, 1.9  # how high a collar stands in front and behind; how far it falls, and how much farther in front
OPENED = 0.62  # how fast its two ends part
FALLS = 0, 0, 0, 0, 0.04, 0.34, 0.67, 1  # shares of the fall at the points that its profile follows


def collar(hanging, polo):
    """Of flat knit: it stands up round the neck and turns over outwards."""
    front, back, _ = lines('polo')
    halves = []
    for side in (1, -1):
        rising, behind = (laid(line * (side, 1)) for line in (front[::-1], back))
        halves.append(np.concatenate([hanging.put(*rising.T, 0 * rising[:, 0], 0), hanging.put(*behind.T, 0 * behind[:, 0], 1)[1:]]) * CM)
    even = lambda values, far: np.stack([np.convolve(np.pad(v, far, mode='edge'), np.hanning(2 * far + 3)[1:-1] / (far + 1), 'valid') for v in values.T], -1)
    seam = even(evenly(np.concatenate([halves[0], halves[1][::-1][1:]]), 0.1), 12)
    long = 0.1 * (len(seam) - 1)
    s = np.linspace(0, long, len(seam))
    end = np.minimum(s, long - s)
    out = (seam - (0, 1.2, 0)) * (1, 1, 0)
    out /= np.linalg.norm(out, axis=1, keepdims=True)
    up = np.array((0, 0, 1))
    # it leans against the neck, and falls until it lies on the shirt
    high = seam + up * (STAND[0] + (STAND[1] - STAND[0]) * shirt.eased(end, 0, 14))[:, None]
    inward = np.linspace(-1, 3, 81)
    free = torso((high[:, None] - out[:, None] * inward[:, None]).astype(np.float32)) > 0.7
    crest = high - out * even(inward[np.argmin(free, axis=1)][:, None], 25)
    fall = LEAF + TIP * np.exp(-((end / 8) ** 2))
    turns = np.radians(np.arange(4, 88))
    ways = np.sin(turns)[:, None] * out[:, None] - np.cos(turns)[:, None] * up
    spots = crest[:, None, None] + 0.7 * out[:, None, None] + ways[:, :, None] * (fall[:, None] * np.linspace(0.25, 1, 6))[:, None, :, None]
    lies = (torso(spots.astype(np.float32)) > 0.95).all(-1)
    turn = even(turns[np.argmax(lies, axis=1)][:, None], 22)
    down = np.sin(turn) * out - np.cos(turn) * up
    profile = [seam, (seam + crest) / 2, crest, crest + 0.62 * up + 0.30 * out]
    profile += [crest + 0.72 * out + (0.25 * up if share < 0.1 else 0) + down * (share * fall)[:, None] for share in FALLS[4:]]

    rows, columns = 110, 1700
    r, c = np.meshgrid(np.linspace(0, 1, rows + 1), np.linspace(0, 1, columns + 1), indexing='ij')
    knots = np.arange(len(profile) + 2)[:, None, None] - 1  # doubled at both ends
    at = np.abs(r * (len(profile) - 1) - knots)
    weights = np.where(at < 1, 2 / 3 - at * at + at**3 / 2, np.clip(2 - at, 0, 2) ** 3 / 6)
    weights[1] += weights[0]
    weights[-2] += weights[-1]
    weights = weights[1:-1]
    share = np.tensordot(FALLS, weights, 1)
    cut_off = OPENED * share * (LEAF + TIP)
    there = cut_off + c * (long - 2 * cut_off)
    along = lambda values: np.stack([np.interp(there, s, v) for v in values.T], -1)
    places = sum(weight[..., None] * along(points) for weight, points in zip(weights, profile))
    facing = np.cross(np.gradient(places, axis=1), np.gradient(places, axis=0))
    facing /= np.linalg.norm(facing, axis=-1, keepdims=True)
    facing *= np.sign((facing[-5] * along(out)[-5]).sum())
    edge = np.minimum((1 - share) * np.interp(there, s, fall), 0.8 * np.minimum(there - cut_off, long - cut_off - there)) / CM
    ribs = polo.grooves(there / CM / polo.RIB) * np.clip((edge - 0.013) / 0.003, 0, 1)
    places = places / CM + facing * (0.0031 * ribs - 0.0034 * polo.dip(edge, 0.0125, 0.0024) * (share > 0))[..., None]
    made = sheet('collar', rows, columns, lambda *_: np.moveaxis(places, -1, 0))
    if (np.array(made.data.polygons[-1000].normal) * facing[-2, -1000]).sum() < 0:
        made.data.flip_normals()
    made.data.attributes.new('tone', 'FLOAT', 'POINT').data.foreach_set('value', (1 + 0.3 * ribs).astype(np.float32).ravel())
    thick = made.modifiers.new('knit', 'SOLIDIFY')
    thick.thickness, thick.offset = 0.006, -1
    return paint(made, bpy.data.materials['collar'])


def dressed(kind, stored):
    """The torso in the shirt of that kind, whose cloth hangs as `stored`, before a studio's wall."""
    parts = bring(put_on(kind, stored), CM)
    made = skin('torso', lambda p: torso(p) + 0.2, (-32, -16, -58), (32, 18, 48), 0.25)
    made.data.transform(Matrix.Scale(0.1, 4))
    soften = made.modifiers.new('soften', 'SMOOTH')
    soften.factor, soften.iterations = 0.5, 2
    paint(made, linen(HEAD_LINEN))
    cast_light(side=-1, far=2.4)
    return frame(parts, 24, 4, 1.0, (0, -1.0, 0), lens=85, stop=22, near=((0, 0, 0.12), 4.5))
