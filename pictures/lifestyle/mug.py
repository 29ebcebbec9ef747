"""The mug with coffee on an oak desk by a window."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
from rooms import *


def build():
    parts = bring(product('mug').build(), 5, turn=(0, 0, 16))
    coffee = material('coffee', color=(0.040, 0.016, 0.007), roughness=0.08)
    bpy.ops.mesh.primitive_cylinder_add(radius=0.37, depth=0.01, vertices=128, location=(0, 0, 0.80))
    paint(bpy.context.object, coffee)
    planks(wood(OAK), 0, 1.15, 9, -4.2)
    wall(plaster(), 8.5)
    book((-1.5, 2.3, 0), (2.2, 1.5, 0.22), (0.055, 0.075, 0.085), 14)
    book((-1.55, 2.35, 0.22), (1.9, 1.35, 0.26), (0.42, 0.20, 0.12), 6)
    book((-1.5, 2.3, 0.48), (1.7, 1.2, 0.16), (0.60, 0.53, 0.40), 20)
    plant((1.7, 4.6, 0), 2.9)
    brass = material('brass', color=(0.78, 0.55, 0.24), metallic=1, roughness=0.3)
    paint(tube('pen', [(0.75, -0.55, 0.035), (1.1, -0.35, 0.035), (1.5, -0.12, 0.035)], 0.033), brass)
    box((1.35, -0.05, 0.01), (1.1, 1.5, 0.025), material('sheet', color=CHALK, roughness=0.9), 0.004, -22)
    ambient(0.32, (0.95, 0.975, 1))
    window(sun(-62, 32, 3.2), (-0.3, 0.4, 0.5), pane=(3.6, 3.4), bar=0.45, leaves=24)
    softbox((-7, -3, 4), (0, 0, 0.5), 4, 260, 5)
    frame(parts, -4, 17, 2.05, (0, -0.35, 0.5), stop=7, shift=(0.02, 0.03))


if __name__ == '__main__':
    shoot(__file__, build, 0.97)
