"""Polo shirt, laid flat: the t-shirt's cut with a knit collar and cuffs, and a placket with three buttons."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
from shirt import *

THICK = 0.0050  # of each of the placket's two layers
PLACKET_END, FOLD, WIDTH = 0.372, -0.046, 0.094  # the upper layer's fold is on the left, as on shirts for men


def height(x, y, d=None):
    return front_height(x, y, d, sleeves=False, folds=-1)


RIBS = 40  # of a cuff
CUFF_WIDE = ((-0.0570, 0.0470), (-0.0545, 0.0495))  # to where it begins, along the sleeve's upper and lower edge


def ribbed(x, y):
    """The sleeve's height less the grooves between a cuff's ribs, which are so deep that light along them leaves them dark too."""
    chord, across = np.array(CUFF_IN) - CUFF_OUT, np.mean(CUFF_WIDE, axis=0)
    along, _ = np.linalg.solve(np.column_stack([chord, across]), np.array([np.abs(x), y]) - np.array([CUFF_OUT]).T)
    return height(x, y) + 0.0008 - 0.0068 * dip(along * RIBS % 1, 0.5, 0.21)


def on_placket(x, y):
    return height(x, y) + 2 * THICK


def strip(left, right, low, high, under, cloth):
    """A layer of the placket, round at its edge, over so much of the other."""
    corners = softened([(left, high), (left, low), (right, low), (right, high), (left, high)], 0.006)
    rise = lambda x, y, d: height(x, y) + under - 0.001 + (THICK + 0.001) * (1 - np.exp(-((d / 0.0040) ** 0.9)))
    return paint(cut('placket', np.array(corners)[:-1], rise, 0.004), cloth)


def button(y, turn, made_of, thread):
    """Four holes, and the thread that goes through them."""
    radius, apart = 0.0185, 0.0048
    c, s = math.cos(turn), math.sin(turn)
    holes = [(sx * apart * c - sy * apart * s, sx * apart * s + sy * apart * c) for sx, sy in ((-1, -1), (-1, 1), (1, 1), (1, -1))]

    def dish(x, y, d):
        r = np.hypot(x, y)
        z = 0.0022 + 0.0072 * np.sqrt(np.clip(1 - np.exp(-d / 0.0016), 0, 1)) - 0.0030 * np.exp(-((r / 0.0108) ** 6))
        return z - sum(0.0058 * np.exp(-((np.hypot(x - hx, y - hy) / 0.0021) ** 4)) for hx, hy in holes)

    around = np.linspace(0, 2 * math.pi, 73)[:-1]
    disc = paint(cut('button', np.column_stack([radius * np.cos(around), radius * np.sin(around)]), dish, 0.0007), made_of)
    parts = [disc]
    for a, b in ((0, 1), (3, 2)):
        (ax, ay), (bx, by) = holes[a], holes[b]
        spots = [(ax, ay, 0.002), (ax + 0.15 * (bx - ax), ay + 0.15 * (by - ay), 0.0072), ((ax + bx) / 2, (ay + by) / 2, 0.0083)]
        spots += [(bx + 0.15 * (ax - bx), by + 0.15 * (ay - by), 0.0072), (bx, by, 0.002)]
        parts.append(paint(tube('thread', spots, 0.0017), thread))
    x = FOLD + WIDTH / 2
    z = float(on_placket(np.array([x]), np.array([y]))) + 0.0012
    for part in parts:
        part.location = (x, y, z)
    return parts


def build():
    cloth, knit = material('pique', 'A', **COTTON), material('collar', 'A', prints=False, **COTTON)
    placket = material('placket', 'A', prints=False, **COTTON)
    inside = material('inside', 'A', prints=False, **COTTON)
    thread = material('thread', 'A', prints=False, roughness=0.6, sheen=0.3)
    dyed = material('buttons', 'A', prints=False, roughness=0.38, specular=0.45)

    left, right, top = FOLD, FOLD + WIDTH, 0.83
    pieces = [
        strip(left - 0.007, right - 0.012, PLACKET_END + 0.004, top, 0, placket),
        strip(left, right, PLACKET_END, top, THICK, placket),
    ]
    inset = 0.0085
    for line in (
        [(left + inset, top), (left + inset, PLACKET_END + inset)],
        [(right - inset, top), (right - inset, PLACKET_END + inset)],
        [(left + inset, PLACKET_END + inset), (right - inset, PLACKET_END + inset)],
        [(left + inset, PLACKET_END + 0.034), (right - inset, PLACKET_END + 0.034)],
    ):
        pieces.append(sewn(line, on_placket, thread, gap=0.0034, thick=0.0016))
    for y, turn in ((0.700, 0.2), (0.572, -0.35), (0.444, 0.6)):
        # the buttonhole, close stitches side by side
        middle = left + WIDTH / 2
        for step in np.arange(-0.026, 0.0265, 0.0034):
            pieces.append(sewn([(middle - 0.0062, y + step), (middle + 0.0062, y + step)], on_placket, thread, long=0.0118, gap=0.0005, thick=0.0018))
        pieces += button(y, turn, dyed, thread)

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

    def turned(base):
        def shape(x, y, d):
            p = np.column_stack([np.abs(x), y])
            fold = line_distance(crest, p)
            z = base + 0.0095 * np.exp(-((x / 0.085) ** 2)) + 0.0065 * (1 - np.exp(-((d / 0.0042) ** 0.9))) + 0.020 * np.exp(-((fold / 0.055) ** 2)) * (1 - np.exp(-d / 0.010))
            ribs = 0.0006 * np.cos(2 * math.pi * (0.83 * np.abs(x) + 0.55 * y) / 0.0125)
            return z + ribs * np.clip(d / 0.01, 0, 1) + 0.0028 * ripple(x, y, 52, 0.4) * np.clip(fold / 0.1, 0, 1)

        return shape

    leaves = []
    for sx, base in ((1, 0.0262), (-1, 0.0242)):
        piece = leaf * (sx, 1)
        leaves.append(paint(cut('collar', piece if sx > 0 else piece[::-1], turned(base), 0.0045), knit))
    stand = np.concatenate(
        [
            bezier((-0.232, 1.000), (-0.10, 0.990), (0.10, 0.990), (0.232, 1.000), 30),
            bezier((0.232, 0.995), (0.19, 0.90), (0.10, 0.83), (0, 0.80), 24)[1:],
            bezier((0, 0.80), (-0.10, 0.83), (-0.19, 0.90), (-0.232, 0.995), 24)[1:],
        ]
    )
    # it stands up behind, and ends under the leaves
    rise = lambda x, y: 0.026 * np.clip((y - 0.905) / 0.09, 0, 1) ** 1.3 * np.clip((0.232 - np.abs(x)) / 0.09, 0, 1) ** 0.7
    hollow = lambda x, y, d: 0.020 + rise(x, y) - 0.004 * dip(y - 0.30 * x * x, 0.918, 0.005)
    stand = paint(cut('stand', stand[::-1], hollow, 0.007), inside)

    cuffs = []
    for side in (1, -1):
        end = laid(cuff() * (side, 1))
        upper, lower = np.array(CUFF_WIDE)
        share = np.linspace(0, 1, len(end))[:, None]
        begun = end + (upper * (1 - share) + lower * share) * (side, 1)
        cuffs.append(band('cuff', begun, end, knit, ribbed, 0.0085))
    return [
        *(front(cloth, 0.16, height), back(inside), stand, *label(0, 0.908, 0.0285), *pieces, *leaves, *cuffs),
        *hems(thread, height, sleeves=False),
    ]


VIEWS = {
    'front': dict(azimuth=0, elevation=89.9, margin=1.12),
    'detail': dict(azimuth=-16, elevation=50, near=((0.14, 0.62, 0.04), 0.44)),
}

if __name__ == '__main__':
    run(__file__, build, lying_light, VIEWS)
