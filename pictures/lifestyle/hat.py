"""The hat on an oak shelf before a plastered wall."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
from rooms import *


def build():
    parts = bring(product('hat').build(), 9.4, turn=(0, 0, -20))
    oak = wood(OAK)
    box((0, 0.1, -0.16), (60, 3.4, 0.32), oak, 0.05)
    wall(plaster(), 1.8)
    book((2.35, 0.55, 0), (1.9, 1.4, 0.26), (0.10, 0.14, 0.12), 5)
    book((2.3, 0.6, 0.26), (1.75, 1.3, 0.20), (0.55, 0.47, 0.35), -4)
    stems((2.35, 0.65, 0.46), 3.0, material('glaze', color=(0.62, 0.58, 0.52), roughness=0.5))
    ambient(0.34, (1, 0.98, 0.95))
    window(sun(-50, 34, 4.0, color=(1, 0.91, 0.78)), (0.2, 0.9, 1.2), pane=(2.5, 3.1), bar=0.42, leaves=13)
    softbox((-8, -6, 6), (0, 0, 0.5), 5, 420)
    frame(parts, 2, 8, 1.62, (0, -0.9, 0.6), stop=16, shift=(0.07, 0.09))


if __name__ == '__main__':
    shoot(__file__, build, 0.97)
