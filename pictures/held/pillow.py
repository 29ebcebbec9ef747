"""The pillow, held at a corner by a plaster hand."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
from bust import *
from hand import *


def build():
    made = product('pillow')
    parts = bring(made.build(), 23)
    pillow = parts[0].matrix_world.copy()
    slope = math.radians(38)
    c, s = math.cos(slope), math.sin(slope)
    # fingers point from the lower right corner inwards, behind the pillow; the thumb lies before it
    turned = Matrix(((-s, -c, 0), (0, 0, 1), (-c, s, 0))) * 0.1
    corner = pillow @ Vector((0.95, 0, -0.95))
    place = Matrix.Translation(corner) @ turned.to_4x4() @ Matrix.Translation((1.5, -3.4, 4.3))
    own = np.array(pillow.inverted() @ place, np.float32)

    def cushion(p):
        x, y, z = (p @ own[:3, :3].T + own[:3, 3])[..., :3].transpose(-1, *range(p.ndim - 1))
        u, w = np.abs(x) / (1 - made.DRAW * (1 - np.minimum(z * z, 1))), np.abs(z) / (1 - made.DRAW * (1 - np.minimum(x * x, 1)))
        beyond = np.maximum(np.maximum(u, w) - 1, 0)
        return (23 * (0.6 * (np.abs(y) - made.bulge(made.fullness(np.minimum(u, 1), np.minimum(w, 1)))) + beyond)).astype(np.float32)

    hand(
        cushion, place, wrist=(10, 8), bends=(-12, 2, 2), limits=(60, 60, 50),
        thumb=((-0.30, 0.20, -0.93), (0.3, 0.9, 0.35)), thumb_bends=(-10, 2, 4), thumb_limits=(30, 60, 60), whole=True, reach=-36,
    )
    cast_light(far=1.6)
    softbox((7, -9, 1.5), (1.5, 0, 0.5), 3, 700, color=(1, 0.93, 0.84))  # the hand stands in the pillow's shade
    frame(parts, -10, 6, 1.0, (0, -0.9, 2), lens=85, stop=11, near=((0.5, 0, 1.95), 3.35))


if __name__ == '__main__':
    shoot(__file__, build, 0.95)
