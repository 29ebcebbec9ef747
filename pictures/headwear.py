"""What the hats and the visor share: a six-panel crown and a stitched brim; 1 unit = 9.4 cm (crown 20 cm long, 17 cm wide)."""

from sewing import stitches
from studio import *

TWILL = dict(roughness=0.92, specular=0.15, sheen=0.45, grain=(92, 0.16, 0.004, 'weave'))
THREAD = dict(roughness=0.7, specular=0.25, sheen=0.3)
BRIM_SPAN = math.radians(69)
BRIM_REACH = 0.84
PRINT_WIDE = 1.25
BRIM_ROWS = [0.055 + 0.088 * k for k in range(7)]  # from its edge


def crown(th, ph):
    """The crown without its seams: th = azimuth from the front, ph = 0 at the opening .. 1 at the button."""
    a = np.asarray(ph) * math.pi / 2
    front = 0.5 + 0.5 * np.cos(th)
    up = np.sin(a) ** (0.94 - 0.14 * front)  # the front panels stand up before they bend over
    out = np.cos(a) ** (0.78 - 0.14 * front)
    lean = 0.16 * front * up * (1 - up) + 0.07 * up
    return 0.90 * np.sin(th) * out, -1.06 * np.cos(th) * out + lean, 1.04 * up


def outward(th, ph):
    step, p = 2e-3, np.clip(ph, 0.004, 0.99)
    around = np.stack(crown(th + step, p), -1) - np.stack(crown(th - step, p), -1)
    upward = np.stack(crown(th, p + step), -1) - np.stack(crown(th, p - step), -1)
    n = np.cross(around, upward)
    n /= np.maximum(np.linalg.norm(n, axis=-1, keepdims=True), 1e-9)
    return n[..., 0], n[..., 1], n[..., 2]


def off_seams(th, at):
    """How far th is from the nearest of the seams at these degrees."""
    d = np.full(np.shape(th), 9.0)
    for degrees in at:
        d = np.minimum(d, np.abs((th - math.radians(degrees) + math.pi) % (2 * math.pi) - math.pi))
    return d


def closer(c, at, half=math.pi):
    """Azimuths from -half to half for c = 0..1, much closer together beside seams, whose folds are narrow."""
    th = np.linspace(-half, half, 9000)
    grown = np.cumsum(1 + 3.5 * np.exp(-((off_seams(th, at) / 0.065) ** 4)))
    return np.interp(c, (grown - grown[0]) / (grown[-1] - grown[0]), th)


def gore(ph):
    """How long an azimuth of 1 is on a panel at this height."""
    return 0.95 * np.cos(np.asarray(ph) * math.pi / 2) ** 0.55


ROW = 0.034  # from a seam to the stitches beside it
HEM = 0.07


def seams(th, ph, at):
    """The height that sewing gives to the panels: two folds meet, a row of stitches pulls in the cloth at each side of them, and it swells between."""
    d = off_seams(th, at) * gore(ph)
    swell = 0.010 * (1 - np.exp(-((d / 0.12) ** 2))) * np.cos(ph * math.pi / 2) ** 0.5
    folds = 0.0045 * np.exp(-((d / 0.052) ** 6)) - 0.0065 * np.exp(-((d / 0.0055) ** 2)) - 0.0040 * np.exp(-(((d - ROW) / 0.0085) ** 2))
    pucker = 0.0013 * np.sin(ph * 118 + 5 * np.sin(3 * th)) * np.exp(-(((d - 0.062) / 0.026) ** 2))
    return (swell + folds + pucker) * np.clip((1 - ph) / 0.05, 0, 1)


def hem(th, distance):
    """A sewn edge, `distance` measured in units from it."""
    return -0.0045 * np.exp(-(((distance - HEM) / 0.009) ** 2)) + 0.0012 * np.sin(th * 57) * np.exp(-(((distance - HEM) / 0.03) ** 2))


def sewn(lines, height, thread, radius=0.0043):
    """Stitches along lines of azimuths and heights on the crown, whose cloth rises by height(th, ph)."""
    made = []
    for th, ph in lines:
        n = np.stack(outward(th, ph), -1)
        made.append(stitches('stitches', np.stack(crown(th, ph), -1) + n * np.asarray(height(th, ph))[:, None], n, 0.030, 0.011, radius))
    made = paint(joined_meshes(made), thread)
    made.data.flip_normals()  # only what faces the camera is printed
    return made


def joined_meshes(made):
    with bpy.context.temp_override(active_object=made[0], selected_editable_objects=made):
        bpy.ops.object.join()
    return made[0]


def beside_seams(at, low=0.035, high=0.93):
    """The two rows of stitches of each of these seams, for `sewn`."""
    ph = np.linspace(low, high, 400)
    return [(math.radians(degrees) + side * ROW / gore(ph), ph) for degrees in at for side in (-1, 1)]


def eyelet(th, ph, height, thread, dark):
    """A hole that is sewn around: spokes of thread, hardly higher than the cloth."""
    at, n = (np.array([float(v) for v in place(np.array(th), np.array(ph))]) for place in (crown, outward))
    at = at + n * float(height(np.array(th), np.array(ph)))
    right = np.cross((0, 0, 1), n)
    right /= np.linalg.norm(right)
    up = np.cross(n, right)

    def spot(r, c, out, rise):
        a = 2 * math.pi * c
        side, top = (out * np.cos(a))[..., None] * right, (out * np.sin(a))[..., None] * up
        return tuple(np.moveaxis(at + side + top + rise[..., None] * n, -1, 0))

    def ring(r, c):
        spoke = 0.5 + 0.5 * np.cos(2 * math.pi * 34 * c + 2.5 * np.sin(2 * math.pi * 5 * c))
        bulge = np.sin(math.pi * np.clip(r, 0, 1)) ** 0.6
        return spot(r, c, 0.019 + 0.029 * r + 0.0012 * spoke * np.clip(4 * r - 3, 0, 1), -0.006 + bulge * (0.0145 + 0.0035 * spoke))

    hole = sheet('hole', 2, 24, lambda r, c: spot(r, c, 0.024 * r, 0.003 + 0 * r), ring=True)
    return [paint(sheet('eyelet', 14, 408, ring, ring=True), thread), paint(hole, dark)]


def placed(flat):
    """Units of cloth as the passes hold them: a quarter of print areas' widths, from 1 below zero."""
    return ((flat / PRINT_WIDE + 1) / 4).ravel()


def weave(obj, th, ph, at):
    """Where each point is on its panel, which is flat cloth: up its middle and across it lengths are true. Threads break off at seams."""
    corners = np.empty(len(obj.data.loops), int)
    obj.data.loops.foreach_get('vertex_index', corners)
    th, ph = (np.broadcast_to(a, th.shape).ravel()[corners] for a in (th, ph))
    middles = np.angle(np.exp(1j * th).reshape(-1, 4).mean(1)) % (2 * math.pi)
    bounds = np.radians(sorted(at))
    panel = np.repeat(np.searchsorted(bounds, middles) % len(bounds), 4)
    out = np.zeros((len(th), 2))
    up, step = np.linspace(0, 1, 500), 1e-3
    for k, end in enumerate(bounds):
        here = panel == k
        middle = end - ((end - bounds[k - 1]) % (2 * math.pi)) / 2
        spine, beside = (np.stack(crown(np.full(500, at), up), -1) for at in (middle, middle + step))
        tall = np.concatenate([[0], np.cumsum(np.linalg.norm(np.diff(spine, axis=0), axis=1))])
        wide = np.linalg.norm(beside - spine, axis=1) / step
        out[here, 0] = ((th[here] - middle + math.pi) % (2 * math.pi) - math.pi) * np.interp(ph[here], up, wide)
        out[here, 1] = np.interp(ph[here], up, tall)
    obj.data.uv_layers.new(name='weave').data.foreach_set('uv', placed(out))
    return obj


def run_with_weave(script, build, light, views):
    """As `run`; and for a close-up where each pixel is on its panel: `weave`, measured in fours of the print's width; 0 has no threads."""
    given = arguments()
    folder, kind = os.path.abspath(given.get('folder', os.path.join(HERE, 'passes'))), os.path.splitext(os.path.basename(script))[0]
    if 'detail' in given.get('views', 'detail'):
        clear()
        size = int(given.get('size', 960))
        quality(1, size, size)
        bpy.context.scene.cycles.pixel_filter_type, bpy.context.scene.cycles.filter_width = 'BOX', 0.01  # no mean of two panels
        look(build(), **views['detail'])
        bpy.context.view_layer.material_override = made = bpy.data.materials.new('weave')
        made.use_nodes = True
        nodes, links = made.node_tree.nodes, made.node_tree.links
        nodes.clear()
        where, glow, out = (nodes.new(f'ShaderNode{name}') for name in ('UVMap', 'Emission', 'OutputMaterial'))
        where.uv_map = 'weave'
        links.new(where.outputs[0], glow.inputs[0])
        links.new(glow.outputs[0], out.inputs[0])
        os.makedirs(folder, exist_ok=True)
        seen = expose(['Image'], bpy.app.tempdir)['all'][..., :2]
        write_png(f'{folder}/{kind}.detail.weave.png', np.dstack([seen, seen[..., :1] > 0]))
    run(script, build, light, views)


def print_on_front(obj, low, tall, wide=PRINT_WIDE):
    """The design sits on the front panels, measured along the cloth: `wide` x `tall` units from the height `low`."""
    azimuth = lambda co: math.atan2(co.x, -co.y)
    printable(
        obj,
        lambda co: (0.5 + azimuth(co) * 0.98 / wide, (co.z - low) / tall),
        lambda c, n: c.y < -0.1 and abs(azimuth(c)) < 1.0 and low - 0.06 < c.z < low + tall + 0.05,
    )


def brim(cloth, under, thread):
    """From the crown's front arc outwards, bent down at its sides, with rows of stitches; returns its parts."""

    def surface(r, c, lift=0.0, is_sewn=True):
        th = (c * 2 - 1) * BRIM_SPAN
        x, y, _ = crown(th, np.zeros_like(th))
        side = np.abs(np.sin(th) / math.sin(BRIM_SPAN))
        reach = BRIM_REACH * np.sqrt(np.clip(1 - side**2.15, 0, 1))
        out = reach * r / BRIM_REACH
        wide = x * (1 + 0.05 * r * (1 - side**6))
        z = 0.02 + 0.04 * out - 0.36 * (np.abs(wide) / 0.9) ** 2 * out - 0.10 * out**1.7 - 0.03 * side**4 * np.clip(1 - 3 * out, 0, 1)
        rows = np.zeros_like(r)
        if is_sewn:
            inset = reach * (1 - r)
            for row in BRIM_ROWS:
                rows -= 0.0055 * np.exp(-(((inset - row) / 0.013) ** 2))
            rows *= np.clip(reach / 0.2, 0, 1)
        rounded = -0.018 * np.exp(-(((1 - r) * reach / 0.018) ** 2))
        # its inner edge, and its ends, are sewn in behind the crown's cloth
        tuck = np.clip(1 - out / 0.035, 0, 1)
        inside = 1 - 0.05 * tuck
        return wide * inside, (y - reach * r) * inside, z + rows + rounded + lift + 0.035 * tuck

    made = []
    for row in BRIM_ROWS:
        c = np.linspace(0, 1, 1500)
        reach = BRIM_REACH * np.sqrt(np.clip(1 - np.abs(np.sin((c * 2 - 1) * BRIM_SPAN) / math.sin(BRIM_SPAN)) ** 2.15, 0, 1))
        c, r = c[reach > row + 0.02], 1 - row / reach[reach > row + 0.02]
        line, step = np.stack(surface(r, c), -1), 1e-3
        sideways, inwards = (np.stack(surface(r - by, c - across), -1) - line for by, across in ((0, step), (step, 0)))
        n = np.cross(inwards, sideways)
        made.append(stitches('stitches', line, n / np.linalg.norm(n, axis=1)[:, None], 0.032, 0.012, 0.0048))
    top = paint(sheet('brim', 260, 700, surface), cloth)
    flat = np.array([top.data.vertices[loop.vertex_index].co[:2] for loop in top.data.loops])
    top.data.uv_layers.new(name='weave').data.foreach_set('uv', placed(flat + (0, 2.2)))
    joined_meshes([top, *(paint(part, thread) for part in made)])
    bottom = paint(sheet('under the brim', 60, 200, lambda r, c: surface(r, c, -0.05, False)), under)
    along = np.linspace(0, 1, 90)
    cord = tube('cord', np.stack(surface(np.ones(90), along, -0.022, False), -1).tolist(), 0.026)
    return [top, bottom, paint(cord, cloth)]


def set_down(parts, cord):
    """Lays it on a table: it rests on the sides of its brim and on the back of its opening."""
    holder = link('hat', None)
    for part in parts:
        part.parent = holder
    edge = np.array([v.co[:] for v in cord.data.vertices])
    lowest, back = edge[edge[:, 2].argmin()], np.array([0, 1.10, -0.01])
    holder.rotation_euler.x = -math.atan2(back[2] - lowest[2], back[1] - lowest[1])
    bpy.context.view_layer.update()
    holder.location.z = 0.004 - min((holder.matrix_world @ Vector(p)).z for p in (lowest, back))
    bpy.context.view_layer.update()
    return parts


def button(cloth):
    bpy.ops.mesh.primitive_uv_sphere_add(segments=48, ring_count=24, radius=0.072, location=(0, float(crown(0.0, 1.0)[1]), 1.058))
    made = bpy.context.object
    made.scale = (1, 1, 0.68)
    bpy.ops.object.shade_smooth()
    return paint(made, cloth)


def uneven(th, ph):
    """Cloth over buckram is never quite even, least of all at the back."""
    wave = 0.012 * np.sin(3 * th + 1.2) * np.sin(5 * ph + 0.6) + 0.007 * np.sin(7 * th + 4 * ph) * np.sin(9 * ph)
    return wave * (0.4 + 0.6 * (0.5 - 0.5 * np.cos(th))) * (1 - ph)
