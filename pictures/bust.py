"""The head that wears hats, as a milliner has it: covered with linen, without eyes; soft shapes that casts are made of; 1 unit = 1 cm.

It looks along -y; z = 0 at the chin, the top of the skull is at 21.1. Shapes are distances, so they can be joined and carved softly.
"""

from headwear import crown, outward
from mathutils import Euler, Matrix

from rooms import *

STUDIO_WALL, HEAD_LINEN = (0.66, 0.59, 0.485), (0.70, 0.62, 0.51)
ROLL, DROOP = 0.1, 0.12  # how far a worn brim is bent at its sides and altogether, per unit of its length


def egg(p, center, radii, turn=(0, 0, 0)):
    """Roughly the distance to an ellipsoid."""
    q = p - np.array(center, np.float32)
    if any(turn):
        q = q @ np.array(Euler([math.radians(a) for a in turn]).to_matrix(), np.float32)
    r = np.array(radii, np.float32)
    near, far = np.linalg.norm(q / r, axis=-1), np.linalg.norm(q / (r * r), axis=-1)
    return near * (near - 1) / np.maximum(far, 1e-6)


def rod(p, a, b, ra, rb):
    """The distance to a rod with round ends that tapers from radius ra to rb."""
    a, b = np.array(a, np.float32), np.array(b, np.float32)
    t = np.clip((p - a) @ (b - a) / ((b - a) @ (b - a)), 0, 1)
    return np.linalg.norm(p - a - t[..., None] * (b - a), axis=-1) - (ra + (rb - ra) * t)


def path(p, points, radii):
    """Rods in a row."""
    out = rod(p, points[0], points[1], radii[0], radii[1])
    for i in range(1, len(points) - 1):
        out = np.minimum(out, rod(p, points[i], points[i + 1], radii[i], radii[i + 1]))
    return out


def joined(a, b, soft):
    h = np.clip(0.5 + 0.5 * (b - a) / soft, 0, 1)
    return b + (a - b) * h - soft * h * (1 - h)


def carved(a, b, soft):
    return -joined(-a, b, soft)


def skin(name, distance, low, high, step):
    """The surface where the distance is zero: one point in each cell of the grid that it crosses."""
    block = 12  # the surface runs through few blocks of cells; the others are known by their middles
    blocks = np.ceil((np.array(high) - low) / (step * block)).astype(int)
    middles = np.array(low) + (np.stack(np.meshgrid(*map(np.arange, blocks), indexing='ij'), -1) + 0.5) * step * block
    rough = distance(middles.astype(np.float32))
    v = rough.repeat(block, 0).repeat(block, 1).repeat(block, 2)
    near = np.argwhere(np.abs(rough) < 1.5 * step * block)
    fine = (np.stack(np.meshgrid(*[np.arange(block)] * 3, indexing='ij'), -1) * step).reshape(-1, 3)
    for some in np.array_split(near, len(near) // 300 + 1):
        values = distance((np.array(low) + some[:, None] * step * block + fine).astype(np.float32))
        for (i, j, k), cells in zip(some * block, values):
            v[i : i + block, j : j + block, k : k + block] = cells.reshape((block,) * 3)
    inside = v < 0
    n = np.array(v.shape) - 1
    corner = lambda a, d: a[d[0] : n[0] + d[0], d[1] : n[1] + d[1], d[2] : n[2] + d[2]]
    corners = [(i, j, k) for i in (0, 1) for j in (0, 1) for k in (0, 1)]
    count = sum(corner(inside, d).astype(np.int8) for d in corners)
    cells = np.argwhere((count > 0) & (count < 8))
    number = np.full(n, -1, np.int64)
    number[tuple(cells.T)] = np.arange(len(cells))
    total, found = np.zeros((len(cells), 3)), np.zeros(len(cells))
    for a in corners:
        for axis in range(3):
            if a[axis]:
                continue
            b = tuple(1 if k == axis else a[k] for k in range(3))
            va, vb = (v[tuple((cells + d).T)] for d in (a, b))
            crossed = (va < 0) != (vb < 0)
            t = np.where(crossed, va / np.where(crossed, va - vb, 1), 0)
            spot = np.array(a) + t[:, None] * (np.arange(3) == axis)
            total += spot * crossed[:, None]
            found += crossed
    points = np.array(low) + (cells + total / found[:, None]) * step
    faces = []
    for axis in range(3):
        one, two = (axis + 1) % 3, (axis + 2) % 3
        ahead = np.roll(inside, -1, axis)
        edges = np.argwhere(inside != ahead)
        edges = edges[(edges[:, one] > 0) & (edges[:, two] > 0) & (edges < n).all(1)]
        s1, s2 = (np.arange(3) == one).astype(int), (np.arange(3) == two).astype(int)
        quad = np.stack([number[tuple(e.T)] for e in (edges, edges - s1, edges - s1 - s2, edges - s2)], -1)
        out = inside[tuple(edges.T)]
        faces.append(np.where(out[:, None], quad, quad[:, ::-1]))
    return mesh(name, points.tolist(), np.concatenate(faces).tolist())


def mirrored(p):
    """Both halves at once."""
    return np.concatenate([np.abs(p[..., :1]), p[..., 1:]], -1)


def head(p):
    """Brow, nose and chin are only hinted at, so that a hat is what one looks at."""
    m = mirrored(p)
    d = joined(egg(m, (0, 0.8, 13.0), (7.7, 9.4, 8.1)), egg(m, (0, 4.0, 9.2), (5.9, 5.0, 5.4)), 2.0)
    d = joined(d, egg(m, (0, -1.7, 8.6), (5.9, 6.5, 8.4)), 2.4)
    d = joined(d, path(m, [(0.9, -5.9, 1.9), (4.3, -0.8, 4.4), (5.4, 0.8, 9.0)], [1.6, 1.6, 1.4]), 2.6)  # jaw
    d = joined(d, egg(m, (0, -6.4, 1.9), (2.1, 1.9, 1.9)), 2.0)  # chin
    d = joined(d, egg(m, (0, -6.3, 5.0), (3.4, 2.2, 3.0)), 2.4)
    d = joined(d, rod(m, (0, -7.9, 12.4), (4.6, -6.3, 12.2), 0.9, 0.8), 2.4)  # brows
    d = carved(d, egg(m, (3.2, -9.7, 9.9), (2.1, 1.9, 1.5), (0, 0, 16)), 2.6)
    d = joined(d, path(m, [(0, -7.9, 11.8), (0, -8.9, 9.4), (0, -9.5, 7.6)], [0.7, 0.75, 0.95]), 1.5)  # nose
    return joined(d, rod(m, (0, 1.8, 7), (0, 3.0, -12), 4.5, 5.0), 2.0)


def milliners_head(surface):
    made = skin('head', head, (-9, -13, -9), (9, 12, 24), 0.11)
    made.data.transform(Matrix.Scale(0.1, 4))  # linen is woven for the rooms
    soften = made.modifiers.new('soften', 'SMOOTH')
    soften.factor, soften.iterations = 0.5, 2
    return paint(made, surface)


def sweatband(cloth):
    """The band inside a hat, which closes the gap between crown and brim."""
    def lining(r, c):
        th, ph = (c * 2 - 1) * math.pi, 0.16 * r
        x, y, z = (p - n * 0.03 for p, n in zip(crown(th, ph), outward(th, ph)))
        return x, y, z - 0.03 * (1 - r)

    return paint(sheet('sweatband', 20, 240, lining, ring=True), cloth)


def bent(brim):
    """A brim that is worn has been rolled between two hands, and points down a little."""
    for part in brim:
        for v in part.data.vertices:
            across = min(abs(v.co.x) / 0.9, 1)
            out = max(0, -1.06 * math.sqrt(1 - across * across) - v.co.y)
            v.co.z -= (ROLL * across * across + DROOP) * out


def portrait(kind, lined=False, tilt=-9):
    """The head in a hat that was modeled around its opening, before a studio's wall; 1 unit = 10 cm, as in the rooms."""
    hat = product(kind).build()
    laid = hat[0].parent
    laid.rotation_euler, laid.location = (0, 0, 0), (0, 0, 0)
    bent(hat[-3:])
    if not lined:
        hat.append(sweatband(hat[-3].data.materials[0]))
        hat[-1].parent = laid
    bring(hat, 9.4, (0, 0.07, 1.235), (tilt, 0, 0))
    milliners_head(linen(HEAD_LINEN))
    wall(plaster(STUDIO_WALL), 7)
    ambient(0.23, (1, 0.96, 0.90))
    softbox((2.2, -7.4, 5.0), (0, 0, 1.2), 2.6, 800, color=(1, 0.93, 0.84))
    softbox((-7, -3.5, 1.5), (0, 0, 1.2), 4.5, 230, color=(1, 0.92, 0.82))
    softbox((1.5, -7.5, -1.5), (0, -0.5, 1.0), 3, 230, color=(1, 0.94, 0.86))  # under the brim
    softbox((-4.4, 3.6, 4.4), (0, 0, 1.7), 1.6, 150).data.spread = 1.2
    softbox((3.5, 1.0, 5.5), (1.2, 7, 1.0), 4, 900, color=(1, 0.92, 0.82))  # on the wall
    return hat
