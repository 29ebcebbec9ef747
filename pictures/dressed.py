"""The torso under the plaster bust, and the shirt that was dropped onto it (`cloth/worn.py`); 1 unit = 1 cm, as the bust."""

from bust import *
from shirt import COTTON, dip

SHIRT_UNIT = 36
NECK = (0.214, 0.992)  # the inner edge of the collar, at the shoulder
HIGH = -1.5 - NECK[1] * SHIRT_UNIT  # the level of the flat pattern's y = 0
ARM_END = (25.2, 4.0, -41.0)
ARMPIT, CUFF_OUT, CUFF_IN = (0.735, 0.37), (1.165, 0.525), (0.945, 0.160)
SPACING, BACK_DEPTH = 0.030, 0.022


def torso(p):
    """Chest, waist, hips, and arms that end above the elbow, as old statues' do."""
    m = mirrored(p)
    d = egg(m, (0, 3.4, -25), (17.2, 11.6, 19))
    d = joined(d, egg(m, (7.4, -4.0, -22.5), (7.8, 4.2, 6.4), (8, 0, 14)), 3.0)
    d = joined(d, egg(m, (0, 3.2, -46), (15.6, 10.8, 22)), 5.0)
    d = joined(d, egg(m, (0, 4.0, -72), (17.6, 12.0, 26)), 6.0)
    arm = joined(egg(m, (18.0, 3.6, -14.6), (4.8, 5.2, 6.4)), rod(m, (18.2, 3.8, -15), ARM_END, 5.0, 4.3), 2.5)
    along = np.array(ARM_END) - (18.2, 3.8, -15)
    cut_off = (m - np.array(ARM_END)) @ (along / np.linalg.norm(along))
    return joined(d, carved(arm, -cut_off, 0.4), 2.5)


def statue(p):
    return joined(joined(joined(face(p), shoulders(p), 2.2), torso(p), 2.0), hair(p, False), 0.15)


def seams():
    """The shirt's right half: lines of its pattern that front and back share, and the two necklines and hems that they do not."""
    top = np.concatenate([bezier(NECK, (0.36, 0.93), (0.56, 0.875), (0.675, 0.815), 16), bezier((0.675, 0.815), (0.80, 0.755), (1.02, 0.62), CUFF_OUT, 22)[1:]])
    below = np.concatenate([bezier(CUFF_IN, (0.86, 0.24), (0.775, 0.30), ARMPIT, 12), bezier(ARMPIT, (0.720, 0.1), (0.712, -0.55), (0.728, -1.055), 50)[1:]])
    return top, below


def layer(depth):
    """The flat points and triangles of a front or back: (points, faces, sewn), with `sewn` the points on seams, in the same order for both."""
    top, below = (evenly(line, SPACING) for line in seams())
    cuff = evenly(np.array([CUFF_OUT, CUFF_IN]), SPACING)
    hem = evenly(bezier((0.728, -1.055), (0.5, -1.075), (0.2, -1.08), (0, -1.08), 26), SPACING)
    neck = evenly(neck_curve(depth), SPACING * 0.7)
    half = np.concatenate([neck[::-1], top[1:], cuff[1:], below[1:], hem[1:]])
    edge = np.concatenate([half, (half * (-1, 1))[::-1][1:-1]])
    field = np.stack(np.meshgrid(np.arange(-1.2, 1.2, SPACING), np.arange(-1.1, 1.0, SPACING * 0.866)), -1)
    field[1::2, :, 0] += SPACING / 2
    field = field.reshape(-1, 2)
    field = field[within(edge, field)]
    field = field[line_distance(edge, field, closed=True) > 0.55 * SPACING]
    verts, _, faces, *_ = delaunay_2d_cdt([Vector(q) for q in np.vstack([edge, field]).tolist()], [], [list(range(len(edge)))], 1, 1e-6)
    points = np.array([v[:] for v in verts])
    sewn_line = np.vstack([line * (side, 1) for side in (1, -1) for line in (top, below)])
    sewn = [int(np.argmin(((points - q) ** 2).sum(1))) for q in sewn_line]
    return points, [tuple(f) for f in faces], sewn


def sewn_shirt(depth):
    """Flat points (x, y, side) with front (-1) and back (+1) joined along the seams, and faces that look outward."""
    front_points, front_faces, front_sewn = layer(depth)
    back_points, back_faces, back_sewn = layer(BACK_DEPTH)
    number = np.full(len(back_points), -1)
    number[back_sewn] = front_sewn
    alone = np.flatnonzero(number < 0)
    number[alone] = len(front_points) + np.arange(len(alone))
    flat = np.concatenate([np.column_stack([front_points, np.full(len(front_points), -1.0)]), np.column_stack([back_points[alone], np.ones(len(alone))])])
    flat[front_sewn, 2] = 0
    return flat, front_faces + [tuple(number[list(f)][::-1]) for f in back_faces]


def neck_curve(depth):
    return bezier(NECK, (0.195, NECK[1] - 0.6 * depth), (0.125, NECK[1] - depth), (0, NECK[1] - depth), 80)


def neck_distance(flat, depth):
    """How far each flat point is from the neck's edge, on its own side of the shirt."""
    p = np.column_stack([np.abs(flat[:, 0]), flat[:, 1]])
    ahead, behind = line_distance(neck_curve(depth), p), line_distance(neck_curve(BACK_DEPTH), p)
    return np.where(flat[:, 2] > 0, behind, np.where(flat[:, 2] < 0, ahead, np.minimum(ahead, behind)))


def onto_body(spots, away):
    """Moves points to a distance from the body."""
    spots = spots.astype(np.float32)
    for _ in range(12):
        d = statue(spots)
        slope = np.stack([statue(spots + step) - d for step in np.eye(3, dtype=np.float32) * 0.05], -1) / 0.05
        spots = spots - (d - away)[:, None] * slope / np.maximum((slope**2).sum(-1, keepdims=True), 0.2)
    return spots


def doubled(points, faces, rounds, smooth):
    """The same mesh with finer faces; positions and pattern keep their order, so both can be doubled alike."""
    made = mesh('doubled', points.tolist(), faces)
    finer = made.modifiers.new('finer', 'SUBSURF')
    finer.levels = finer.render_levels = rounds
    finer.subdivision_type = 'CATMULL_CLARK' if smooth else 'SIMPLE'
    bpy.context.view_layer.update()
    shaped = bpy.data.meshes.new_from_object(made.evaluated_get(bpy.context.evaluated_depsgraph_get()))
    bpy.data.objects.remove(made)
    return shaped


def sewing(flat, depth):
    """The height that seams, hems and the collar give to the settled cloth, in the pattern's units."""
    x, y, side = flat.T
    p = np.column_stack([np.abs(x), y])
    armhole = line_distance(bezier((0.668, 0.825), (0.590, 0.70), (0.585, 0.52), ARMPIT, 40), p)
    hem = np.minimum(y + 1.08, line_distance(np.array([CUFF_OUT, CUFF_IN]), p))
    z = -0.0060 * dip(armhole, 0, 0.0085) + 0.0030 * dip(armhole, 0.022, 0.014)
    z = z - 0.0050 * dip(hem, 0.062, 0.0075) - 0.0040 * dip(hem, 0.044, 0.0065) + 0.0030 * dip(hem, 0.022, 0.016)
    z = z + 0.0060 * ripple(x, y, 11, 0.55, 1.8, 70) * np.clip((0.5 - y) / 0.8, 0.15, 0.6)
    return z


def collar(settled, flat, depth, rib):
    """A rib band along the settled neckline, evened out: its cloth was gathered there."""
    neck = neck_distance(flat, depth)
    seam = np.flatnonzero((neck > 0.045) & (neck < 0.085))
    middle = np.array([0, settled[seam, 1].mean()])
    angle = np.arctan2(settled[seam, 0], -(settled[seam, 1] - middle[1]))
    waves = lambda t: np.column_stack([f(k * t) for k in range(3) for f in ((np.cos, np.sin) if k else (np.cos,))])
    fitted = np.linalg.lstsq(waves(angle), settled[seam], rcond=None)[0]
    fitted[:2] += [[0, 0.008, 0.020], [0, 0.008, 0.022]]  # it closes higher in front than the loose cloth

    def point(r, c):
        t = (c * 2 - 1) * math.pi
        at = (waves(t.ravel()) @ fitted).reshape(*t.shape, 3)
        inward = np.stack([-np.sin(t), np.cos(t), 0 * t], -1)
        up = 0.42 + 0.34 * (0.5 - 0.5 * np.cos(t))  # it stands more at the back
        across = r * 0.068
        spot = at + inward * (across * np.sqrt(1 - up**2))[..., None] + np.stack([0 * t, 0 * t, across * up], -1)
        lift = 0.006 * np.sin(np.clip(r, 0.02, 0.98) * math.pi) ** 0.5 + 0.004 + 0.0014 * np.sin(t * 170) * np.sin(r * math.pi)
        spot = spot - inward * (lift * up)[..., None] + np.stack([0 * t, 0 * t, lift * np.sqrt(1 - up**2)], -1)
        return spot[..., 0], spot[..., 1], spot[..., 2]

    made = paint(sheet('collar', 16, 900, point, ring=True), rib)
    made.modifiers.new('cloth', 'SOLIDIFY').thickness = 0.007
    return made, lambda spots: (waves(np.arctan2(spots[:, 0], -(spots[:, 1] - middle[1]))) @ fitted)


def worn_shirt(name, depth, cloth, rib):
    flat, faces = sewn_shirt(depth)
    settled = np.load(os.path.join(HERE, 'cloth', f'{name}.npz'))['now'].astype(float)
    neck = neck_distance(flat, depth)
    band, seam_at = collar(settled, flat, depth, rib)
    # cloth beside the band follows its seam, what was gathered above it goes
    near = np.clip((0.17 - neck) / 0.10, 0, 1)[:, None] * (np.abs(neck - 0.065) < 0.11)[:, None]
    drawn = seam_at(settled)
    settled = settled * (1 - near) + (drawn + (settled - drawn) * np.array([1, 1, 0.35]) * np.clip((neck - 0.05) / 0.1, 0, 1)[:, None]) * near
    edges = np.array([(f[k], f[(k + 1) % 3]) for f in faces for k in range(3)])
    for _ in range(3):  # crumples finer than the mesh shows are evened out
        total, count = np.zeros_like(settled), np.zeros(len(settled))
        np.add.at(total, edges[:, 0], settled[edges[:, 1]])
        np.add.at(count, edges[:, 0], 1)
        settled = 0.5 * settled + 0.5 * total / count[:, None]
    kept = [f for f in faces if neck[list(f)].min() > 0.02]
    shirt = link(name, doubled(flat, kept, 2, False))
    pattern = np.array([v.co[:] for v in shirt.data.vertices])
    # the print is placed on the pattern, then the pattern on the body
    printable(shirt, lambda co: (0.5 + co.x / 0.84, (co.y + 0.28) / 1.0), lambda c, n: abs(c.x) < 0.45 and -0.32 < c.y < 0.75 and c.z < -0.1)
    shaped = doubled(settled, kept, 2, True)
    spots = np.array([v.co[:] for v in shaped.vertices])
    normals = np.array([v.normal[:] for v in shaped.vertices])
    spots = spots + normals * sewing(pattern, depth)[:, None]
    shirt.data.vertices.foreach_set('co', spots.astype(np.float32).ravel())
    shirt.data.polygons.foreach_set('use_smooth', [True] * len(shirt.data.polygons))
    shirt.data.update()
    soften = shirt.modifiers.new('soften', 'SMOOTH')
    soften.factor, soften.iterations = 0.5, 3
    shirt.modifiers.new('cloth', 'SOLIDIFY').thickness = 0.006
    for part in (shirt, band):
        part.scale = (SHIRT_UNIT / 10,) * 3
    return [paint(shirt, cloth), band]


def dressed(name, depth, cloth, rib):
    """The statue in a shirt, before the wall of the hats' pictures."""
    parts = worn_shirt(name, depth, cloth, rib)
    body = skin('statue', lambda p: statue(p) + 0.35 * np.clip((-9 - p[..., 2]) / 5, 0, 1), (-32, -14, -84), (32, 20, 24), 0.22)
    body.scale = (0.1,) * 3
    paint(body, plaster_cast(tuple(0.76 * c for c in PLASTER_CAST)))
    wall(plaster(STUDIO_WALL), 7)
    ambient(0.20, (1, 0.96, 0.90))
    softbox((5.2, -6.0, 0.8), (0, 0, -2.6), 2.4, 900, color=(1, 0.93, 0.84))
    softbox((-7, -4.5, -2.5), (0, 0, -2.8), 4.5, 130, color=(1, 0.92, 0.82))
    softbox((-4.8, 3.6, 1.4), (0, 0, -1.7), 1.6, 140).data.spread = 1.2
    softbox((3.5, 1.0, 2.0), (1.2, 7, -2.6), 3, 260, color=(1, 0.92, 0.82))
    return parts
