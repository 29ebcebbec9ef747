"""The tote, carried by a plaster hand."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
from bust import *
from hand import *

ACROSS = 0.19  # half as wide as the fingers, in the bag's unit of 21 cm


def build():
    tote = product('tote')
    carried = tote.hung(ACROSS)
    top = tote.TALL + tote.as_long(carried)[1]  # where the straps lie in the fingers
    parts = bring(tote.build(front=carried, back=carried, carried=True), 21, turn=(90, 0, 0))
    # in the hand's space: the two straps one on the other, across the fingers, nearer to the knuckles where these are shorter
    slant, low, out = math.radians(23), 10.9, -1.9
    c, s = math.cos(slant), math.sin(slant)
    straps = lambda p: np.maximum(np.abs(p[..., 2] - out) - 1.42, np.abs(s * p[..., 0] + c * (p[..., 1] - low)) - 0.42) - 0.03
    level = Matrix(((-0.1, 0, 0, 0), (0, 0, -0.1, 0), (0, -0.1, 0, 0), (0, 0, 0, 1)))
    place = Matrix.Translation((0, -0.055, 2.1 * top + 0.01)) @ level @ Matrix.Rotation(slant, 4, 'Z') @ Matrix.Translation((0, -low, -out))
    hand(
        straps, place, wrist=(6, -18), bends=(14, 40, 20), limits=(24, 104, 66),
        thumb=((-0.42, 0.80, -0.42), (0.75, 0.1, -0.65)), thumb_bends=(4, 14, 22), thumb_limits=(0, 0, 0),
    )
    cast_light(far=2.0)
    frame(parts, -8, 1, 1.0, (0, -0.4, 0), lens=85, stop=32, near=((0, 0, 1.86), 4.25))


if __name__ == '__main__':
    shoot(__file__, build, 0.95, sharp=True)
