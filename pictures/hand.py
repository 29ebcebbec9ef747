"""A plaster hand with its forearm, as sculptors cast them, posed by its joints; 1 unit = 1 cm, 19 cm from wrist to middle fingertip.

It is a right hand: its wrist is at the origin, fingers along y, back of the hand up, thumb at -x. Fingers close around a thing, given
as a distance, until each of their bones touches it; the flesh is then pressed flat where it would enter the thing.
"""

from bust import *
from mathutils import Matrix

# the knuckle, the bones' lengths (the last to the middle of the tip), the radii at the joints and at the tip, the spread
FINGERS = {
    'index': ((-3.0, 8.5, 0.05), (4.4, 2.55, 1.8), (1.06, 0.90, 0.78, 0.62), 5),
    'middle': ((-0.9, 8.9, 0.35), (4.75, 2.95, 1.85), (1.08, 0.92, 0.80, 0.64), 1),
    'ring': ((1.15, 8.45, 0.15), (4.35, 2.75, 1.85), (1.02, 0.87, 0.76, 0.60), -3),
    'little': ((2.95, 7.6, -0.3), (3.4, 2.0, 1.6), (0.90, 0.75, 0.66, 0.53), -9),
}
THUMB = ((-2.5, 2.2, -0.9), (4.5, 3.3, 2.1), (1.30, 1.12, 1.02, 0.74))

ROLLED = {'index': -6, 'middle': -1, 'ring': 5, 'little': 12}  # knuckles lie in an arch
PRESS = 0.12

EASED = {'index': 0, 'middle': 1.5, 'ring': -2.5, 'little': -9}  # no two fingers close alike; the little one rests

CAST = (0.70, 0.655, 0.585)  # chalk: warmer plaster would pass for skin
GROUND = (0.68, 0.60, 0.485)  # lighter than behind the head: what is carried fills less of the picture


def rotation(axis, degrees):
    return np.array(Euler([math.radians(degrees) if axis == k else 0 for k in 'xyz']).to_matrix())


def facing(along, palm):
    """A bone's axes as columns (side, along, back), of a bone that points along and whose palm side looks to `palm`."""
    y = np.array(along, float) / np.linalg.norm(along)
    z = -np.array(palm, float)
    z -= (z @ y) * y
    z /= np.linalg.norm(z)
    return np.column_stack([np.cross(y, z), y, z])


def bones(start, axes, lengths, bends):
    """Each bone as (start, axes, length): every joint bends towards the palm side."""
    out, at = [], np.array(start, float)
    for length, bend in zip(lengths, bends):
        axes = axes @ rotation('x', -bend)
        out.append((at, axes, length))
        at = at + axes[:, 1] * length
    return out


def closing(start, axes, lengths, radii, thing, bends, limits, whole):
    """The bends at which the bones touch the thing one after the other, from `bends` on; `whole`: no bone after it may enter the thing."""
    bends = list(bends)
    for i in range(len(lengths)):
        first = bends[i]
        for bend in np.arange(first, limits[i], 1.0):
            bends[i] = bend
            t = np.linspace(0.35, 1, 9)
            touched = [
                (thing((at + np.outer(t * length, turned[:, 1])).astype(np.float32)) - (radii[k] + (radii[k + 1] - radii[k]) * t)).min() < -PRESS
                for k, (at, turned, length) in enumerate(bones(start, axes, lengths, bends))
                if k == i or (whole and k > i)
            ]
            if any(touched):
                break
    return bends


def local(p, bone):
    return (p - bone[0].astype(np.float32)) @ bone[1].astype(np.float32)


def loft(q, sections):
    """A body along -y whose oval cross section follows (y, half width, half height, square)."""
    s = np.array(sections, float)[::-1]
    y = q[..., 1]
    w, h, n = (np.interp(y, s[:, 0], s[:, k]).astype(np.float32) for k in (1, 2, 3))
    round_ = (np.abs(q[..., 0] / w) ** n + np.abs(q[..., 2] / h) ** n) ** (1 / n)
    side = (round_ - 1) * np.minimum(w, h)
    return np.maximum(side, np.maximum(y - s[-1, 0], s[0, 0] - y))


def digit(p, chain, radii, is_thumb=False):
    """A finger: bones, pads on its palm side, knuckles, a nail."""
    d = None
    for i, (at, axes, length) in enumerate(chain):
        a, b = radii[i], radii[i + 1]
        spot = lambda t, up=0.0: at + axes[:, 1] * length * t + axes[:, 2] * up
        waist = 0.5 * (a + b) * (0.97 if i < 2 else 1.0)
        part = path(p, [spot(0), spot(0.5, -0.02), spot(1)], [a, waist, b])
        d = part if d is None else joined(d, part, 0.16)
        q = local(p, chain[i])
        # flesh: fuller towards the palm, most of all under the tip
        if i < 2:
            pad = egg(q, (0, 0.5 * length, -0.42 * waist), (0.86 * waist, 0.52 * length, 0.68 * waist))
        else:
            pad = egg(q, (0, 0.66 * length, -0.26 * b), (1.03 * b, 0.62 * length, 0.95 * b))
        d = joined(d, pad, 0.7)
        if i > 0:  # the joint before this bone
            r = radii[i]
            d = joined(d, egg(q, (0, 0.02, 0.22 * r), (0.90 * r, 0.66 * r, 0.74 * r)), 0.4)
            # skin lies in wrinkles there, until the joint is bent
            straight = max(0.0, chain[i - 1][1][:, 1] @ axes[:, 1]) ** 2
            d = d + 0.025 * straight * np.cos(24 * q[..., 1]) * np.exp(-((q[..., 1] / 0.34) ** 2)) * np.clip(q[..., 2] / r, 0, 1)
    q, b = local(p, chain[-1]), radii[-1]
    length = chain[-1][2]
    wide = 1.16 if is_thumb else 1.0
    nail = egg(q, (0, 0.86 * length, 0.36 * b), (0.84 * b * wide, 0.44 * length, 0.70 * b), (5, 0, 0))
    return joined(d + 0.06 * np.exp(-((nail / 0.09) ** 2)), nail + 0.012, 0.06)  # in the fold around it


def arm(p, wrist):
    """From the wrist to below the elbow; wrist = (bend towards the back, bend towards the thumb), of the hand against the arm."""
    axes = rotation('z', wrist[1]) @ rotation('x', -wrist[0])
    q = p @ axes.astype(np.float32)
    d = loft(q, [(2.5, 1.2, 0.6, 2), (0.5, 2.5, 1.5, 2.2), (-1.5, 2.8, 1.9, 2.3), (-4, 2.95, 2.15, 2.2), (-7, 3.25, 2.55, 2.1), (-11, 3.8, 3.2, 2), (-16, 4.3, 3.9, 2), (-22, 4.7, 4.4, 2), (-40, 5.2, 5.0, 2)])
    d = joined(d, egg(q, (2.05, -1.5, 1.15), (0.8, 1.1, 0.75)), 0.8)  # the end of the ulna
    for x, z in ((-0.55, -1.75), (0.3, -1.82)):  # tendons
        d = joined(d, path(q, [(x, 0.6, z + 0.25), (x * 0.9, -3, z - 0.12), (x * 0.7, -8, z - 0.6)], [0.2, 0.22, 0.1]), 0.6)
    return d


def palm(p, thumb):
    """The middle of the hand, which its fingers grow out of."""
    d = loft(p, [(8.2, 3.75, 0.95, 2.6), (6, 3.75, 1.2, 2.6), (3, 3.4, 1.5, 2.5), (1, 2.95, 1.7, 2.4), (-0.5, 2.6, 1.55, 2.3), (-2, 1.7, 0.9, 2)])
    for (knuckle, _, radii, _) in FINGERS.values():
        x, y, z = knuckle
        d = joined(d, rod(p, (0.36 * x, 1.0, 0.35), (x, y, z), 1.25, radii[0] * 1.0), 0.55)
        d = joined(d, egg(p, (x, y - 0.15, z + 0.42), (0.72, 0.95, 0.74)), 0.35)  # knuckles
        d = joined(d, rod(p, (0.30 * x, 1.2, 1.55), (x, y - 0.5, z + 1.02), 0.10, 0.17), 0.45)  # tendons
        d = joined(d, egg(p, (0.96 * x, y + 0.5, z - 0.72), (0.95, 1.05, 0.72)), 0.6)  # the cushion under the knuckle
    d = joined(d, egg(p, (2.75, 3.6, -0.75), (1.35, 3.3, 1.35), (0, 0, -4)), 0.9)  # the ball of the little finger
    (at, axes, length), knuckle = thumb[0], thumb[1][0]
    middle = at + axes[:, 1] * length * 0.45 - axes[:, 2] * 0.25
    ball = local(p, thumb[0])
    d = joined(d, egg(ball, (0.25, 0.42 * length, -0.35), (1.55, 0.62 * length, 1.5)), 1.1)
    # the web between thumb and index finger
    base = np.array(FINGERS['index'][0])
    d = joined(d, path(p, [0.8 * knuckle + 0.2 * middle, 0.5 * middle + 0.5 * (base + (0.4, -3.2, -0.4)), base + (0.3, -1.6, -0.4)], [0.72, 0.62, 0.8]), 1.5)
    return d


def turned_thing(center, along, profile):
    """Distance to a thing of the lathe, in the hand's space: `along` points to its top, profile is (radius, height above the center) upwards."""
    a, c = np.array(along, np.float32), np.array(center, np.float32)
    radii, heights = np.array(profile, np.float32).T

    def thing(p):
        up = (p - c) @ a
        out = np.linalg.norm(p - c - up[..., None] * a, axis=-1) - np.interp(up, heights, radii)
        return np.maximum(0.9 * out, np.maximum(heights[0] - up, up - heights[-1])).astype(np.float32)

    return thing


def standing(center, along, azimuth, height, left=False):
    """Where a hand is that grips a thing standing at the room's origin: the palm looks at it from `azimuth`, its center at `height` (cm)."""
    a, n = np.array(along, float), np.array((0.0, 0.0, 1.0))
    own = np.column_stack([a, n, np.cross(a, n)])
    turn = math.radians(azimuth)
    up, out = np.array((0, 0, 1.0)), np.array((math.sin(turn), -math.cos(turn), 0))
    third = np.cross(up, out) * (-1 if left else 1)
    turned = np.column_stack([up, out, third]) @ own.T
    moved = np.array((0, 0, height)) - turned @ np.array(center)
    return Matrix([[*(0.1 * turned[i]), 0.1 * moved[i]] for i in range(3)] + [[0, 0, 0, 1]])


def plaster_hand():
    """Bare gypsum, dry and without shine: clouds, fine sand, dust in the hollows and worn edges. Its grain is color, which noise removal keeps."""
    made = material('plaster hand', color=CAST, roughness=1, specular=0)
    nodes, links = made.node_tree.nodes, made.node_tree.links
    clouds, sand = noise(made, 0.3, detail=8, distortion=0.5, own=False), noise(made, 9, detail=2, own=False)
    worn = nodes.new('ShaderNodeMapRange')
    worn.inputs['From Min'].default_value, worn.inputs['From Max'].default_value = 0.44, 0.56
    links.new(nodes.new('ShaderNodeNewGeometry').outputs['Pointiness'], worn.inputs['Value'])
    grain = blend(made, clouds, sand, 0.6)
    return textured(made, blend(made, grain, worn.outputs[0], 0.3), tuple(0.74 * c for c in CAST), tuple(1.10 * c for c in CAST))


def cast_light(side=-1, far=1.0):
    """A warm studio; the key stands on the left, or with side=1 on the right, and for large things as many times as `far`."""

    def lamp(at, to, width, watts, **more):
        return softbox(tuple(far * v for v in at), to, far * width, far * far * watts, **more)

    bpy.context.scene.cycles.sample_clamp_direct = 3  # what few samples find too bright would stay as a dot
    wall(plaster(GROUND), 7)
    ambient(0.20, (1, 0.955, 0.89))
    lamp((4.6 * side, -5.8, 5.2), (0, 0, 0.7), 1.9, 800, color=(1, 0.93, 0.84))
    lamp((-7 * side, -4.5, 1.5), (0, 0, 0.7), 4.5, 130, color=(1, 0.92, 0.82))
    lamp((-4.4 * side, 3.6, 4.4), (0, 0, 0.9), 1.6, 150).data.spread = 1.2
    softbox((3.5, 1.0, 5.5), (1.2, 7, 1.0), 3, 420, color=(1, 0.92, 0.82))  # on the wall


def hand(thing, place, wrist, thumb, bends=(4, 6, 4), limits=(88, 108, 72), thumb_bends=(0, 4, 6), thumb_limits=(30, 50, 70), spread=1.0, reach=-24, whole=False):
    """The hand around a thing, the distance to which is thing(points) in the hand's own space; `place` is its matrix in the room.

    bends, limits: of a finger's joints, between which they close. thumb: where its first bone points to, and where its palm side looks.
    """
    chains = {}
    for finger, (knuckle, lengths, radii, lean) in FINGERS.items():
        axes = rotation('z', lean * spread) @ rotation('y', ROLLED[finger])
        first, *others = closing(knuckle, axes, lengths, radii, thing, bends, limits, whole)
        chains[finger] = bones(knuckle, axes, lengths, [first + EASED[finger], *others])
    start, lengths, radii = THUMB
    axes = facing(*thumb)
    chains['thumb'] = bones(start, axes, lengths, closing(start, axes, lengths, radii, thing, thumb_bends, thumb_limits, whole))

    def distance(p):
        core = joined(palm(p, chains['thumb']), arm(p, wrist), 1.6)
        d = None
        for finger, chain in chains.items():
            radii = THUMB[2] if finger == 'thumb' else FINGERS[finger][2]
            grown = joined(core, digit(p, chain, radii, finger == 'thumb'), 0.6)
            d = grown if d is None else joined(d, grown, 0.10)
        d = carved(d, thing(p), 0.06)
        # a hand has made it: no surface is quite even
        return d + 0.018 * ripple(p[..., 0] + 0.6 * p[..., 1], p[..., 2] - 0.4 * p[..., 1], 71, 1.9, waves=7)

    ends = [chain[-1][0] + chain[-1][1][:, 1] * chain[-1][2] for chain in chains.values()]
    joints = [bone[0] for chain in chains.values() for bone in chain]
    far = (rotation('z', wrist[1]) @ rotation('x', -wrist[0])) @ np.array([0, reach, 0])
    spots = np.array([*ends, *joints, far])
    low, high = np.minimum(spots.min(0) - 2, (-4.6, -2, -3.5)), np.maximum(spots.max(0) + 2, (4.6, 9, 3))
    low[0], high[0] = min(low[0], far[0] - 5.6), max(high[0], far[0] + 5.6)
    low[1], low[2], high[2] = low[1] + 2, min(low[2], far[2] - 5.4), max(high[2], far[2] + 5.4)
    made = skin('hand', distance, tuple(low), tuple(high), 0.1)
    soften = made.modifiers.new('soften', 'SMOOTH')
    soften.factor, soften.iterations = 0.5, 3
    made.matrix_world = place
    return paint(made, plaster_hand())
