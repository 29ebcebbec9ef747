"""The polo on a wooden hanger before a plastered wall."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
from draped import *


def build():
    parts = hung(product('polo').build(), smooth=1)
    oak = wood(OAK)
    wall(plaster(), 0.5)
    rod = paint(tube('rod', [(-30, -0.05, 4.78), (0, -0.05, 4.78), (30, -0.05, 4.78)], 0.13), oak)
    hanger(oak)
    ambient(0.32, (0.95, 0.975, 1))
    window(sun(-50, 38, 3.0), (0, 0, 0.1), pane=(3.9, 4.7), bar=0.5, leaves=20, seed=14)
    softbox((-9, -12, 6), (0, 0, 0), 6, 620)
    frame([*parts, rod][:-1], 8, 2, 1.3, (0, -0.2, 0), stop=16, shift=(0.0, 0.04))


if __name__ == '__main__':
    shoot(__file__, build, 0.97)
