"""The mouse pad on a walnut desk, seen from the chair."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
from rooms import *


def build():
    parts = bring(product('mouse-pad').build(), 12, turn=(0, 0, -6))
    planks(wood(WALNUT, roughness=0.4), 0, 2.6, 6, -7.0, thick=0.3)
    wall(plaster(), 9)
    metal, white = material('aluminium', color=(0.66,) * 3, metallic=1, roughness=0.38), material('keys', color=(0.80, 0.79, 0.77), roughness=0.55)
    left, back, turn = -2.85, 0.5, math.radians(-4)
    at = lambda x, y, z: (left + x * math.cos(turn) - y * math.sin(turn), back + x * math.sin(turn) + y * math.cos(turn), z)
    box(at(0, 0, 0.05), (2.9, 1.18, 0.08), metal, 0.05, math.degrees(turn))
    for row in range(5):
        for key in range(14):
            if row == 0 and 3 < key < 9:
                continue
            box(at(-1.31 + key * 0.2 + (0.03 * row) % 0.06, -0.46 + row * 0.21, 0.115), (0.175, 0.18, 0.06), white, 0.03, math.degrees(turn))
    box(at(-0.01, -0.46, 0.115), (0.97, 0.18, 0.06), white, 0.03, math.degrees(turn))
    mouse = pebble((1.52, 0.28, 0.13), (0.29, 0.52, 0.24), material('mouse', color=(0.82, 0.81, 0.79), roughness=0.35), 0.62, (0, 0, -14))
    for v in mouse.data.vertices:
        v.co.z = max(v.co.z, -0.08)
    box((1.49, 0.52, 0.345), (0.045, 0.15, 0.045), material('wheel', color=(0.05,) * 3, roughness=0.7), 0.02, -14)
    book((-1.0, 2.3, 0), (2.3, 1.6, 0.14), (0.16, 0.20, 0.17), 9)
    paint(tube('pencil', [(-1.6, 2.05, 0.19), (-0.9, 2.25, 0.19), (-0.25, 2.46, 0.19)], 0.035), material('pencil', color=(0.66, 0.38, 0.10), roughness=0.4))
    plant((1.9, 3.2, 0), 2.2, seed=9, pot=(0.62, 0.57, 0.50))
    ambient(0.32, (0.95, 0.975, 1))
    window(sun(-66, 34, 3.2), (0, 0.2, 0), pane=(3.2, 3.6), bar=0.4, leaves=18, seed=4)
    softbox((-8, -1, 6), (0, 0, 0), 5, 330)
    frame(parts, -8, 36, 1.32, (0, -0.1, 0), stop=4, shift=(0.0, 0.06))


if __name__ == '__main__':
    shoot(__file__, build, 0.97)
