"""Tote bag of canvas, 38 x 42 cm, laid flat with its handles; 1 unit = 21 cm."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
from sewing import stitches
from studio import *

WIDE, TALL = 0.90, 1.0
# a handle is 1 in wide and 22 in long from edge to edge of the bag, so it drops 10.5 in: long enough for a shoulder
INCH = 2.54 / 21
WIDTH, FREE = INCH, 22 * INCH
APART, END = 0.40, 0.78  # where its middle is sewn on, and where it ends
BOX, HEMMED = 1.4 * INCH, 0.018  # a crossed box is so long, and so far from the end
EDGE_ROW = 0.80  # of the way from its middle to its edges
FOLDS = [
    ((-0.40, 0.84), -76, 0.95, 0.050, 0.026),
    ((-0.42, 0.84), -104, 0.80, 0.045, 0.018),
    ((0.40, 0.84), 254, 1.00, 0.055, 0.026),
    ((0.42, 0.84), 284, 0.80, 0.045, 0.018),
    ((-0.86, 0.92), -64, 1.00, 0.060, 0.018),
    ((0.84, 0.90), 242, 1.10, 0.065, 0.020),
    ((0.02, 0.98), -90, 0.60, 0.060, 0.012),
    ((-0.88, -0.92), 40, 0.90, 0.060, 0.022),
    ((0.88, -0.95), 138, 0.95, 0.065, 0.024),
    ((-0.86, 0.00), -12, 0.90, 0.080, 0.012),
    ((0.86, -0.25), 192, 0.95, 0.080, 0.013),
    ((-0.10, -1.00), 82, 0.75, 0.070, 0.014),
]


def outline():
    """A straight cut that sewing has pulled about a little."""
    corners = softened([(0, -TALL), (WIDE, -TALL), (WIDE - 0.012, TALL), (-WIDE + 0.012, TALL), (-WIDE, -TALL), (0, -TALL)], [0, 0.05, 0.016, 0.016, 0.05, 0], 6)
    x, y = evenly(np.array(corners[:-1]), 0.02, closed=True).T
    return np.column_stack([x + 0.010 * ripple(x, y, 3, 0.9), y + 0.009 * ripple(x, y, 4, 0.8)])


def canvas_height(x, y, d):
    body = 0.010 + 0.046 * np.sqrt(1 - np.exp(-d / 0.06))
    waves = sum(crease(x, y, *fold) for fold in FOLDS) + 0.008 * ripple(x, y, 5, 0.8, 1.5, 80) + 0.003 * ripple(x, y, 6, 0.26, 1.6, 70)
    from_top = TALL - y + 0.006 * ripple(x, 0 * x, 8, 0.5)
    # no dent is narrower than two of the mesh's cells, no pucker shorter than ten: they would come out as steps
    hem = 0.006 / (1 + np.exp((from_top - 0.088) / 0.010)) - 0.008 * np.exp(-(((from_top - 0.080) / 0.014) ** 2))
    hem = hem + 0.0022 * np.sin(64 * x + 1.6 * ripple(x, 0 * x, 9, 0.4)) * np.exp(-(((from_top - 0.072) / 0.034) ** 2))
    return body + waves * (0.3 + 0.7 * (1 - np.exp(-d / 0.07))) + hem


def seam_height(x, y):
    """The cloth below the upper edge, where nothing else is near."""
    return canvas_height(x, y, np.maximum(TALL - y, 0))


def lying(sway):
    """A handle that lies above the bag in an arch, as high as its length makes it."""

    def arch(rise):
        a = np.pi * np.linspace(0, 1, 400)
        legs = [(side * APART, y) for side, y in ((-1, END), (1, END))]
        bow = np.column_stack([sway * np.sin(a) ** 2 - APART * np.cos(a) * (1 + 0.30 * np.sin(a) ** 2), TALL + rise * np.sin(a) ** 0.72])
        return np.vstack([legs[:1], bow, legs[1:]])

    return arch


def hung(half):
    """A handle drawn taut over something that is twice `half` wide."""
    return lambda rise: np.array(
        softened([(-APART, END), (-APART, TALL + 0.02), (-half, TALL + rise), (half, TALL + rise), (APART, TALL + 0.02), (APART, END)], [0, 0.12, 0.08, 0.08, 0.12, 0], 12)
    )


def as_long(shape):
    """The line shape(rise) that is as long as the strap, and its rise."""
    low, high = 0.1, 2.0
    for _ in range(40):
        rise = (low + high) / 2
        line = shape(rise)
        far = np.linalg.norm(np.diff(line, axis=0), axis=1).sum() > FREE + 2 * (TALL - END)
        low, high = (low, rise) if far else (rise, high)
    return evenly(line, 0.005), rise


def handle(cloth, thread, shape, behind, base=0.0, carried=False):
    """A strap of the bag's own canvas, folded and sewn along both edges; its ends are turned in and sewn on with a crossed box.

    shape: `lying` or `hung`. behind: on the bag's other side. base: how high it lies. carried: a hand has turned it flat at its top.
    """
    line, rise = as_long(shape)
    x, y = line.T
    n, length = len(line), FREE + 2 * (TALL - END)
    tx, ty = np.gradient(x), np.gradient(y)
    size = np.hypot(tx, ty)
    tx, ty = tx / size, ty / size
    up = np.clip((y - TALL - 0.2) / (rise - 0.26), 0, 1) if carried else np.zeros(n)
    turn = 0.5 * np.pi * up * up * (3 - 2 * up)
    free = np.clip((y - TALL + 0.03) / 0.16, 0, 1)
    free = free * free * (3 - 2 * free)
    away = base + (0.0 if carried else 0.012) * np.sin(7 * np.linspace(0, np.pi, n) + 40 * base) * free

    def spot(i, across, thick):
        """At the line's i-th point: so far from its middle, so far above its lower side."""
        i = np.clip(np.rint(i).astype(int), 0, n - 1)
        flat, stood = np.cos(turn[i]), np.sin(turn[i])
        beside = across * flat - thick * stood
        px, py = x[i] - ty[i] * beside, y[i] + tx[i] * beside
        lies = np.where(behind, -0.02, seam_height(px, py) + 0.006) * (1 - free[i]) + away[i] * free[i]
        py = py + (0 if behind else 0.018 * up[i])  # one lies on the other in the hand
        return px, py, lies * (1 - up[i]) + base * up[i] + across * stood + thick * flat

    def point(r, c):
        edge = np.abs(r - 0.5) * 2
        folded = 0.016 * (1 - edge**8) - 0.005 * np.exp(-(((edge - EDGE_ROW) / 0.07) ** 2)) + 0.006
        return spot(c * (n - 1), (r - 0.5) * WIDTH, folded - 0.004 * crossed(r, c))

    def crossed(r, c):
        """Where the thread of the crossed boxes draws the cloth in."""
        v, u = (y[np.rint(c * (n - 1)).astype(int)] - END - HEMMED) / BOX, (r - 0.5) / (0.5 * EDGE_ROW)
        inside = (v > -0.06) & (v < 1.06)
        return inside * sum(np.exp(-((d / 0.10) ** 2)) for d in (v * 2 - 1 - u, v * 2 - 1 + u, (v - 1) * 1.6, v * 1.6))

    made = paint(sheet('handle', 26, n - 1, point), cloth)
    webbing = made.modifiers.new('webbing', 'SOLIDIFY')
    webbing.thickness, webbing.offset = 0.014, -1
    sewn, half = [], 0.5 * EDGE_ROW * WIDTH

    def row(i, across):
        """A row of stitches over these points of the strap."""
        above, below = (np.stack(spot(i, across, np.full(len(i), h)), -1) for h in (0.021, 0.0))
        sewn.append(stitches('stitches', above, above - below, 0.017, 0.006, 0.0034))

    along = np.arange(0, n - 1, 0.5)
    for side in (-1, 1):
        row(along[4:-4], np.full(len(along) - 8, side * half))
    if not behind:
        first = np.array((HEMMED, HEMMED + BOX)) * (n - 1) / length
        for ends in (first, n - 1 - first):
            for a, b in ((-half, half), (half, -half)):
                row(np.linspace(*ends, 120), np.linspace(a, b, 120))
            for at in ends:
                row(np.full(80, at), np.linspace(-half, half, 80))
    return [made, *(paint(part, thread) for part in sewn)]


def build(front=lying(0.04), back=lying(-0.05), carried=False):
    canvas = dict(roughness=0.95, specular=0.1, sheen=0.25, grain=(120, 0.2, 0.004, 'weave'))
    cloth, webbing = material('canvas', 'A', **canvas), material('webbing', 'A', prints=False, **canvas)
    thread = material('thread', 'A', prints=False, roughness=0.75, specular=0.2, sheen=0.3)
    bag = paint(cut('bag', outline(), canvas_height, 0.008), cloth)
    printable(bag, lambda co: (0.5 + co.x / 1.7, 0.5 + (co.y + 0.06) / 1.7), lambda c, n: abs(c.x) < 0.86 and -0.92 < c.y < 0.80)
    return [
        bag,
        *handle(webbing, thread, back, True, 0.016, carried),
        *handle(webbing, thread, front, False, 0.040, carried),
    ]


VIEWS = {
    'front': dict(azimuth=0, elevation=89.9, margin=1.07),
    'detail': dict(azimuth=-18, elevation=50, near=((0.02, 0.28, 0.03), 0.83)),
}

if __name__ == '__main__':
    run(__file__, build, lying_light, VIEWS)
