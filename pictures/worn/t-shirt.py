"""The t-shirt on a plaster statue."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
from bust import *
from dressed import *


def build():
    shirt = dressed('t-shirt', 0.234, material('cotton', 'A', **COTTON), material('rib', 'A', prints=False, **COTTON))
    frame(shirt, -14, 2, 1.0, (0, -1, -2.6), lens=85, stop=14, near=((0, 0, -2.9), 3.45))


if __name__ == '__main__':
    shoot(__file__, build, 0.93)
