"""The can cooler on a picnic table in a garden."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
from rooms import *


def build():
    parts = bring(product('can-cooler').build(), 6, turn=(0, 0, 4))
    planks(wood(GREY_WOOD, roughness=0.7), 0, 1.35, 8, -5.2, gap=0.14)
    hedge()
    skin = material('lemon', color=(0.78, 0.56, 0.05), roughness=0.42)
    skin = textured(skin, noise(skin, 5), (0.70, 0.47, 0.03), (0.82, 0.62, 0.08), (noise(skin, 14), 0.3, 0.02))
    lime = material('lime', color=(0.18, 0.30, 0.04), roughness=0.4)
    for center, turn in (((1.15, 1.15, 0.27), 30), ((0.55, 1.75, 0.27), -50)):
        fruit = pebble(center, (0.37, 0.28, 0.27), skin, 0.95, (0, 8, turn))
        for v in fruit.data.vertices:
            v.co.x *= 1 + 0.16 * max(0, abs(v.co.x) / 0.37 - 0.8) / 0.2
    pebble((1.72, 1.72, 0.24), (0.29, 0.25, 0.24), lime, 0.95, (0, 5, 70))
    cloth = sheet('napkin', 60, 90, lambda r, c: (c * 2.6 - 2.9, r * 2.2 + 0.4, 0.045 + 0.02 * ripple(c * 2.6, r * 2.2, 41, 0.9)))
    cloth.modifiers.new('thickness', 'SOLIDIFY').thickness = 0.02
    paint(cloth, linen((0.48, 0.44, 0.38)))
    ambient(0.5, (0.88, 0.95, 1))
    sun(-48, 42, 3.4, softness=1.6)
    frame(parts, 3, 12, 1.75, (0, -0.3, 0.5), lens=85, stop=7, shift=(0.03, 0.04))


if __name__ == '__main__':
    shoot(__file__, build, 0.97)
