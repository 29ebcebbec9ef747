"""The pillow on a linen sofa."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
from rooms import *


def build():
    parts = bring(product('pillow').build(), 23, at=(-0.5, -0.9, 0.05), turn=(-11, 0, 9))
    sofa()
    wall(plaster(), 8)
    ambient(0.32, (0.95, 0.975, 1))
    window(sun(-56, 36, 3.0), (-0.4, -0.5, 2.0), pane=(3.4, 4.4), bar=0.5, leaves=15)
    softbox((-9, -9, 8), (0, 0, 1.5), 6, 700)
    frame(parts, 12, 11, 1.5, (-0.4, -1.9, 2.2), stop=4, shift=(0.02, 0.02))


if __name__ == '__main__':
    shoot(__file__, build, 0.97)
