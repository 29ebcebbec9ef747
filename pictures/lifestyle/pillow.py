"""The pillow on a linen sofa."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
from rooms import *


def contact(pillow):
    """The shade along the edge it stands on: a sheet over the seat, which the camera does not see, lets the less light through the nearer to it.

    A cushion sinks into a seat and closes the gap that light would shine through; here both are stiff.
    """
    seam = np.array([(pillow.matrix_world @ v.co)[:] for v in pillow.data.vertices])
    seam = seam[np.abs(np.array([v.co.z for v in pillow.data.vertices]) - min(v.co.z for v in pillow.data.vertices)) < 0.09]
    seam = seam[np.argsort(seam[:, 0])]
    low = np.linspace(seam[0, 0], seam[-1, 0], 60)
    depth = np.interp(low, [seam[0, 0], seam[-1, 0]], [seam[0, 1], seam[-1, 1]])
    before = lambda r: 2.0 * r - 0.35

    def point(r, c):
        x = seam[0, 0] - 0.35 + c * (seam[-1, 0] - seam[0, 0] + 0.75)
        return x, np.interp(x, low, depth) - before(r), 0.26 + 0 * r

    made = sheet('contact', 60, 90, point)
    r, c = np.meshgrid(np.linspace(0, 1, 61), np.linspace(0, 1, 91), indexing='ij')
    far = np.maximum(0, before(r))
    ends = np.clip(np.minimum(c, 1 - c) / 0.07, 0, 1)
    kept = 1 - 0.92 * np.exp(-((far / 0.60) ** 1.1)) * np.clip(r / 0.1, 0, 1) * ends * ends * (3 - 2 * ends)
    made.data.attributes.new('kept', 'FLOAT', 'POINT').data.foreach_set('value', kept.astype(np.float32).ravel())
    surface = bpy.data.materials.new('contact')
    surface.use_nodes = True
    nodes, links = surface.node_tree.nodes, surface.node_tree.links
    share, clear = nodes.new('ShaderNodeAttribute'), nodes.new('ShaderNodeBsdfTransparent')
    share.attribute_name = 'kept'
    links.new(share.outputs['Fac'], clear.inputs['Color'])
    links.new(clear.outputs[0], nodes['Material Output'].inputs[0])
    paint(made, surface).visible_camera = False


def build():
    parts = bring(product('pillow').build(), 23, at=(-0.5, -0.9, -0.02), turn=(-11, 0, 20))
    contact(parts[0])
    sofa()
    wall(plaster(), 8)
    ambient(0.32, (0.95, 0.975, 1))
    window(sun(-56, 36, 3.0), (-0.4, -0.5, 2.0), pane=(3.4, 4.4), bar=0.5, leaves=15)
    softbox((-9, -9, 8), (0, 0, 1.5), 6, 700)
    frame(parts, 12, 14, 1.5, (-0.4, -1.9, 2.2), stop=9, shift=(0.02, 0.02))


if __name__ == '__main__':
    shoot(__file__, build, 0.97)
