"""The bottle on a garden bench, a towel beside it."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
from rooms import *


def build():
    parts = bring(product('water-bottle').build(), 13, turn=(0, 0, 6))
    planks(wood(PINE, roughness=0.6), 0, 1.0, 5, -2.3, gap=0.16)
    back = wood(PINE, roughness=0.6)
    for level in (1.6, 3.1):
        box((0.6, 3.1, level), (40, 0.25, 1.0), back, 0.06)
    for x in (-4.6, 4.8):
        box((x, 3.35, 1.4), (0.55, 0.3, 5.4), back, 0.06)
    hedge(70)
    towel = linen((0.40, 0.33, 0.25), 0.5)
    for level, wide, turn in ((0.10, 1.35, -8), (0.29, 1.31, -7), (0.47, 1.33, -9)):
        pebble((1.85, 0.75, level), (wide, 0.85, 0.105), towel, 0.24, (0, 0, turn), 0.015)
    ambient(0.5, (0.88, 0.95, 1))
    sun(-52, 38, 3.4, softness=1.6)
    frame(parts, -4, 9, 1.5, (0, -0.35, 1.2), lens=85, stop=2.4, shift=(0.07, 0.0))


if __name__ == '__main__':
    shoot(__file__, build, 0.97)
