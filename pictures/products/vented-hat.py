"""Trucker hat: a cloth front and brim (zone A), and a back of mesh with its button and under-brim (zone B)."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
from headwear import *


def vent(made):
    """Cuts hexagon-like holes into a material, by two crossed waves over azimuth and height."""
    nodes, links = made.node_tree.nodes, made.node_tree.links

    def compute(operation, *operands):
        node = nodes.new('ShaderNodeMath')
        node.operation = operation
        for socket, operand in zip(node.inputs, operands):
            if isinstance(operand, (int, float)):
                socket.default_value = operand
            else:
                links.new(operand, socket)
        return node.outputs[0]

    split = nodes.new('ShaderNodeSeparateXYZ')
    links.new(nodes.new('ShaderNodeTexCoord').outputs['Object'], split.inputs[0])
    x, y, z = split.outputs
    out = compute('SQRT', compute('ADD', compute('MULTIPLY', x, x), compute('MULTIPLY', y, y)))
    u = compute('MULTIPLY', compute('ARCTAN2', x, y), 58)
    v = compute('MULTIPLY', compute('ADD', z, compute('MULTIPLY', compute('SUBTRACT', 0.9, out), 0.8)), 62)
    crossed = compute('MULTIPLY', compute('SINE', compute('ADD', u, v)), compute('SINE', compute('SUBTRACT', u, v)))
    clear, mix = nodes.new('ShaderNodeBsdfTransparent'), nodes.new('ShaderNodeMixShader')
    links.new(compute('GREATER_THAN', crossed, 0.28), mix.inputs[0])
    links.new(nodes['Principled BSDF'].outputs[0], mix.inputs[1])
    links.new(clear.outputs[0], mix.inputs[2])
    links.new(mix.outputs[0], nodes['Material Output'].inputs['Surface'])
    return made


def build():
    front = material('front', 'A', **TWILL)
    net = vent(material('net', 'B', prints=False, roughness=0.8, specular=0.2))
    plain = material('brim', 'A', prints=False, **TWILL)
    under = material('under-brim', 'B', prints=False, **TWILL)

    def panels(r, c):
        th, ph = (c * 2 - 1) * math.pi, 0.985 * r
        height = seams(th, ph, (60, 120, 180, 240, 300)) + hem(th, ph * 1.6) + uneven(th, ph)
        return tuple(p + n * height for p, n in zip(crown(th, ph), outward(th, ph)))

    top = sheet('panels', 300, 960, panels, ring=True)
    top.data.materials.append(front)
    top.data.materials.append(net)
    for face in top.data.polygons:
        face.material_index = int(abs(math.degrees(math.atan2(face.center.x, -face.center.y + 0.04))) >= 60)
    print_on_front(top, 0.17, 0.72)
    top.modifiers.new('cloth', 'SOLIDIFY').thickness = 0.02
    # the tape that binds the net's opening
    around = np.linspace(math.radians(61), math.radians(299), 60)
    tape = np.stack(crown(around, np.full(60, 0.028)), -1) - 0.006 * np.stack(outward(around, np.full(60, 0.03)), -1)
    binding = paint(tube('binding', tape.tolist(), 0.022, [0.2, 0.6, *[1] * 56, 0.6, 0.2]), under)
    visor = brim(plain, under)
    return set_down([top, button(under), binding, *visor], visor[-1])


VIEWS = {
    'front': dict(azimuth=-27, elevation=13, margin=1.2),
    'detail': dict(azimuth=-46, elevation=14, near=((0.0, -0.45, 0.54), 1.12)),
}

if __name__ == '__main__':
    light = lambda: standing_light(sky=0.17, fill=0.7)
    run(__file__, build, light, VIEWS)
