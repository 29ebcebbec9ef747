"""Mug: 9.6 cm tall, 8.2 cm wide; 1 unit = 5 cm. Zone B is its inside and handle. The 15 oz mug has the same shape."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
from studio import *

RADIUS, HEIGHT, WALL = 0.82, 1.90, 0.072
AROUND = math.radians(270)


def pooled(made):
    """Glaze runs while it melts: thin, so paler, over the lip; thick, so deeper, below it and above the foot."""
    nodes, links = made.node_tree.nodes, made.node_tree.links
    height, ramp = nodes.new('ShaderNodeSeparateXYZ'), nodes.new('ShaderNodeValToRGB')
    level = nodes.new('ShaderNodeMath')
    level.operation, level.inputs[1].default_value = 'DIVIDE', HEIGHT
    steps = ramp.color_ramp.elements
    tones = [(0.02, 0.70), (0.05, 0.76), (0.13, 1), (0.93, 1), (0.962, 0.84), (0.976, 0.90), (0.992, 1.3)]
    while len(steps) < len(tones):
        steps.new(0.5)
    for step, (at, tone) in zip(steps, tones):
        step.position, step.color = at, (*(NEUTRAL * tone,) * 3, 1)
    links.new(nodes.new('ShaderNodeTexCoord').outputs['Object'], height.inputs[0])
    links.new(height.outputs['Z'], level.inputs[0])
    links.new(level.outputs[0], ramp.inputs[0])
    links.new(ramp.outputs[0], nodes['Principled BSDF'].inputs['Base Color'])
    return made


def build():
    glaze = dict(roughness=0.08, specular=0.6, coat=0.5)
    outside = pooled(material('outside', 'A', **glaze))
    bare = material('unglazed', color=(0.52, 0.45, 0.37), roughness=1, specular=0.1)
    inside = material('inside', 'B', prints=False, **glaze)

    foot = softened([(0, 0.05), (0.5, 0.05), (0.55, 0), (0.68, 0), (RADIUS, 0.17), (RADIUS, 0.5)], [0, 0.03, 0.03, 0.05, 0.15, 0], 9)
    dry = max(i for i, point in enumerate(foot) if point[1] < 0.05 and point[0] > 0.6)
    side = [(RADIUS, z) for z in np.linspace(0.53, HEIGHT - 0.045, 40)]
    turn = np.linspace(0, math.pi, 16)
    lip = [(RADIUS - WALL / 2 + WALL / 2 * math.cos(a), HEIGHT - 0.04 + 0.04 * math.sin(a)) for a in turn]
    body = paint(lathe('body', [*foot[dry:-1], *side, *lip[:7]], 200), outside)
    hollow = softened([(RADIUS - WALL, HEIGHT - 0.06), (RADIUS - WALL, 0.17), (0, 0.13)], 0.22, 12)
    well = paint(lathe('well', [*lip[6:], *hollow[1:]], 200), inside)
    azimuth = lambda co: math.atan2(co.x, -co.y)
    printable(
        body,
        lambda co: (0.5 + azimuth(co) / AROUND, (co.z - 0.16) / (HEIGHT - 0.28)),
        lambda c, n: 0.1 < c.z < HEIGHT - 0.06 and abs(azimuth(c)) < AROUND / 2 + 0.06 and abs(n.z) < 0.3,
    )

    path = [(RADIUS - 0.03, 1.48), (1.03, 1.55), (1.33, 1.40), (1.42, 1.02), (1.28, 0.62), (1.02, 0.43), (RADIUS - 0.03, 0.44)]
    handle = tube('handle', [(x, 0, z) for x, z in path], 0.086, [1.5, 1.08, 1, 1, 1, 1.08, 1.5])
    for v in handle.data.vertices:
        v.co.y *= 1.38
    return [body, paint(lathe('foot', foot[: dry + 1], 200), bare), well, paint(handle, inside)]


def light():
    """The studio's, and a window of four panes: so far back that it shines beside the print, and low, since an upright wall seen from above mirrors what is below."""
    standing_light(strips=0.2, fill=0.6, key=0.8)
    middle, right = Vector((-3.94, 1.59, 1.15)), Vector((0.37, 0.93, 0))
    for across in (-0.42, 0.42):
        for up in (-0.5, 0.5):
            softbox(middle + across * right + Vector((0, 0, up)), (0, 0, 1.1 + up), 0.7, 8, 0.86)
    # on the handle, from in front: full light on its middle leaves dark edges, without which a pale one is lost before the ground
    beam = bpy.data.lights.new('beam', 'SPOT')
    beam.energy, beam.spot_size, beam.spot_blend, beam.shadow_soft_size = 1800, math.radians(12), 1, 0.15
    lamp = link('beam', beam)
    lamp.location = (1.9, -6.0, 2.4)
    lamp.rotation_euler = (Vector((1.42, 0, 1.0)) - lamp.location).to_track_quat('-Z', 'Y').to_euler()
    lamp.visible_glossy = False


VIEWS = {
    'front': dict(azimuth=-22, elevation=15, margin=1.34),
    'detail': dict(azimuth=-12, elevation=12, near=((0.10, -0.2, 1.22), 0.84)),
}

if __name__ == '__main__':
    run(__file__, build, light, VIEWS)
