"""What the t-shirt and the polo share: the cut pieces of a shirt laid flat, size M, 52 cm across, 73 cm long; 1 unit = 36 cm.

The outline keeps its clean cut and a print stays straight on the cloth: only heights come from the simulated one (`cloth/flat.py`).
"""

from studio import *

COTTON = dict(roughness=0.95, specular=0.1, sheen=0.35, grain=(170, 0.22, 0.004, 'pile'))
NECK = (0.262, 0.955)  # where shoulder and neckline meet
SHOULDER = (0.640, 0.836)
ARMPIT = (0.728, 0.285)
CUFF_OUT, CUFF_IN = (1.105, 0.488), (0.902, 0.120)
HEM = 0.056  # from an edge to the upper row of its stitches
ROWS = (HEM, HEM - 0.016)

# how a shirt may lie: its cloth, by how many degrees its right and its left sleeve are turned down, how far its hem is to the right
POSES = (
    (os.path.join(HERE, 'cloth', 'flat-1.npz'), 0, 0, 0),
    (os.path.join(HERE, 'cloth', 'flat-2.npz'), 15, 3, -0.055),
    (os.path.join(HERE, 'cloth', 'flat-3.npz'), -7, 13, 0.050),
)
pose = 1


# --- lines -----------------------------------------------------------------------------------------------------------


def neckline(depth):
    """From the neck point at the right to the middle, `depth` below it."""
    x, y = NECK
    return bezier(NECK, (0.250, y - 0.62 * depth), (0.145, y - depth), (0, y - depth), 40)


def cuff():
    return bezier(CUFF_OUT, (1.045, 0.360), (0.975, 0.235), CUFF_IN, 14)


def bottom():
    return bezier((0.716, -1.070), (0.5, -1.092), (0.2, -1.098), (0, -1.098), 30)


def silhouette():
    """Half the edge that lies on the table, from the right neck point down to the middle of the hem."""
    return np.concatenate(
        [
            bezier(NECK, (0.38, 0.922), (0.54, 0.880), SHOULDER, 16),
            bezier(SHOULDER, (0.735, 0.790), (0.93, 0.640), CUFF_OUT, 22)[1:],
            cuff()[1:],
            bezier(CUFF_IN, (0.850, 0.165), (0.775, 0.225), ARMPIT, 12)[1:],
            bezier(ARMPIT, (0.706, 0.02), (0.690, -0.45), (0.716, -1.070), 60)[1:],
            bottom()[1:],
        ]
    )


def armhole():
    return bezier((0.634, 0.842), (0.566, 0.70), (0.560, 0.46), ARMPIT, 40)


def shoulder_seam():
    """It lies a little to the front."""
    return bezier((0.279, 0.918), (0.38, 0.884), (0.53, 0.838), (0.622, 0.800), 16)


def both(half):
    """The line from the right to the middle, and on to the left."""
    return np.concatenate([half, (half * (-1, 1))[::-1][1:]])


def laid(line):
    """Put down by hand: nothing is quite straight, nor the left side quite the right one's mirror."""
    x, y = line.T
    loose = np.clip((0.6 - y) / 0.4, 0, 1)  # neck and shoulders lie still
    shift = 0.0085 * ripple(x, y, 4, 1.1) + 0.0030 * ripple(x, y, 6, 0.42)
    rise = (0.006 * ripple(x, y, 5, 0.8) + 0.0022 * ripple(x, y, 7, 0.30)) * loose
    return np.column_stack([x + shift * loose, y + rise + 0.014 * hem_wave(x, y)])


def hem_wave(x, y):
    """Where the bottom hem lies in a soft fold, 1, and where flat, -1; none of it higher up. A fold draws the edge in."""
    wave = np.sin(2 * math.pi * x / 0.66 + 0.9) + 0.55 * np.sin(2 * math.pi * x / 0.37 + 2.6)
    return wave / 1.55 * np.clip((-0.62 - y) / 0.45, 0, 1) ** 2


def outline(depth):
    """The whole front, its neckline so deep."""
    return laid(both(np.concatenate([neckline(depth)[::-1], silhouette()[1:]]))[:-1])


def beside(line, away):
    """The line moved to its left."""
    step = np.gradient(np.asarray(line, float), axis=0)
    step /= np.linalg.norm(step, axis=1, keepdims=True)
    return line + away * np.column_stack([-step[:, 1], step[:, 0]])


def trimmed(line, by=0.012):
    """Without so much of both ends."""
    along = np.concatenate([[0], np.cumsum(np.linalg.norm(np.diff(line, axis=0), axis=1))])
    t = np.linspace(by, along[-1] - by, 240)
    return np.stack([np.interp(t, along, line[:, k]) for k in (0, 1)], -1)


# --- cloth -----------------------------------------------------------------------------------------------------------


def eased(value, low, high):
    t = np.clip((value - low) / (high - low), 0, 1)
    return t * t * (3 - 2 * t)


def dip(d, at, width):
    return np.exp(-(((d - at) / width) ** 2))


def settled(x, y):
    """The simulated height of the cloth."""
    stored = np.load(POSES[pose - 1][0])
    grid, (left, low), step = stored['height'].astype(float), stored['corner'], float(stored['step'])
    a, b = np.clip((x - left) / step, 0, grid.shape[1] - 1.001), np.clip((y - low) / step, 0, grid.shape[0] - 1.001)
    i, j = a.astype(int), b.astype(int)
    a, b = a - i, b - j
    return (grid[j, i] * (1 - a) + grid[j, i + 1] * a) * (1 - b) + (grid[j + 1, i] * (1 - a) + grid[j + 1, i + 1] * a) * b


def posed(build):
    """`build`, which lays a shirt flat, with the pose that it is to have. In all poses a print sits on the same cloth."""

    def lay(wanted=1):
        global pose
        pose = wanted
        parts = build()
        _, right, left, hem = POSES[pose - 1]
        for part in parts if pose > 1 else ():
            x, y, z = (np.array([v.co[:] for v in part.data.vertices]) + np.array(part.location)).T
            part.location = (0, 0, 0)
            middle = np.where(x < 0, -0.66, 0.66)  # of the shoulder, 0.60 up
            turn = np.radians(np.where(x < 0, left, -right)) * eased(np.abs(x), 0.64, 0.94) * eased(y, -0.3, 0.1)
            c, s, dx, dy = np.cos(turn), np.sin(turn), x - middle, y - 0.60
            across = hem * np.clip((0.3 - y) / 1.4, 0, 1) ** 2
            there = np.column_stack([middle + c * dx - s * dy + across, 0.60 + s * dx + c * dy, z])
            part.data.vertices.foreach_set('co', there.astype(np.float32).ravel())
            part.data.update()
        return parts

    return lay


def hem_lines(sleeves=True):
    """The edges that are turned under and sewn, all from right to left or downwards: the shirt's and the sleeves'."""
    return (laid(both(bottom())), laid(cuff()), laid(cuff() * (-1, 1)))[: 3 if sleeves else 1]


def front_height(x, y, _=None, sleeves=True, folds=1):
    """The cloth's height over the table: two layers that round off to the edge, folds, seams and hems.

    sleeves: whether theirs are hems too; folds: -1 mirrors them.
    """
    p, half = np.column_stack([x, y]), np.column_stack([np.abs(x), y])
    edge = line_distance(laid(both(silhouette())), p)
    calm_neck = 1 - np.exp(-((np.maximum(0, np.hypot(x / 0.30, (y - 0.90) / 0.24) - 0.75) / 0.5) ** 2))
    chest = 1 - 0.45 * np.exp(-((x / 0.40) ** 2) - (((y - 0.24) / 0.42) ** 2))  # smoothed by hand where the print is
    z = 0.005 + 0.014 * np.sqrt(1 - np.exp(-edge / 0.020))
    z = z + 1.7 * settled(folds * x, y) * chest * calm_neck * (0.35 + 0.65 * (1 - np.exp(-edge / 0.035)))
    z = z + 0.0011 * ripple(x, y, 12, 0.16, 1.5, 60) + 0.013 * np.maximum(0, hem_wave(x, y))

    seam = line_distance(armhole(), half)
    pucker = np.sin(95 * y + 14 * x) + 0.6 * np.sin(61 * y - 9 * x + 1)
    z = z - 0.0046 * dip(seam, 0, 0.0052) + (0.0012 + 0.0007 * pucker) * dip(seam, 0.014, 0.009)
    shoulder = line_distance(shoulder_seam(), half)
    z = z - 0.0036 * dip(shoulder, 0, 0.0050) + 0.0016 * dip(shoulder, 0.013, 0.007)
    hem = np.minimum.reduce([line_distance(line, p) for line in hem_lines(sleeves)])
    pucker = np.sin(88 * (x + 0.35 * y)) + 0.7 * np.sin(53 * (x - 0.8 * y) + 2)
    z = z + 0.0030 / (1 + np.exp((hem - HEM - 0.004) / 0.003))  # two layers of cloth
    for row in ROWS:
        z = z - 0.0034 * dip(hem, row, 0.0045)
    return z + 0.0008 * pucker * dip(hem, HEM - 0.014, 0.022)  # a hem is drawn in a little by its thread


def front(cloth, depth, height=front_height, spacing=0.0075):
    shirt = paint(cut('front', outline(depth), height, spacing), cloth)
    # 30 x 36 cm on the chest
    return printable(shirt, lambda co: (0.5 + co.x / 0.84, (co.y + 0.28) / 1.0), lambda c, n: abs(c.x) < 0.45 and -0.32 < c.y < 0.75)


def back(cloth):
    """The back, which peeps out a little below the hem and the sleeves."""
    edge = outline(0.05)
    edge[:, 1] -= 0.0075 * np.clip((0.5 - edge[:, 1]) / 0.3, 0, 1)
    return paint(cut('back', edge, lambda x, y, d: 0.002 + 0.004 * np.sqrt(1 - np.exp(-d / 0.006)), 0.014), cloth)


# --- what is sewn on -------------------------------------------------------------------------------------------------


def sewn(line, height, surface, long=0.0115, gap=0.0042, thick=0.0021):
    """A row of stitches along a line on the cloth, each a short piece of thread."""
    spots = evenly(np.asarray(line, float), long + gap)
    middle, toward = (spots[1:] + spots[:-1]) / 2, spots[1:] - spots[:-1]
    toward /= np.linalg.norm(toward, axis=1, keepdims=True)
    z = height(middle[:, 0], middle[:, 1])
    slope = (height(*(middle + toward * 0.004).T) - z) / 0.004
    # five rings of a capsule
    at, size, around = np.array([-1, -0.72, 0, 0.72, 1]), np.array([0.25, 0.9, 1, 0.9, 0.25]), np.arange(6) * math.pi / 3
    along = at[:, None] * long / 2 + 0 * around
    across, up = size[:, None] * thick * np.cos(around), size[:, None] * thick * np.sin(around)
    each = lambda values: values[:, None, None]
    x = each(middle[:, 0]) + along * each(toward[:, 0]) - across * each(toward[:, 1])
    y = each(middle[:, 1]) + along * each(toward[:, 1]) + across * each(toward[:, 0])
    level = each(z) + along * each(slope) + up + 0.35 * thick
    verts = np.stack([x, y, level], -1).reshape(-1, 3)
    quads = np.array([(r * 6 + k, r * 6 + (k + 1) % 6, (r + 1) * 6 + (k + 1) % 6, (r + 1) * 6 + k) for r in range(4) for k in range(6)])
    faces = (np.arange(len(middle))[:, None, None] * 30 + quads).reshape(-1, 4)
    return paint(mesh('stitches', verts.tolist(), faces.tolist()), surface)


def hems(thread, height=front_height, sleeves=True):
    """Two rows at each hem, one beside each seam at the shoulders."""
    inward = (-1, -1, 1)
    parts = [sewn(trimmed(beside(line, side * row)), height, thread) for row in ROWS for line, side in zip(hem_lines(sleeves), inward)]
    return parts + [sewn(beside(shoulder_seam(), -0.011) * (side, 1), height, thread) for side in (1, -1)]


def band(name, outer, inner, cloth, base, thick=0.0065, ribs=0, ends=0.0):
    """A sewn-on strip between two lines: `thick` over `base`, a height or what gives it, with so many knit ribs; its ends bend down by `ends`."""
    n = 1400
    along = np.linspace(0, 1, n + 1)
    lines = []
    for line in (outer, inner):
        line = np.asarray(line, float)
        run_length = np.concatenate([[0], np.cumsum(np.linalg.norm(np.diff(line, axis=0), axis=1))])
        lines.append(np.stack([np.interp(along * run_length[-1], run_length, line[:, k]) for k in (0, 1)], -1))
    wide = np.linalg.norm(lines[0] - lines[1], axis=1)

    def point(r, c):
        i = np.rint(c * n).astype(int)
        xy = lines[0][i] * (1 - r[..., None]) + lines[1][i] * r[..., None]
        inside = np.minimum(r, 1 - r) * wide[i]
        under = base(xy[..., 0].ravel(), xy[..., 1].ravel()).reshape(r.shape) if callable(base) else base
        z = under + thick * (1 - np.exp(-((inside / 0.0042) ** 0.8))) + 0.0012 * np.sin(r * math.pi)
        z = z + 0.0011 * np.cos(c * 2 * math.pi * ribs) * np.clip(inside / 0.008, 0, 1) * bool(ribs)
        z = z - ends * np.exp(-np.minimum(c, 1 - c) * 0.7 / 0.012)
        return xy[..., 0], xy[..., 1], z

    made = paint(sheet(name, 24, n, point), cloth)
    # seen from above, whichever way its lines run
    if sum(face.normal.z for face in made.data.polygons) < 0:
        made.data.flip_normals()
    return made


def label(x, y, z):
    """The woven label inside the neck, with the shop's name: no size, since one picture stands for all."""
    linen = material('label', color=(0.66, 0.62, 0.53), roughness=0.85, grain=(260, 0.15, 0.002, 'weave'))
    ink = material('lettering', color=(0.045, 0.040, 0.036), roughness=0.9)
    wide, tall = 0.150, 0.056
    height, down = 0.0168, 0.028
    bent = lambda across, down: z + 0.0022 * np.sin(2.6 * across + 1) + 0.0016 * down
    piece = sheet('label', 10, 30, lambda r, c: (x + (c - 0.5) * wide, y - tall * r, bent(c, r)))
    piece.data.flip_normals()
    data = bpy.data.curves.new('lettering', 'FONT')
    data.body, data.size, data.align_x, data.align_y = 'PAWTELIER', height * 1.37, 'CENTER', 'CENTER'
    data.space_character = 1.12
    curve = link('lettering', data)
    bpy.context.view_layer.update()
    name = bpy.data.meshes.new_from_object(curve.evaluated_get(bpy.context.evaluated_depsgraph_get()))
    bpy.data.objects.remove(curve)
    for v in name.vertices:
        v.co = (x + v.co.x, y - down + v.co.y, bent(v.co.x / wide + 0.5, (down - v.co.y) / tall) + 0.0012)
    return [paint(piece, linen), paint(link('lettering', name), ink)]


def without_print(parts):
    """The shirt with a blank neck label: seen from across a room, its letters would be smudges."""
    letters = [part for part in parts if part.name.startswith('lettering')]
    kept = [part for part in parts if part not in letters]
    for part in letters:
        bpy.data.objects.remove(part)
    return kept
