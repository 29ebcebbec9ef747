"""The vented hat on a walnut bench beside a plant."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
from rooms import *


def build():
    parts = bring(product('vented-hat').build(), 9.4, turn=(0, 0, 30))
    box((0, 0.3, -0.2), (60, 4.4, 0.4), wood(WALNUT), 0.05)
    wall(plaster(), 2.2)
    plant((2.1, 1.2, 0), 2.3, seed=11)
    ambient(0.34, (1, 0.98, 0.95))
    window(sun(-52, 34, 3.8, color=(1, 0.92, 0.80)), (0.3, 0.9, 1.0), pane=(2.9, 3.3), bar=0.42, leaves=13, seed=21)
    softbox((-8, -7, 6), (0, 0, 0.5), 5, 420)
    frame(parts, -3, 8, 1.5, (0, -0.7, 0.6), stop=14, shift=(0.04, 0.08))


if __name__ == '__main__':
    shoot(__file__, build, 0.97, sharp=True)
