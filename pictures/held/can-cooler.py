"""The can cooler in a plaster hand."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
from bust import *
from hand import *


def build():
    parts = bring(product('can-cooler').build(), 6, turn=(0, 0, 0))
    lean = math.radians(16)
    along, center = (-math.cos(lean), math.sin(lean), 0), (0.2, 7.0, -5.15)
    hand(
        turned_thing(center, along, [(3.73, -3.8), (3.73, 6.1)]),
        standing(center, along, 142, 3.8),
        wrist=(8, 10),
        thumb=((-0.40, 0.02, -0.92), (0.15, 0.95, -0.1)),
    )
    cast_light()
    frame(parts, -4, 5, 1.0, (0, -0.4, 0.6), lens=85, stop=32, near=((0.2, 0, 0.56), 1.0))


if __name__ == '__main__':
    shoot(__file__, build, 0.95, sharp=True)
