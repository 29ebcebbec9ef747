"""Polo shirt, laid flat: the t-shirt's cut with a knit collar and cuffs, and a placket with three buttons."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
from shirt import *

THICK = 0.0030  # of each of the placket's two layers
INSET = 0.0085  # of the placket's stitches
BUTTONS = (0.700, 0.2), (0.572, -0.35), (0.444, 0.6)  # where, and how far each is turned
RIBBED = 'B'  # the dye zone without a grain: piqué ends where the flat knit of collar and cuffs begins, and lies on no button
PLACKET_END, FOLD, WIDTH = 0.372, -0.046, 0.094  # the upper layer's fold is on the left, as on shirts for men


def height(x, y, d=None):
    return front_height(x, y, d, sleeves=False, folds=-1)


RIBS = 40  # of a cuff
RIB = 0.0105  # of the collar, as wide as those
CUFF_WIDE = ((-0.0570, 0.0470), (-0.0545, 0.0495))  # to where it begins, along the sleeve's upper and lower edge


def grooves(share):
    """Between ribs, -1 in the middle of one: narrow, so that light along them leaves them dark too."""
    return -dip(share % 1, 0.5, 0.21)


def toned(part, grooves_at, depth):
    """Its grooves hold shade of their own, so much at most: where light runs along the ribs, nothing else would show them."""
    x, y, _ = np.array([v.co[:] for v in part.data.vertices]).T
    tone = (1 + depth * grooves_at(x, y)).astype(np.float32)
    part.data.attributes.new('tone', 'FLOAT', 'POINT').data.foreach_set('value', tone)
    return part


def flat_knit():
    """The cloth of what is toned."""
    made = material('collar', RIBBED, prints=False, **COTTON | dict(grain=(170, 0.1, 0.003, 'pile')))
    nodes, links = made.node_tree.nodes, made.node_tree.links
    tone, times = nodes.new('ShaderNodeAttribute'), nodes.new('ShaderNodeMath')
    tone.attribute_name, times.operation, times.inputs[1].default_value = 'tone', 'MULTIPLY', NEUTRAL
    links.new(tone.outputs['Fac'], times.inputs[0])
    links.new(times.outputs[0], nodes['Principled BSDF'].inputs['Base Color'])
    return made


def on_sleeve(x, y):
    """How far along the cuff, and how far from the sleeve's end, in widths of the cuff."""
    chord, across = np.array(CUFF_IN) - CUFF_OUT, np.mean(CUFF_WIDE, axis=0)
    return np.linalg.solve(np.column_stack([chord, across]), np.array([np.abs(x), y]) - np.array([CUFF_OUT]).T)


def cuff_ribs(x, y):
    return grooves(on_sleeve(x, y)[0] * RIBS)


def ribbed(x, y):
    """The sleeve's height, flatter towards its end than the cloth is, less the grooves between a cuff's ribs."""
    inward, across = on_sleeve(x, y)[1], np.mean(CUFF_WIDE, axis=0)
    side = np.where(x < 0, -1, 1)
    calm = height(x + side * 0.8 * across[0], y + 0.8 * across[1]) - 0.0030 * (1 - np.clip(inward, 0, 1)) ** 2
    return np.maximum(calm, height(x, y)) + 0.0008 + 0.0052 * cuff_ribs(x, y)


def buttoned(x, y):
    """The placket lies on the cloth, is drawn in along its stitches and pulled down a little under each button."""
    left, right = FOLD + INSET, FOLD + WIDTH - INSET
    seam = np.minimum(np.abs(x - left), np.abs(x - right))
    low = np.minimum(np.abs(y - PLACKET_END - INSET), np.abs(y - PLACKET_END - 0.034))
    pucker = np.sin(105 * y + 30 * x) + 0.7 * np.sin(71 * y - 18 * x + 1.3)
    z = height(x, y) + 0.0004 * pucker * dip(seam, 0, 0.011) - 0.0010 * dip(seam, 0, 0.0036) - 0.0010 * dip(low, 0, 0.0036)
    z = z + 0.0013 * ripple(x, y, 45, 0.17) + 0.0012 * dip(x, FOLD + WIDTH / 2, 0.028)  # it bows a little between its seams
    return z - sum(0.0026 * np.exp(-((x - FOLD - WIDTH / 2) ** 2 + (0.7 * (y - at)) ** 2) / 0.021**2) for at, _ in BUTTONS)


def on_placket(x, y):
    return buttoned(x, y) + 2 * THICK


def strip(left, right, low, high, under, cloth):
    """A layer of the placket, round at its edge, over so much of the other; its edges are cut, turned under and sewn, so never quite straight."""
    corners = softened([(left, high), (left, low), (right, low), (right, high), (left, high)], 0.009)
    edge = evenly(np.array(corners)[:-1], 0.006, closed=True)
    edge[:, 0] += 0.0007 * ripple(edge[:, 0], edge[:, 1], 46, 0.22)
    edge[:, 1] += 0.0006 * ripple(edge[:, 0], edge[:, 1], 47, 0.12) * (edge[:, 1] < low + 0.02)
    rise = lambda x, y, d: buttoned(x, y) + under - 0.001 + (THICK + 0.001) * (1 - np.exp(-((d / 0.0052) ** 1.2)))
    return paint(cut('placket', edge, rise, 0.0032), cloth)


def button(y, turn, made_of, thread, hollow):
    """Four holes, and the thread that goes through them."""
    radius, apart, hole = 0.0200, 0.0056, 0.0031
    c, s = math.cos(turn), math.sin(turn)
    holes = [(sx * apart * c - sy * apart * s, sx * apart * s + sy * apart * c) for sx, sy in ((-1, -1), (-1, 1), (1, 1), (1, -1))]

    def dish(x, y, d):
        r = np.hypot(x, y)
        z = 0.0016 + 0.0060 * np.sqrt(np.clip(1 - np.exp(-d / 0.0016), 0, 1)) - 0.0022 * np.exp(-((r / 0.0130) ** 8))
        return z - sum(0.0034 * np.exp(-((np.hypot(x - hx, y - hy) / (1.1 * hole)) ** 6)) for hx, hy in holes)

    around = np.linspace(0, 2 * math.pi, 73)[:-1]
    disc = paint(cut('button', np.column_stack([radius * np.cos(around), radius * np.sin(around)]), dish, 0.0007), made_of)
    parts = [disc]
    for hx, hy in holes:  # through to the dark
        ring = np.column_stack([hx + hole * np.cos(around), hy + hole * np.sin(around)])
        parts.append(paint(cut('hole', ring, lambda x, y, d: 0.0034 + 0 * x, 0.0012), hollow))
    for a, b in ((0, 1), (3, 2)):
        (ax, ay), (bx, by) = holes[a], holes[b]
        spots = [(ax, ay, 0.003), (ax + 0.22 * (bx - ax), ay + 0.22 * (by - ay), 0.0058), ((ax + bx) / 2, (ay + by) / 2, 0.0066)]
        spots += [(bx + 0.22 * (ax - bx), by + 0.22 * (ay - by), 0.0058), (bx, by, 0.003)]
        parts.append(paint(tube('thread', spots, 0.0013), thread))
    x = FOLD + WIDTH / 2
    z = float(on_placket(np.array([x]), np.array([y]))) + 0.0012
    for part in parts:
        part.location = (x, y, z)
    return parts


@posed
def build():
    cloth, knit = material('pique', 'A', **COTTON), flat_knit()
    placket = material('placket', 'A', prints=False, **COTTON)
    inside = material('inside', 'A', prints=False, **COTTON)
    thread = material('thread', RIBBED, prints=False, roughness=0.6, sheen=0.3)
    dyed = material('buttons', RIBBED, prints=False, roughness=0.34, specular=0.5)
    dark = material('hole', color=(0.035, 0.032, 0.030), roughness=1, specular=0)

    left, right, top = FOLD, FOLD + WIDTH, 0.83
    pieces = [
        strip(left - 0.007, right - 0.012, PLACKET_END + 0.004, top, 0, placket),
        strip(left, right, PLACKET_END, top, THICK, placket),
    ]
    for line in (
        [(left + INSET, top), (left + INSET, PLACKET_END + INSET)],
        [(right - INSET, top), (right - INSET, PLACKET_END + INSET)],
        [(left + INSET, PLACKET_END + INSET), (right - INSET, PLACKET_END + INSET)],
        [(left + INSET, PLACKET_END + 0.034), (right - INSET, PLACKET_END + 0.034)],
    ):
        pieces.append(sewn(line, on_placket, thread, gap=0.0034, thick=0.0016))
    for y, turn in BUTTONS:
        # the buttonhole, close stitches side by side
        middle = left + WIDTH / 2
        for step in np.arange(-0.026, 0.0265, 0.0034):
            pieces.append(sewn([(middle - 0.0062, y + step), (middle + 0.0062, y + step)], on_placket, thread, long=0.0118, gap=0.0005, thick=0.0018))
        pieces += button(y, turn, dyed, thread, dark)

    leaf = np.concatenate(
        [
            bezier((0.004, 0.808), (0.060, 0.826), (0.172, 0.892), (0.226, 1.002), 22),
            bezier((0.226, 1.002), (0.268, 0.996), (0.322, 0.966), (0.348, 0.925), 12)[1:],
            bezier((0.348, 0.925), (0.340, 0.840), (0.304, 0.715), (0.282, 0.640), 16)[1:],
            bezier((0.282, 0.640), (0.277, 0.630), (0.270, 0.630), (0.262, 0.635), 6)[1:],
            bezier((0.262, 0.635), (0.180, 0.660), (0.066, 0.722), (0.004, 0.808), 18)[1:-1],
        ]
    )
    crest = bezier((0.020, 0.812), (0.080, 0.836), (0.180, 0.905), (0.240, 0.998), 24)  # where it turns over

    def leaf_ribs(x, y):
        return grooves((0.557 * np.abs(x) + 0.830 * y + 0.004 * ripple(x, y, 53, 0.5)) / RIB)

    def turned(base):
        def shape(x, y, d):
            p = np.column_stack([np.abs(x), y])
            fold = line_distance(crest, p)
            over = np.maximum(base, height(x, y) + 0.0065)
            z = over + 0.0095 * np.exp(-((x / 0.085) ** 2)) + 0.0070 * (1 - np.exp(-((d / 0.0040) ** 0.9)))
            z = z + 0.020 * np.exp(-((fold / 0.055) ** 2)) * (1 - np.exp(-d / 0.010)) + 0.0028 * ripple(x, y, 52, 0.4) * np.clip(fold / 0.1, 0, 1)
            # ribs run from the neck to the edge, which is knit as a narrow welt of its own
            return z + 0.0031 * leaf_ribs(x, y) * np.clip((d - 0.013) / 0.003, 0, 1) - 0.0034 * dip(d, 0.0125, 0.0024)

        return shape

    leaves = []
    for sx, base, tone in ((1, 0.0285, 0.42), (-1, 0.0250, 0.14)):
        piece = leaf * (sx, 1)
        leaves.append(toned(paint(cut('collar', piece if sx > 0 else piece[::-1], turned(base), 0.0021), knit), leaf_ribs, tone))
    stand = np.concatenate(
        [
            bezier((-0.232, 1.000), (-0.10, 0.990), (0.10, 0.990), (0.232, 1.000), 30),
            bezier((0.232, 0.995), (0.19, 0.90), (0.10, 0.83), (0, 0.80), 24)[1:],
            bezier((0, 0.80), (-0.10, 0.83), (-0.19, 0.90), (-0.232, 0.995), 24)[1:],
        ]
    )
    # it stands up behind, and ends under the leaves
    rise = lambda x, y: 0.026 * np.clip((y - 0.905) / 0.09, 0, 1) ** 1.3 * np.clip((0.232 - np.abs(x)) / 0.09, 0, 1) ** 0.7
    seamed = lambda x, y: y - 0.30 * x * x - 0.918
    ribs = lambda x, y: grooves(x / RIB) * np.clip((seamed(x, y) - 0.006) / 0.004, 0, 1)
    hollow = lambda x, y, d: 0.020 + rise(x, y) - 0.004 * dip(seamed(x, y), 0, 0.005) + 0.0028 * ribs(x, y)
    stand = toned(paint(cut('stand', stand[::-1], hollow, 0.0022), knit), ribs, 0.14)

    cuffs = []
    for side in (1, -1):
        end = laid(cuff() * (side, 1))
        upper, lower = np.array(CUFF_WIDE)
        share = np.linspace(0, 1, len(end))[:, None]
        begun = end + (upper * (1 - share) + lower * share) * (side, 1)
        cuffs.append(toned(band('cuff', begun, end, knit, ribbed, 0.0085), cuff_ribs, 0.40 if side > 0 else 0.10))
    return [
        *(front(cloth, 0.16, height), back(inside), stand, *label(0, 0.908, 0.0250), *pieces, *leaves, *cuffs),
        *hems(thread, height, sleeves=False),
    ]


def light():
    """As `lying_light`, but so far from above that it passes neither the right leaf's edge nor the right cuff along their length."""
    ambient(0.14)
    softbox((-3.5, 3.4, 2.8), (0, 0, 0), 1.6, 330)
    softbox((4.2, -2.2, 3.6), (0, 0, 0), 4.0, 78)


FRONT = dict(azimuth=0, elevation=89.9, margin=1.12)
VIEWS = {
    'front': FRONT,
    'front-2': dict(pose=2, **FRONT),
    'detail': dict(azimuth=-6, elevation=60, near=((0.137, 0.49, 0.04), 0.255)),
}

if __name__ == '__main__':
    run(__file__, build, light, VIEWS)
