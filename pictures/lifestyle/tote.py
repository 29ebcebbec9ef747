"""The tote on a peg by the door."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
from rooms import *


def build():
    tote = product('tote')
    hung = tote.hung(0.045)
    top = tote.TALL + tote.as_long(hung)[1]
    parts = bring(tote.build(front=hung, back=hung), 21, at=(0, -0.42, 0), turn=(90, 0, 0))
    wall(plaster(), 0)
    pegs(0, 2.1 * top - 0.11, (-4.6, 0, 4.6), wood(OAK), 1.0)
    ambient(0.32, (0.95, 0.975, 1))
    window(sun(-50, 38, 3.0), (0.3, 0, 1.0), pane=(3.0, 4.0), bar=0.45, leaves=18, seed=17)
    softbox((-9, -12, 6), (0, 0, 0), 6, 620)
    frame(parts, -13, 3, 1.2, (0, -0.9, 0), stop=5.6, shift=(0.02, 0.01))


if __name__ == '__main__':
    shoot(__file__, build, 0.97)
