"""The throw over its rail, and a plaster hand on it."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
from bust import *
from hand import *


def build():
    made = product('blanket')
    parts = bring(made.build(), 64)
    # in the hand's space: the rail with the throw on it, across the fingers
    radius = 64 * (made.RAIL + 0.022) + 1.2
    center = (0, 8.6, -radius - 1.25)
    thing = turned_thing(center, (-1, 0, 0), [(radius, -30), (radius, 30)])
    lean = Matrix.Rotation(math.radians(52), 4, 'X')
    place = Matrix.Translation((3.0, 0, 0)) @ lean @ Matrix.Diagonal((-0.1, -0.1, 0.1, 1)) @ Matrix.Translation([-v for v in center])
    hand(
        thing, place, wrist=(10, 0),
        thumb=((-0.75, 0.55, -0.35), (0.5, 0.4, -0.75)), thumb_limits=(20, 40, 40), spread=1.2,
    )
    wall(plaster(GROUND), 7)
    # nearly along the cloth, as in the studio: its folds would vanish in light from the front
    ambient(0.28, (1, 0.955, 0.89))
    softbox((-27, -17, 10), (0, 0, -5), 10, 15000, color=(1, 0.93, 0.84))
    softbox((26, -28, -4), (0, 0, -5), 24, 3600, color=(1, 0.92, 0.82))
    frame([part for part in parts if 'unframed' not in part], -6, 4, 1.0, (0, -0.5, 0), lens=85, stop=11, near=((0.4, 0, -4.5), 7.1))


if __name__ == '__main__':
    shoot(__file__, build, 0.95)
