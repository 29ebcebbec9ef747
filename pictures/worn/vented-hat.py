"""The vented hat on a linen head."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
from bust import *


def shade(hat):
    """Cloth under the net, as dark as hair would be: before bright linen neither a pale net nor its holes are seen."""
    inside = lambda th, ph: tuple(p - n * 0.035 for p, n in zip(crown(th, ph), outward(th, ph)))
    cap = sheet('cap', 60, 160, lambda r, c: inside((c * 2 - 1) * math.pi, 0.06 + 0.93 * r), ring=True)
    paint(cap, material('cap', color=(0.19, 0.17, 0.145), roughness=1, specular=0))
    cap.parent = hat[0].parent


def build():
    hat = portrait('vented-hat')
    shade(hat)
    frame(hat, -26, 3, 1.0, (0, -0.4, 1.6), lens=85, stop=64, near=((0, -0.35, 1.22), 1.38))


if __name__ == '__main__':
    shoot(__file__, build, 0.97, sharp=True)
