"""The hat on a linen head."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
from bust import *


def build():
    hat = portrait('hat', tilt=-6)
    frame(hat, -28, 11, 1.0, (0, -0.9, 1.6), lens=85, stop=32, near=((0, -0.35, 1.22), 1.38))


if __name__ == '__main__':
    shoot(__file__, build, 0.97, sharp=True)
