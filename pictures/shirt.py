"""What the t-shirt and the polo share: the cut pieces of a shirt laid flat, size M, 52 cm across, 72 cm long; 1 unit = 36 cm.

Folds are formulas over the flat pattern, so the outline keeps its clean cut and a print stays straight on the cloth.
"""

from studio import *

COTTON = dict(roughness=0.95, specular=0.1, sheen=0.35, grain=(170, 0.22, 0.004, 'pile'))
NECK = (0.262, 0.955)  # where shoulder and neckline meet
ARMPIT = (0.735, 0.37)
CUFF_OUT, CUFF_IN = (1.065, 0.36), (0.855, 0.235)

FOLDS = [
    # from the armpits towards the middle, from the shoulders downwards, then what is left of being folded and carried
    ((-0.70, 0.40), -38, 0.85, 0.050, 0.024),
    ((-0.72, 0.30), -58, 0.90, 0.060, 0.020),
    ((0.70, 0.42), 216, 0.80, 0.050, 0.022),
    ((0.72, 0.28), 240, 0.95, 0.065, 0.022),
    ((-0.52, 0.74), -74, 1.00, 0.070, 0.014),
    ((0.50, 0.70), 254, 1.05, 0.070, 0.015),
    ((-0.69, -0.12), -14, 0.75, 0.055, 0.014),
    ((0.69, -0.20), 196, 0.70, 0.060, 0.015),
    ((-0.60, -1.05), 62, 0.90, 0.080, 0.020),
    ((-0.12, -1.07), 84, 0.85, 0.080, 0.018),
    ((0.38, -1.07), 104, 1.00, 0.080, 0.022),
    ((0.68, -0.70), 150, 0.80, 0.060, 0.014),
    ((-0.30, 0.20), -66, 0.90, 0.090, 0.010),
    ((0.28, 0.05), 250, 0.90, 0.100, 0.010),
]
SLEEVE_FOLDS = [
    ((0.74, 0.40), 66, 0.40, 0.034, 0.020),
    ((0.80, 0.32), 52, 0.42, 0.034, 0.018),
    ((0.72, 0.62), -24, 0.42, 0.040, 0.014),
    ((0.90, 0.58), -78, 0.34, 0.036, 0.010),
]


def neckline(depth):
    """From the neck point at the right to the middle, `depth` below it."""
    x, y = NECK
    return bezier(NECK, (0.235, y - 0.55 * depth), (0.15, y - depth), (0, y - depth), 26)


def outline(front_depth):
    """The whole front, anticlockwise from the middle of the neckline; the left side is not quite the right one's mirror."""
    half = np.concatenate(
        [
            neckline(front_depth)[::-1],
            bezier(NECK, (0.40, 0.915), (0.56, 0.875), (0.675, 0.815), 16)[1:],
            bezier((0.675, 0.815), (0.80, 0.74), (0.955, 0.54), CUFF_OUT, 22)[1:],
            bezier(CUFF_OUT, (0.99, 0.315), (0.93, 0.275), CUFF_IN, 8)[1:],
            bezier(CUFF_IN, (0.805, 0.27), (0.765, 0.32), ARMPIT, 10)[1:],
            bezier(ARMPIT, (0.720, 0.1), (0.712, -0.55), (0.728, -1.055), 50)[1:],
            bezier((0.728, -1.055), (0.5, -1.075), (0.2, -1.08), (0, -1.08), 26)[1:],
        ]
    )
    whole = np.concatenate([half, (half * (-1, 1))[::-1][1:-1]])
    x, y = whole.T
    loose = np.clip((0.6 - y) / 0.4, 0, 1)  # neck and shoulders lie still
    shift = 0.011 * ripple(x, y, 4, 1.1) * loose
    return np.column_stack([x + shift, y + 0.006 * ripple(x, y, 5, 0.8) * loose])


def armholes():
    line = bezier((0.668, 0.825), (0.590, 0.70), (0.585, 0.52), ARMPIT, 40)
    return line, line * (-1, 1)


def cuffs(sx):
    return np.array([CUFF_OUT, (0.96, 0.297), CUFF_IN]) * (sx, 1)


def dip(d, at, width):
    return np.exp(-(((d - at) / width) ** 2))


def front_height(x, y, d):
    """The cloth's height over the table: two layers that round off to the edge, folds, seams and hems."""
    p = np.column_stack([x, y])
    z = 0.012 + 0.042 * np.sqrt(1 - np.exp(-d / 0.07))
    calm_edge = 1 - np.exp(-d / 0.06)
    # a fold that reaches an edge stays visible there, but lower
    wrinkled = sum(crease(x, y, *fold) for fold in FOLDS)
    wrinkled = wrinkled + sum(crease(sx * x, y, *fold) for sx in (1, -1) for fold in SLEEVE_FOLDS)
    wrinkled = wrinkled + 0.0075 * ripple(x, y, 11, 0.75, 1.8, 70) + 0.0034 * ripple(x, y, 12, 0.30, 1.7, 60)
    # sharp little crumples, only here and there
    patch = np.clip(ripple(x, y, 21, 0.9) * 0.6 - 0.1, 0, 1)
    wrinkled = wrinkled + 0.009 * patch * np.exp(-((ripple(x, y, 22, 0.42, 2.6, 55) / 0.34) ** 2))
    chest = 1 - 0.55 * np.exp(-((x / 0.42) ** 2) - (((y - 0.30) / 0.42) ** 2))  # smoothed by hand where the print is
    z = z + wrinkled * (0.25 + 0.75 * calm_edge) * chest

    seam = np.minimum(*(line_distance(line, p) for line in armholes()))
    z = z - 0.0100 * dip(seam, 0, 0.0085) + 0.0040 * dip(seam, 0.022, 0.014)
    hem = y + 1.08
    hem = np.minimum(hem, np.minimum(*(line_distance(cuffs(sx), p) for sx in (1, -1))))
    z = z - 0.0065 * dip(hem, 0.062, 0.0075) - 0.0050 * dip(hem, 0.044, 0.0065) + 0.0035 * dip(hem, 0.022, 0.016)
    z = z + 0.0018 * dip(hem, 0.03, 0.02) * np.sin(170 * (x + 0.3 * y))  # a hem is drawn in a little by its thread
    return z


def front(cloth, depth, spacing=0.0085):
    shirt = paint(cut('front', outline(depth), front_height, spacing), cloth)
    # 30 x 36 cm on the chest
    return printable(shirt, lambda co: (0.5 + co.x / 0.84, (co.y + 0.28) / 1.0), lambda c, n: abs(c.x) < 0.45 and -0.32 < c.y < 0.75)


def back(cloth):
    """The inside of the back, seen through the neck opening."""
    piece = [(-0.262, 0.95), *(neckline(0.05) * (-1, 1)), *neckline(0.05)[::-1][1:], (0.25, 0.66), (-0.25, 0.66)]
    return paint(cut('back', piece, lambda x, y, d: 0.027 + 0.003 * ripple(x, y, 31, 0.3), 0.012), cloth)


def band(name, outer, inner, cloth, base, arch, ribs=0):
    """A sewn-on strip between two lines; `base` its height, `arch` how far its middle rises, `ribs` the number of knit ribs."""
    n = 420
    along = np.linspace(0, 1, n + 1)
    lines = []
    for line in (outer, inner):
        line = np.asarray(line, float)
        run_length = np.concatenate([[0], np.cumsum(np.linalg.norm(np.diff(line, axis=0), axis=1))])
        lines.append(np.stack([np.interp(along * run_length[-1], run_length, line[:, k]) for k in (0, 1)], -1))

    def point(r, c):
        i = np.rint(c * n).astype(int)
        xy = lines[0][i] * (1 - r[..., None]) + lines[1][i] * r[..., None]
        z = base + arch * np.sin(np.clip(r, 0, 1) * math.pi) ** 0.55 + 0.0016 * np.sin(c * 2 * math.pi * ribs) * np.sin(r * math.pi)
        return xy[..., 0], xy[..., 1], z

    made = paint(sheet(name, 18, n, point), cloth)
    # seen from above, whichever way its lines run
    if sum(face.normal.z for face in made.data.polygons) < 0:
        made.data.flip_normals()
    return made
