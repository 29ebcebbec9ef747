"""The mouse pad, held at its edge by a plaster hand."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
from bust import *
from hand import *


def build():
    # it stands upright, its face to the viewer: the room's x, z are the pad's x, y
    parts = bring(product('mouse-pad').build(), 12, turn=(90, 0, 0))

    # in the hand's space: the pad's plane, its right edge across the fingers
    def pad(p):
        return np.maximum(np.abs(p[..., 2] + 2.4) - 0.26, 4.5 - p[..., 1])

    lean = Matrix.Rotation(math.radians(22), 4, 'Y')
    place = Matrix.Translation((1.2, 0.216, -0.35)) @ lean @ Matrix(((0, -0.1, 0, 0.45), (0, 0, 0.1, 0), (-0.1, 0, 0, 0), (0, 0, 0, 1)))
    hand(
        pad, place, wrist=(8, 10), bends=(9, 3, 2), limits=(0, 0, 0),
        thumb=((-0.40, 0.62, -0.68), (0.1, 0.3, 0.9)), thumb_limits=(40, 40, 40),
    )
    cast_light()
    frame(parts, -14, 6, 1.0, (0, -0.1, 0.0), lens=85, stop=32, near=((0.22, 0, -0.1), 1.85))


if __name__ == '__main__':
    shoot(__file__, build, 0.95, sharp=True)
