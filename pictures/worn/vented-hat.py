"""The vented hat on a plaster bust."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
from bust import *


def build():
    hat = portrait('vented-hat')
    frame(hat, -29, 3, 1.0, (0, -0.9, 1.6), lens=85, stop=11, near=((0, -0.1, 1.26), 1.62))


if __name__ == '__main__':
    shoot(__file__, build, 0.97)
