"""Tote bag of canvas, 38 x 42 cm, laid flat with its handles; 1 unit = 21 cm."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
from studio import *

WIDE, TALL = 0.90, 1.0
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


def handle(cloth, sway, rise, base, behind, hung):
    """A strap in an arc; the front one is sewn onto the bag with crossed boxes, the one behind ends under it. `hung` from a peg it is taut."""
    n = 440
    t = np.linspace(0, 1, n)
    a = np.pi * t
    if hung:
        taut = softened([(-0.42, 0.70), (-0.40, 1.02), (-0.045, 1.98), (0.045, 1.98), (0.40, 1.02), (0.42, 0.70)], [0, 0.12, 0.06, 0.06, 0.12, 0], 12)
        x, y = evenly(np.array(taut), 0.001).T
        x, y = (np.interp(t, np.linspace(0, 1, len(x)), line) for line in (x, y))
    else:
        x = sway * np.sin(a) - 0.42 * np.cos(a) * (1 - 0.12 * np.sin(a) ** 2)
        y = 0.70 + (rise + 0.30) * np.sin(a) ** 0.60
    z = base + 0.030 * np.sin(a) + 0.012 * np.sin(5 * a + sway * 40)
    z = z + (np.where(y < TALL, -0.10, 0) if behind else 0.046 * np.clip((TALL + 0.04 - y) / 0.06, 0, 1))
    tx, ty = np.gradient(x), np.gradient(y)
    size = np.hypot(tx, ty)

    def point(r, c):
        i = np.clip(np.rint(c * (n - 1)).astype(int), 0, n - 1)
        across, edge = (r - 0.5) * 0.13, np.abs(r - 0.5) * 2
        up = 0.012 * (1 - edge**6) - 0.006 * np.exp(-(((edge - 0.76) / 0.06) ** 2))
        low = np.clip((y[i] - 0.70) / 0.17, 0, 1)
        sewn = np.exp(-(((low - 0.95) / 0.05) ** 2)) + np.exp(-((((r - 0.5) - (low - 0.5)) / 0.09) ** 2)) * (low < 1) + np.exp(-((((r - 0.5) + (low - 0.5)) / 0.09) ** 2)) * (low < 1)
        return x[i] - ty[i] / size[i] * across, y[i] + tx[i] / size[i] * across, z[i] + up - 0.005 * sewn

    made = paint(sheet('handle', 26, n - 1, point), cloth)
    thick = made.modifiers.new('webbing', 'SOLIDIFY')
    thick.thickness, thick.offset = 0.014, 0
    return made


def build(hung=False):
    canvas = dict(roughness=0.95, specular=0.1, sheen=0.25, grain=(120, 0.2, 0.004, 'weave'))
    cloth, webbing = material('canvas', 'A', **canvas), material('webbing', 'A', prints=False, **canvas)
    bag = paint(cut('bag', outline(), canvas_height, 0.008), cloth)
    printable(bag, lambda co: (0.5 + co.x / 1.7, 0.5 + (co.y + 0.06) / 1.7), lambda c, n: abs(c.x) < 0.86 and -0.92 < c.y < 0.80)
    return [bag, handle(webbing, -0.05, 0.54, 0.016, True, hung), handle(webbing, 0.03, 0.66, 0.030, False, hung)]


VIEWS = {
    'front': dict(azimuth=0, elevation=89.9, margin=1.14),
    'detail': dict(azimuth=-18, elevation=50, near=((0.02, 0.12, 0.03), 0.90)),
}

if __name__ == '__main__':
    run(__file__, build, lying_light, VIEWS)
