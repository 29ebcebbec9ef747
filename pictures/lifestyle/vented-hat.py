"""The vented hat on a peg of a rail."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
from rooms import *


def build():
    parts = bring(product('vented-hat').build(), 9.4, at=(0, -1.35, -0.55), turn=(24, 0, -13))
    wall(plaster(), 0)
    pegs(0, 0.55, (-4.4, 0.1, 4.4), wood(OAK))
    ambient(0.32, (0.95, 0.975, 1))
    window(sun(-48, 36, 3.2), (0.5, 0, 0.2), pane=(2.7, 3.3), bar=0.42, leaves=15, seed=21)
    softbox((-8, -9, 5), (0, 0, 0), 5, 420)
    frame(parts, -6, 3, 1.66, (0, -2.0, 0), stop=4, shift=(0.03, 0.02))


if __name__ == '__main__':
    shoot(__file__, build, 0.97)
