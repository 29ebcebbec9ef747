"""The mug in a plaster hand."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
from bust import *
from hand import *


def build():
    parts = bring(product('mug').build(), 5, turn=(0, 0, 20))
    lean = math.radians(16)
    along, center = (-math.cos(lean), math.sin(lean), 0), (0.2, 9.4, -5.45)
    hand(
        turned_thing(center, along, [(4.12, -3.9), (4.12, 5.6)]),
        standing(center, along, -156, 3.9, left=True),
        wrist=(8, 10),
        thumb=((-0.40, 0.02, -0.92), (0.15, 0.95, -0.1)),
        thumb_limits=(21, 50, 70),
    )
    cast_light(1)
    frame(parts, 0, 9, 1.0, (0, -0.4, 0.6), lens=85, stop=32, near=((-0.12, 0, 0.5), 1.02))


if __name__ == '__main__':
    shoot(__file__, build, 0.95, sharp=True)
