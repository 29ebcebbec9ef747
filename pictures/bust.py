"""The plaster bust that wears hats: head, neck and shoulders as one body out of soft shapes, its eyes closed, without hair; 1 unit = 1 cm.

It looks along -y; z = 0 at the chin, the top of the skull is at 22.6. Shapes are distances, so they can be joined and carved softly.
"""

from headwear import crown, outward
from mathutils import Euler

from rooms import *

PLASTER_CAST, STUDIO_WALL = (0.74, 0.69, 0.62), (0.66, 0.59, 0.485)


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


def face(p):
    """Skull, face and neck."""
    m = mirrored(p)
    d = joined(egg(m, (0, 0.95, 14.1), (8.0, 9.65, 8.7)), egg(m, (0, 4.4, 8.8), (6.4, 5.4, 5.4)), 2.0)
    d = joined(d, egg(m, (0, -2.3, 8.5), (6.2, 6.3, 8.3)), 2.2)
    d = joined(d, path(m, [(0.9, -6.9, 1.4), (4.9, -0.6, 4.2), (6.1, 1.0, 9.2)], [1.45, 1.6, 1.3]), 2.2)  # jaw
    d = joined(d, egg(m, (0, -7.4, 1.5), (1.8, 1.75, 1.6)), 1.4)  # chin
    d = joined(d, egg(m, (4.2, -6.0, 8.9), (2.1, 1.35, 1.3), (0, 0, 34)), 2.6)  # cheekbones
    d = joined(d, rod(m, (0.6, -8.2, 12.7), (5.0, -6.4, 12.6), 0.8, 0.7), 1.5)  # brows
    d = carved(d, egg(m, (3.1, -10.0, 11.0), (1.9, 1.8, 1.35), (0, 0, 16)), 1.3)  # sockets
    d = joined(d, egg(m, (3.2, -7.0, 10.9), (1.75, 1.35, 1.25), (0, 0, 16)), 0.35)  # lids
    d = joined(d, path(m, [(0, -8.5, 12.4), (0, -9.6, 10.2), (0, -10.6, 7.95)], [0.85, 0.8, 0.92]), 0.9)  # nose
    d = joined(d, egg(m, (0, -8.9, 8.4), (1.55, 1.7, 1.6)), 0.8)
    d = joined(d, egg(m, (1.2, -9.55, 7.35), (0.66, 1.0, 0.7), (0, 0, 14)), 0.75)
    d = carved(d, egg(m, (0.62, -10.15, 6.5), (0.34, 0.62, 0.42), (0, 0, 14)), 0.3)
    d = joined(d, egg(m, (0, -6.95, 4.4), (2.9, 2.0, 2.3)), 1.5)  # mouth
    d = joined(d, egg(m, (0.75, -8.62, 4.68), (1.7, 0.66, 0.50), (0, 12, 26)), 0.4)
    d = joined(d, egg(m, (0.5, -8.50, 3.66), (1.65, 0.72, 0.60), (0, -9, 22)), 0.4)
    d = carved(d, path(m, [(0, -9.42, 4.20), (1.0, -9.2, 4.17), (2.45, -8.35, 4.20)], [0.08, 0.08, 0.14]), 0.2)
    d = carved(d, rod(m, (0, -9.75, 6.3), (0, -9.45, 5.3), 0.22, 0.3), 0.5)
    d = carved(d, egg(m, (0, -9.4, 2.75), (1.7, 0.5, 0.36)), 0.8)
    lash = [(1.62, -8.30, 10.70), (2.3, -8.45, 10.38), (3.2, -8.38, 10.22), (4.1, -7.95, 10.36), (4.75, -7.3, 10.66)]
    d = carved(d, path(m, lash, [0.05, 0.10, 0.12, 0.12, 0.06]), 0.2)
    d = joined(d, rod(m, (0, 1.6, 7), (0, 3.6, -9), 5.2, 5.5), 2.0)
    return joined(d, rod(m, (6.1, 3.0, 7.2), (1.4, -2.0, -9.2), 1.0, 0.8), 1.8)


def ears(p):
    """In a plane of their own: u runs backwards from where the ear grows on, v up, w out of it."""
    back, up = Vector((0.42, 0.91, 0)).normalized(), Vector((0.13, 0.22, 0.967)).normalized()
    out = back.cross(up).normalized()
    axes = np.array([back, out.cross(back), out], np.float32).T
    q = (mirrored(p) - np.array((6.9, 0.6, 9.2), np.float32)) @ axes / 1.13
    d = joined(egg(q, (1.2, 0.45, 0.0), (1.35, 2.45, 0.42)), egg(q, (0.75, 0.2, -0.65), (0.95, 1.7, 0.8)), 0.5)
    d = joined(d, egg(q, (0.72, -2.2, 0.05), (0.66, 0.8, 0.36)), 0.5)  # the lobe
    d = carved(d, path(q, [(1.05, 2.05, 0.5), (1.9, 1.95, 0.52), (2.08, 1.1, 0.52), (1.95, 0.2, 0.5), (1.6, -0.7, 0.46)], [0.24, 0.26, 0.24, 0.2, 0.1]), 0.2)
    d = carved(d, egg(q, (0.74, -0.05, 0.5), (0.72, 1.05, 0.8)), 0.2)  # the bowl
    inner = [(1.2, 1.75, 0.2), (1.5, 1.2, 0.26), (1.6, 0.4, 0.28), (1.4, -0.5, 0.26), (1.0, -1.12, 0.24), (0.6, -1.25, 0.2)]
    d = joined(d, path(q, inner, [0.16, 0.2, 0.22, 0.22, 0.24, 0.2]), 0.25)
    rim = [(0.75, 0.35, -0.1), (0.2, 0.65, 0.15), (0.0, 1.5, 0.2), (0.35, 2.4, 0.25), (1.1, 2.85, 0.28), (1.9, 2.65, 0.3)]
    rim += [(2.42, 2.0, 0.3), (2.55, 1.1, 0.28), (2.36, 0.1, 0.24), (1.98, -0.85, 0.18), (1.5, -1.7, 0.1), (1.1, -2.3, 0.05)]
    d = joined(d, path(q, rim, [0.16, 0.24, 0.28, 0.3, 0.3, 0.3, 0.29, 0.27, 0.25, 0.24, 0.24, 0.22]), 0.18)
    return 1.13 * joined(d, egg(q, (0.08, -0.25, 0.18), (0.36, 0.52, 0.42), (0, 0, -12)), 0.3)  # the lid of the bowl


def shoulders(p):
    m = mirrored(p)
    d = egg(m, (0, 3.0, -22), (17, 10.2, 15.5))
    d = joined(d, path(m, [(2.2, 4.6, 2), (5.0, 5.0, -3.5), (16.5, 4.6, -9.2)], [3.0, 3.0, 3.2]), 3.0)
    d = joined(d, egg(m, (17.6, 3.6, -13.4), (4.8, 5.2, 6.0)), 3.0)
    d = joined(d, rod(m, (18.4, 3.8, -14), (20.5, 4.4, -34), 4.8, 4.2), 2.0)
    return joined(d, path(m, [(1.8, -2.5, -9.4), (7.5, -0.9, -8.8), (15.5, 2.2, -8.2)], [0.8, 0.65, 0.7]), 1.8)  # collarbones


def bust(surface):
    def distance(p):
        d = joined(joined(face(p), shoulders(p), 2.2), ears(p), 0.45)
        # a hand has made it: no surface is quite even
        return d + 0.02 * ripple(p[..., 0] + 0.6 * p[..., 1], p[..., 2] - 0.4 * p[..., 1], 71, 2.6, waves=9)

    made = skin('bust', distance, (-25.5, -13, -22), (25.5, 16, 24.5), 0.11)
    soften = made.modifiers.new('soften', 'SMOOTH')
    soften.factor, soften.iterations = 0.5, 2
    return paint(made, surface)


def plaster_cast(color=PLASTER_CAST):
    """Gypsum as it comes out of a mold: clouded, with small pits."""
    made = material('plaster cast', color=color, roughness=0.8, specular=0.2)
    clouds, pits = noise(made, 0.22, detail=8, distortion=0.5, own=False), noise(made, 2.6, detail=3, own=False)
    both = blend(made, clouds, pits, 0.35)
    return textured(made, both, tuple(0.86 * c for c in color), tuple(1.08 * c for c in color), (both, 0.25, 0.03))


def sweatband(cloth):
    """The band inside a hat, which closes the gap between crown and brim."""
    def lining(r, c):
        th, ph = (c * 2 - 1) * math.pi, 0.16 * r
        x, y, z = (p - n * 0.03 for p, n in zip(crown(th, ph), outward(th, ph)))
        return x, y, z - 0.03 * (1 - r)

    return paint(sheet('sweatband', 20, 240, lining, ring=True), cloth)


def portrait(kind, lined=False):
    """The bust in a hat that was modeled around its opening, before a studio's wall; 1 unit = 10 cm, as in the rooms."""
    hat = product(kind).build()
    laid = hat[0].parent
    laid.rotation_euler, laid.location = (0, 0, 0), (0, 0, 0)
    if not lined:
        hat.append(sweatband(hat[-3].data.materials[0]))
        hat[-1].parent = laid
    bring(hat, 9.4, (0, 0.1, 1.46), (-9, 0, 0))
    figure = bust(plaster_cast())
    figure.scale = (0.1,) * 3
    wall(plaster(STUDIO_WALL), 7)
    ambient(0.23, (1, 0.96, 0.90))
    softbox((2.2, -7.4, 5.0), (0, 0, 1.2), 2.6, 800, color=(1, 0.93, 0.84))
    softbox((-7, -3.5, 1.5), (0, 0, 1.2), 4.5, 170, color=(1, 0.92, 0.82))
    softbox((1.5, -7.5, -1.5), (0, -0.5, 1.0), 3, 130, color=(1, 0.94, 0.86))  # under the brim
    softbox((-4.4, 3.6, 4.4), (0, 0, 1.7), 1.6, 150).data.spread = 1.2
    softbox((3.5, 1.0, 5.5), (1.2, 7, 1.0), 4, 900, color=(1, 0.92, 0.82))  # on the wall
    return hat
