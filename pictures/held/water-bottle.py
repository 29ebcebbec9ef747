"""The bottle in a plaster hand."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
from bust import *
from hand import *


LEVEL = 17.4


def build():
    parts = bring(product('water-bottle').build(), 13, turn=(0, 0, -6))
    lean = math.radians(18)
    along, center = (-math.cos(lean), math.sin(lean), 0), (0.2, 7.4, -4.9)
    made = product('water-bottle')
    t = np.linspace(0, 1, 12)
    shoulder = zip(made.RADIUS + (made.NECK - made.RADIUS) * t * t * (3 - 2 * t), made.SHOULDER + (made.TOP - made.SHOULDER) * t)
    form = [(13 * r, 13 * z - LEVEL) for r, z in [(made.RADIUS, 0), *shoulder, (made.NECK + 0.014, 1.94)]]
    hand(
        turned_thing(center, along, form),
        standing(center, along, 140, LEVEL),
        wrist=(8, 12),
        thumb=((-0.40, 0.02, -0.92), (0.15, 0.95, -0.1)),
    )
    cast_light()
    frame(parts, -4, 5, 1.0, (0, -0.4, 1.0), lens=85, stop=32, near=((0.5, 0, 1.28), 1.6))


if __name__ == '__main__':
    shoot(__file__, build, 0.95, sharp=True)
