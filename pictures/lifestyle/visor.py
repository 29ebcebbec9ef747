"""The visor on a garden table after a walk."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
from rooms import *


def build():
    parts = bring(product('visor').build(), 9.4, turn=(0, 0, -18))
    planks(wood(PINE, roughness=0.6), 0, 1.35, 8, -5.0, gap=0.12)
    hedge(55)
    book((2.7, 1.6, 0), (1.9, 1.4, 0.24), (0.48, 0.24, 0.16), -16)
    glass = pebble((-2.5, 1.6, 0.0), (0.01, 0.01, 0.01), material('glass', color=CHALK), 1, rows=4)
    form = softened([(0, 0.03), (0.34, 0.03), (0.37, 0.1), (0.40, 1.35), (0.375, 1.35), (0.34, 0.12), (0, 0.12)], [0, 0.05, 0.05, 0.02, 0.02, 0.05, 0], 7)
    cup = paint(lathe('cup', form, 90), material('stoneware', color=(0.62, 0.56, 0.48), roughness=0.5))
    cup.location = (-2.1, 1.9, 0)
    bpy.data.objects.remove(glass)
    ambient(0.5, (0.88, 0.95, 1))
    sun(-48, 40, 3.4, softness=1.6)
    frame(parts, 2, 17, 1.42, (0, -1.1, 0.3), lens=80, stop=7, shift=(0.0, 0.06))


if __name__ == '__main__':
    shoot(__file__, build, 0.97)
