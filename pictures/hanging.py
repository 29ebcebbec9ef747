"""A shirt on its wooden hanger, the hook of which lies in a plaster hand; 1 unit = 10 cm, as in the rooms."""

from bust import *
from draped import *
from hand import *

DEPTH = -0.32  # the hanger bows forward in the neck's opening
RAISED = 0.07  # it leaves the label free
SWIVEL = Matrix.Rotation(math.radians(-64), 4, 'Z')  # of hook and hand, so that one sees the fingers under the wire
WIRE, ACROSS, TALL, MIDDLE = 0.027, 0.235, 0.24, 4.42  # the hook: half its thickness, width and height, and its level


def hook():
    """Its middle line, from the wood upwards, two fingers wide."""
    turn = np.linspace(-0.36, 1.04, 24) * math.pi
    stem = [(0, DEPTH, 3.35), (0, DEPTH, 3.98), (0.018, DEPTH, 4.12)]
    line = stem + [(ACROSS * math.cos(a), DEPTH, MIDDLE + TALL * math.sin(a)) for a in turn]
    return [tuple(SWIVEL @ Vector((x, 0, z)) + Vector((0, y, 0))) for x, y, z in line]


def wooden_hanger():
    hanger(wood(OAK))
    bpy.data.objects.remove(bpy.data.objects['hook'])
    # dark: bright steel would mirror the ground and vanish before it
    paint(tube('hook', hook(), WIRE), material('wire', color=(0.30, 0.26, 0.21), metallic=1, roughness=0.3))
    for v in bpy.data.objects['hanger'].data.vertices:
        # behind the cloth at the shoulders
        bow = np.clip((0.80 - abs(v.co.x)) / 0.45, 0, 1)
        v.co.z += RAISED
        v.co.y += -0.09 + (DEPTH + 0.15) * bow * bow * (3 - 2 * bow)


def carried(kind):
    """The shirt of that kind, its hanger in the hand."""
    parts = hung(product(kind).build())
    for name, specular, sheen in (
        ('thread', 0.05, 0.05),  # if it shone it would look like chalk from so far away
        *((cloth, 0.3, 1.0) for cloth in ('cotton', 'rib', 'pique', 'collar', 'placket')),  # or folds would be lost in black
        ('buttons', 0.9, 0),
    ):
        if name in bpy.data.materials:
            surface = bpy.data.materials[name].node_tree.nodes['Principled BSDF']
            surface.inputs['Specular'].default_value, surface.inputs['Sheen'].default_value = specular, sheen
    wooden_hanger()
    # in the hand's space: the hook across index and middle finger, its stem on the thumb's side
    low, out, beside = 10.9, -2.1, -2.1
    level = Matrix(((-0.1, 0, 0, 0), (0, 0, -0.1, 0), (0, -0.1, 0, 0), (0, 0, 0, 1)))
    place = Matrix.Translation((0, DEPTH, MIDDLE + TALL)) @ SWIVEL @ level @ Matrix.Translation((-beside, -low, -out))
    own = place.inverted()
    line = [tuple(own @ Vector(spot)) for spot in hook()]
    hand(
        lambda p: path(p, line, [10 * WIRE] * len(line)), place, wrist=(6, -14), bends=(10, 40, 20), limits=(30, 112, 70),
        thumb=((-0.34, 0.86, -0.46), (0.75, 0.1, -0.65)), thumb_bends=(4, 14, 22), thumb_limits=(0, 0, 0), reach=-14,
    )
    bpy.context.scene.cycles.sample_clamp_direct = 3  # as in `cast_light`
    wall(plaster(GROUND), 7)
    ambient(0.28, (1, 0.955, 0.89))
    softbox((-16, -15, 9), (0, 0, -0.5), 7, 6800, color=(1, 0.93, 0.84))
    softbox((15, -13, -1), (0, 0, -0.5), 10, 1500, color=(1, 0.92, 0.82))
    softbox((-8, -2.2, 6), (0.3, -0.3, 1.6), 2, 460, color=(1, 0.95, 0.88)).data.spread = 1.4  # along collar and placket
    softbox((8.5, 3.5, 4.5), (0.5, 0, 0.6), 3.5, 2600, color=(1, 0.95, 0.88)).data.spread = 1.2  # a rim, which keeps black cloth off the wall
    softbox((-4, -8, 8), (0, 0, 5.3), 2, 75, color=(1, 0.93, 0.84)).data.spread = 0.7  # on the hand
    softbox((5, 1.5, 9), (1.5, 7, -0.5), 7, 1300, color=(1, 0.92, 0.82))  # on the wall
    frame(parts, -6, 1, 1.0, (0, -0.3, 1), lens=85, stop=32, near=((0, 0, 1.0), 5.1))
