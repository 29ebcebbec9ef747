"""The rooms in which products are photographed in use: a desk, a garden, a plastered wall, a sofa, a bed; nobody is in them.

1 unit = 10 cm here; `bring` scales a product from its own unit. Sun through a window (`sun`) gives a picture its direction,
the sky its shadows' color. A shot leaves the same files as in the studio, but the room fills the picture: `rest` holds it all.
"""

import importlib.util

from grain import without_grain
from studio import *

OAK, WALNUT, PINE, GREY_WOOD = (0.40, 0.245, 0.125), (0.16, 0.082, 0.040), (0.56, 0.40, 0.235), (0.33, 0.285, 0.235)
PLASTER, LINEN, CHALK = (0.74, 0.655, 0.55), (0.62, 0.55, 0.455), (0.78, 0.74, 0.68)

# --- surfaces --------------------------------------------------------------------------------------------------------


def textured(made, bright, low, high, bump=None):
    """Gives a material the colors `low` to `high` where the socket `bright` goes from 0 to 1, and a bump (socket, strength, distance)."""
    nodes, links = made.node_tree.nodes, made.node_tree.links
    surface = nodes['Principled BSDF']
    ramp = nodes.new('ShaderNodeValToRGB')
    ramp.color_ramp.elements[0].position, ramp.color_ramp.elements[1].position = 0.28, 0.72
    ramp.color_ramp.elements[0].color, ramp.color_ramp.elements[1].color = (*low, 1), (*high, 1)
    links.new(bright, ramp.inputs[0])
    links.new(ramp.outputs[0], surface.inputs['Base Color'])
    if bump:
        node = nodes.new('ShaderNodeBump')
        node.inputs['Strength'].default_value, node.inputs['Distance'].default_value = bump[1:]
        links.new(bump[0], node.inputs['Height'])
        links.new(node.outputs[0], surface.inputs['Normal'])
    return made


def noise(made, scale, stretch=(1, 1, 1), detail=5, distortion=0.0, own=True):
    """A noise over the object's space; with `own` every object has its own piece of it, as every plank has of a tree."""
    nodes, links = made.node_tree.nodes, made.node_tree.links
    where = nodes.new('ShaderNodeTexCoord').outputs['Object']
    if own:
        far, shift = nodes.new('ShaderNodeMath'), nodes.new('ShaderNodeVectorMath')
        far.operation, far.inputs[1].default_value = 'MULTIPLY', 57.0
        links.new(nodes.new('ShaderNodeObjectInfo').outputs['Random'], far.inputs[0])
        links.new(where, shift.inputs[0])
        links.new(far.outputs[0], shift.inputs[1])
        where = shift.outputs[0]
    mapping, node = nodes.new('ShaderNodeMapping'), nodes.new('ShaderNodeTexNoise')
    mapping.inputs['Scale'].default_value = stretch
    for name, value in (('Scale', scale), ('Detail', detail), ('Distortion', distortion)):
        node.inputs[name].default_value = value
    links.new(where, mapping.inputs[0])
    links.new(mapping.outputs[0], node.inputs['Vector'])
    return node.outputs['Fac']


def blend(made, a, b, share):
    node = made.node_tree.nodes.new('ShaderNodeMixRGB')
    node.inputs[0].default_value = share
    made.node_tree.links.new(a, node.inputs[1])
    made.node_tree.links.new(b, node.inputs[2])
    return node.outputs[0]


def wood(color, along=0, roughness=0.46):
    """Boards that run along the axis `along`: broad rings, fine pores."""
    made = material('wood', color=color, roughness=roughness, specular=0.35)
    squeeze = lambda slow, fast: tuple(slow if axis == along else fast for axis in range(3))
    rings = noise(made, 1.0, squeeze(0.10, 2.4), 6, 1.6)
    pores = noise(made, 3.0, squeeze(0.35, 15), 4, 0.2)
    low, high = tuple(0.34 * c for c in color), tuple(min(1, 1.45 * c) for c in color)
    return textured(made, blend(made, rings, pores, 0.42), low, high, (pores, 0.22, 0.02))


def plaster(color=PLASTER, rough=0.35):
    """A limewashed wall: clouds of the trowel, and its strokes in raking light."""
    made = material('plaster', color=color, roughness=0.95, specular=0.08)
    clouds, strokes = noise(made, 0.16, detail=6, distortion=0.6, own=False), noise(made, 0.8, (1, 1, 0.55), 9, 0.9, own=False)
    return textured(made, blend(made, clouds, strokes, 0.3), tuple(0.86 * c for c in color), tuple(1.08 * c for c in color), (strokes, rough, 0.10))


def linen(color=LINEN, strength=0.3):
    made = material('linen', color=color, roughness=0.95, specular=0.1, sheen=0.3)
    slubs, across = noise(made, 9, (0.12, 1, 6), 3), noise(made, 9, (6, 1, 0.12), 3)
    both = blend(made, slubs, across, 0.5)
    return textured(made, both, tuple(0.80 * c for c in color), tuple(1.14 * c for c in color), (both, strength, 0.03))


# --- things ----------------------------------------------------------------------------------------------------------


def box(center, size, surface, bevel=0.03, turn=0.0):
    bpy.ops.mesh.primitive_cube_add(size=1, location=center, rotation=(0, 0, math.radians(turn)))
    made = bpy.context.object
    made.scale = size
    bpy.ops.object.transform_apply(location=False, rotation=False, scale=True)
    made.data.use_auto_smooth = True
    edge = made.modifiers.new('edge', 'BEVEL')
    edge.width, edge.segments = min(bevel, 0.49 * min(size)), 4
    return paint(made, surface)


def planks(surface, level, width, count, front, length=40.0, gap=0.02, thick=0.35):
    """A table's top from the edge `front` backwards; its upper side at `level`."""
    for i in range(count):
        box((1.7 * (-1) ** i, front + (i + 0.5) * width, level - thick / 2), (length, width - gap, thick), surface, 0.035)


def wall(surface, y):
    made = mesh('wall', [(-60, y, -40), (60, y, -40), (60, y, 60), (-60, y, 60)], [(0, 1, 2, 3)], smooth=False)
    return paint(made, surface)


def pebble(center, half, surface, squareness=0.3, turn=(0, 0, 0), uneven=0.0, rows=90):
    """A rounded block, from an egg (squareness 1) to a brick (0.1): cushions, soap, stones."""
    power = lambda v: np.sign(v) * np.abs(v) ** squareness

    def point(r, c):
        up, around = (r - 0.5) * math.pi, c * 2 * math.pi
        x, y, z = half[0] * power(np.cos(up)) * power(np.cos(around)), half[1] * power(np.cos(up)) * power(np.sin(around)), half[2] * power(np.sin(up))
        if uneven:
            z = z + uneven * ripple(x, y, 61, 0.8 * half[0]) * np.cos(up)
            y = y + uneven * ripple(x, z, 62, 0.8 * half[0]) * np.cos(up)
        return x, y, z

    made = paint(sheet('pebble', rows, 2 * rows, point, ring=True), surface)
    made.location, made.rotation_euler = center, tuple(math.radians(a) for a in turn)
    return made


def book(center, size, cover, turn=0.0):
    """Lying: its boards, and its pages a little inside them."""
    x, y, z = center
    wide, deep, thick = size
    paper = material('pages', color=(0.72, 0.66, 0.55), roughness=0.95)
    skin = material('cover', color=cover, roughness=0.55)
    for level in (z + 0.03, z + thick - 0.03):
        box((x, y, level), (wide, deep, 0.06), skin, 0.02, turn)
    box((x, y, z + thick / 2), (wide - 0.16, deep - 0.16, thick - 0.1), paper, 0.01, turn)


def plant(at, height, seed=5, pot=(0.50, 0.27, 0.17), green=(0.07, 0.15, 0.055), count=34):
    rng = np.random.default_rng(seed)
    x, y, z = at
    clay = paint(lathe('pot', softened([(0, 0), (0.55, 0), (0.76, 1.15), (0.68, 1.15), (0.6, 0.9), (0, 0.9)], 0.04), 90), material('clay', color=pot, roughness=0.85))
    clay.location, clay.scale = at, (height * 0.34,) * 3
    leaf = material('leaf', color=green, roughness=0.4, specular=0.4)
    for _ in range(count):
        around, tilt, long = rng.uniform(0, 6.28), rng.uniform(0.1, 1.15), height * rng.uniform(0.4, 0.85)
        blade = lambda r, c: (
            0.16 * np.sin(np.pi * r**0.8) * (2 * c - 1),
            0.42 * r * r * tilt + 0.05 * (2 * c - 1) ** 2,
            r - 0.18 * r * r * tilt,
        )
        made = paint(sheet('leaf', 14, 8, blade), leaf)
        made.scale, made.location = (long,) * 3, (x, y, z + height * 0.31)
        made.rotation_euler = (0.75 * tilt, 0, around)


def stems(at, height, surface, seed=3, count=9, spread=0.30):
    """Dry twigs in a bulbous vase."""
    rng = np.random.default_rng(seed)
    x, y, z = at
    form = softened([(0, 0), (0.20, 0), (0.42, 0.35), (0.30, 0.72), (0.13, 0.92), (0.16, 1.02), (0.12, 1.0), (0.1, 0.8)], [0, 0.05, 0.3, 0.3, 0.1, 0.02, 0.02, 0], 9)
    vase = paint(lathe('vase', form, 90), surface)
    vase.location, vase.scale = at, (height * 0.42,) * 3
    straw = material('straw', color=(0.52, 0.37, 0.20), roughness=0.9)
    for _ in range(count):
        lean, around, tall = rng.uniform(0.1, 1) * spread, rng.uniform(0, 6.28), height * rng.uniform(0.75, 1.0)
        tip = np.array([x + tall * lean * math.cos(around), y + tall * lean * math.sin(around), z + tall])
        middle = np.array([x, y, z + 0.5 * height]) + 0.25 * (tip - (x, y, z)) * (1, 1, 0.4)
        paint(tube('stem', [(x, y, z + 0.3 * height), tuple(middle), tuple(tip)], 0.012 * height**0.5), straw)
        for k in range(9):
            p = middle + (tip - middle) * (0.4 + 0.07 * k) + rng.normal(0, 0.012 * height, 3)
            pebble(tuple(p), (0.010 * height, 0.010 * height, 0.034 * height), straw, 0.9, tuple(rng.uniform(-45, 45, 3)), rows=8)


def pegs(y, z, xs, surface, long=0.9):
    """A rail of pegs on the wall at `y`."""
    box((0, y - 0.11, z), (70, 0.22, 0.95), surface, 0.05)
    for x in xs:
        form = softened([(0, long), (0.15, long), (0.17, long - 0.1), (0.085, long - 0.30), (0.095, 0), (0, 0)], [0, 0.05, 0.05, 0.1, 0.05, 0], 7)
        peg = paint(lathe('peg', form[::-1], 48), surface)
        peg.location, peg.rotation_euler = (x, y - 0.2, z), (math.radians(82), 0, 0)


def hedge(y=60.0, low=(0.012, 0.030, 0.010), high=(0.36, 0.42, 0.12)):
    """What is far behind a garden table and never sharp: leaves, gaps with light, the lawn before them."""
    made = material('hedge', color=low, roughness=1, specular=0)
    wall(textured(made, blend(made, noise(made, 0.16, detail=2, own=False), noise(made, 0.7, detail=4, own=False), 0.35), low, high), y)
    lawn = material('lawn', color=(0.16, 0.22, 0.07), roughness=1, specular=0)
    ground = mesh('lawn', [(-90, -30, -7.4), (90, -30, -7.4), (90, y, -7.4), (-90, y, -7.4)], [(0, 1, 2, 3)])
    paint(ground, textured(lawn, noise(lawn, 0.35, own=False), (0.09, 0.14, 0.04), (0.24, 0.30, 0.10)))
    spark = material('gaps', color=(0.9, 0.9, 0.6))
    spark.node_tree.nodes['Principled BSDF'].inputs['Emission'].default_value = (1, 0.95, 0.72, 1)
    spark.node_tree.nodes['Principled BSDF'].inputs['Emission Strength'].default_value = 1.1
    rng = np.random.default_rng(12)
    for _ in range(26):
        pebble((rng.uniform(-14, 14), y - 2, rng.uniform(-4, 12)), (rng.uniform(0.9, 1.7),) * 3, spark, 1, rows=8)


def sofa():
    """Seat, back and an arm of a linen sofa; the seat's top lies at z = 0."""
    cloth = linen()
    for x in (-4.2, 4.2):
        pebble((x, -1.2, -0.85), (4.15, 4.2, 0.95), cloth, 0.2, uneven=0.05)
        pebble((x, 2.6, 2.1), (4.15, 1.3, 2.75), cloth, 0.24, (-10, 0, 0), uneven=0.06)
    pebble((0, -1.0, -3.2), (10, 4.3, 1.7), cloth, 0.14)
    pebble((-9.4, -0.6, -0.2), (1.15, 4.6, 3.0), cloth, 0.22, uneven=0.04)


def hanger(surface):
    """A shaped wooden one whose shoulders lie inside a hung shirt, its hook over a rod at z = 4.78."""
    steel = material('hook', color=(0.66, 0.60, 0.50), metallic=1, roughness=0.25)
    turn = np.linspace(-0.35, 1.0, 14) * math.pi
    hook = [(0, -0.05, 3.35), (0, -0.05, 4.1), (0.10, -0.05, 4.38)]
    hook += [(0.20 * math.cos(a), -0.05, 4.80 + 0.24 * math.sin(a)) for a in turn]
    paint(tube('hook', hook, 0.035), steel)
    arch = [(x, -0.06, 3.34 - 0.30 * abs(x / 1.2) ** 1.4) for x in np.linspace(-1.35, 1.35, 15)]
    wooden = paint(tube('hanger', arch, 0.13), surface)
    for v in wooden.data.vertices:
        v.co.y = -0.06 + (v.co.y + 0.06) * 0.8


# --- light -----------------------------------------------------------------------------------------------------------


def sun(azimuth, elevation, strength, softness=2.6, color=(1, 0.955, 0.89)):
    """From azimuth (degrees, 0 = from the camera's side, negative = left)."""
    data = bpy.data.lights.new('sun', 'SUN')
    data.energy, data.angle, data.color = strength, math.radians(softness), color
    made = link('sun', data)
    a, e = math.radians(azimuth), math.radians(elevation)
    toward = Vector((math.sin(a) * math.cos(e), -math.cos(a) * math.cos(e), math.sin(e)))
    made.rotation_euler = (-toward).to_track_quat('-Z', 'Y').to_euler()
    return toward


def window(toward, at, pane=(5.0, 6.0), panes=(2, 2), bar=0.55, away=14.0, leaves=0, seed=8):
    """Lets the sun in through panes only: their light falls round the point `at`. `leaves` stand outside before the panes."""
    middle = Vector(at) + toward * away
    right = Vector((0, 0, 1)).cross(toward).normalized()
    up = toward.cross(right)
    opaque = material('frame', color=(0.5,) * 3, roughness=1)
    wide, tall = panes[0] * pane[0] + (panes[0] - 1) * bar, panes[1] * pane[1] + (panes[1] - 1) * bar
    across, rows = [-60, -wide / 2], [-60, -tall / 2]
    for edges, count, size, whole in ((across, panes[0], pane[0], wide), (rows, panes[1], pane[1], tall)):
        for i in range(count):
            edges += [-whole / 2 + i * (size + bar) + size, -whole / 2 + (i + 1) * (size + bar)]
        edges[-1] = 60
    blocked = [(x0, x1, -60, 60) for x0, x1 in zip(across[::2], across[1::2])] + [(-60, 60, y0, y1) for y0, y1 in zip(rows[::2], rows[1::2])]
    made = []
    for x0, x1, y0, y1 in blocked:
        made.append(mesh('frame', [middle + right * x + up * y for x, y in ((x0, y0), (x1, y0), (x1, y1), (x0, y1))], [(0, 1, 2, 3)]))
    rng = np.random.default_rng(seed)
    for _ in range(leaves):
        x, y, turn, long = rng.uniform(-wide / 2, wide / 2), rng.uniform(-tall / 2, tall / 2), rng.uniform(0, 3.14), rng.uniform(0.5, 1.1)
        rim = [(long * math.cos(t), 0.36 * long * math.sin(t) * (1 - 0.4 * math.cos(t))) for t in np.linspace(0, 2 * math.pi, 24)[:-1]]
        spot = middle + right * x + up * y + toward * rng.uniform(0, 6)
        c, s = math.cos(turn), math.sin(turn)
        made.append(mesh('leaf', [spot + right * (c * a - s * b) + up * (s * a + c * b) for a, b in rim], [tuple(range(len(rim)))]))
    for part in made:
        paint(part, opaque)
        part.visible_camera = part.visible_diffuse = part.visible_glossy = False


# --- a shot ----------------------------------------------------------------------------------------------------------


def product(kind):
    """The module that models a product."""
    path = os.path.join(HERE, 'products', f'{kind}.py')
    spec = importlib.util.spec_from_file_location(kind.replace('-', '_'), path)
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


def bring(parts, unit, at=(0, 0, 0), turn=(0, 0, 0)):
    """Puts a product, whose unit is so many centimeters, into the room."""
    holder = link('product', None)
    for part in parts:
        top = part
        while top.parent and top.parent != holder:
            top = top.parent
        top.parent = holder
    holder.scale, holder.location = (unit / 10,) * 3, at
    holder.rotation_euler = tuple(math.radians(a) for a in turn)
    bpy.context.view_layer.update()
    return parts


def frame(parts, azimuth, elevation, margin, focus, lens=70, stop=2.8, shift=(0.0, 0.0), near=None):
    """The studio's camera with a lens that is sharp at `focus`; `stop` is the aperture of a full-frame camera."""
    camera = look(parts, azimuth, elevation, margin, lens, near)
    camera.data.clip_end = 500
    camera.data.dof.use_dof = True
    bpy.context.view_layer.update()
    ahead = camera.matrix_world.to_3x3() @ Vector((0, 0, -1))
    camera.data.dof.focus_distance = (Vector(focus) - camera.location).dot(ahead)
    camera.data.dof.aperture_fstop = stop / 10  # Blender computes in meters, the room in tens of centimeters
    camera.data.shift_x, camera.data.shift_y = shift
    return camera


def spread(values, known, steps=14):
    """Carries values beyond where they are known, so many pixels far."""
    total, weight = values * known[..., None], known.astype(np.float32)
    for _ in range(steps):
        sums, counts = np.zeros_like(total), np.zeros_like(weight)
        for dy in (-1, 0, 1):
            for dx in (-1, 0, 1):
                sums += np.roll(total, (dy, dx), (0, 1))
                counts += np.roll(weight, (dy, dx), (0, 1))
        fresh = (weight == 0) & (counts > 0)
        total[fresh] = sums[fresh] / counts[fresh][:, None]
        weight[fresh] = 1
    return total


def photograph_room(name, folder, samples, size, brightness, sharp):
    started = time.time()
    scratch = os.path.join(bpy.app.tempdir, name)
    os.makedirs(scratch, exist_ok=True)
    os.makedirs(folder, exist_ok=True)
    quality(samples, size, size, bounces=4, clear_film=False, threshold=0.03)
    bpy.context.scene.cycles.diffuse_bounces = 2
    shot = expose(CHANNELS, scratch)
    zones, place = shot['zones'][..., :3], shot['place'][..., :3]
    dyed = np.clip(zones[..., :1] + zones[..., 1:2], 0, 1)
    everywhere = np.ones(dyed.shape[:2], np.float32)
    # grain is taken out of the light before it meets the grain of wood and linen, which is meant to stay
    falling, albedo = (shot['direct'] + shot['bounced'])[..., :3], shot['albedo'][..., :3]
    plain = np.concatenate([shot['normal'][..., :3], zones * 0.7], -1)
    smooth = calm(falling, plain, everywhere)
    gloss = calm(shot['all'][..., :3] - falling * albedo, np.concatenate([plain, albedo * 1.5], -1), everywhere, sigma=0.11)
    # a pixel on the product's edge is part room: its dyed part is lit as the cloth beside it is
    light = spread(smooth * albedo / NEUTRAL, dyed[..., 0] > 0.985) * dyed
    rest = np.maximum(smooth * albedo + gloss - light * NEUTRAL, 0)
    light = light.mean(-1)
    if not sharp:
        rest, light, zones, place = without_grain(rest, light, zones, place)
    exposure = brightness / max(np.percentile(light[dyed[..., 0] > 0.98], 90), 1e-3)
    base = f'{folder}/{name}'
    write_png(f'{base}.light.png', packed(light * exposure))
    write_png(f'{base}.rest.png', np.concatenate([packed(rest * exposure), np.ones_like(dyed)], -1))
    write_png(f'{base}.print.png', place)
    write_png(f'{base}.zones.png', np.dstack([zones[..., :2], place[..., 2]]), 8)
    write_png(f'{base}.shadow.png', np.ones((8, 8)), 8)  # the room has its own
    print(f'VIEW {name} {time.time() - started:.0f} s', flush=True)


def shoot(script, build, brightness=1.0, sharp=False):
    """Renders the view of a product that the script's folder names: `blender -b -P lifestyle/mug.py -- samples=36 size=960`. build() leaves scene and camera.

    sharp: the lens blurs nothing, so what changes from pixel to pixel is a net and not grain.
    """
    folder, kind = os.path.split(os.path.splitext(os.path.abspath(script))[0])
    name = f'{kind}.{os.path.basename(folder)}'
    given = arguments()
    folder = os.path.abspath(given.get('folder', os.path.join(HERE, 'passes')))
    samples, size = int(given.get('samples', 36)), int(given.get('size', 960))
    note = f'{folder}/{name}.json'
    both = hashlib.sha256((fingerprint(script) + fingerprint(os.path.join(HERE, 'products', f'{kind}.py'))).encode()).hexdigest()[:16]
    recipe = {'scripts': both, 'samples': samples, 'size': size}
    if os.path.exists(note) and json.load(open(note)) == recipe:
        print(f'VIEW {name} kept', flush=True)
        return
    clear()
    quality(samples, size, size)
    build()
    photograph_room(name, folder, samples, size, brightness, sharp)
    with open(note, 'w') as file:
        json.dump(recipe, file)
