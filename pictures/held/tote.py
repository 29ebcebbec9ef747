"""The tote, carried by a plaster hand."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
from bust import *
from hand import *

TOP = 1.86  # where the straps lie in the fingers, in the bag's unit of 21 cm
ACROSS = 0.19  # half as wide as the fingers


def strap(cloth, behind):
    """A strap from the bag into the hand: it turns flat where the fingers carry it."""
    n = 400
    line = softened([(-0.42, 0.70), (-0.40, 1.02), (-ACROSS, TOP), (ACROSS, TOP), (0.40, 1.02), (0.42, 0.70)], [0, 0.12, 0.10, 0.10, 0.12, 0], 12)
    x, y = evenly(np.array(line), 0.001).T
    x, y = (np.interp(np.linspace(0, 1, n), np.linspace(0, 1, len(x)), v) for v in (x, y))
    up = np.clip((y - 1.05) / (TOP - 1.12), 0, 1)
    turn = 0.5 * np.pi * up * up * (3 - 2 * up)
    base = np.where(y < 1.0, -0.10, 0.016) if behind else 0.03 + 0.046 * np.clip((1.04 - y) / 0.06, 0, 1)
    z = base * (1 - up) + (0.020 if behind else 0.034) * up
    tx, ty = np.gradient(x), np.gradient(y)
    size = np.hypot(tx, ty)

    def point(r, c):
        i = np.clip(np.rint(c * (n - 1)).astype(int), 0, n - 1)
        across, edge = (r - 0.5) * 0.13, np.abs(r - 0.5) * 2
        thick = 0.012 * (1 - edge**6) - 0.006 * np.exp(-(((edge - 0.76) / 0.06) ** 2))
        low = np.clip((y[i] - 0.70) / 0.17, 0, 1)
        sewn = np.exp(-(((low - 0.95) / 0.05) ** 2)) + np.exp(-((((r - 0.5) - (low - 0.5)) / 0.09) ** 2)) * (low < 1) + np.exp(-((((r - 0.5) + (low - 0.5)) / 0.09) ** 2)) * (low < 1)
        side = np.stack([-ty[i] / size[i], tx[i] / size[i]])
        thick = thick - 0.005 * sewn
        flat, stood = np.cos(turn[i]), np.sin(turn[i])
        return (
            x[i] + side[0] * (across * flat - thick * stood),
            y[i] + side[1] * (across * flat - thick * stood) + 0.016 * up[i] * (0 if behind else 1),
            z[i] + across * stood + thick * flat,
        )

    made = paint(sheet('strap', 26, n - 1, point), cloth)
    webbing = made.modifiers.new('webbing', 'SOLIDIFY')
    webbing.thickness, webbing.offset = 0.014, 0
    return made


def build():
    bag, *handles = product('tote').build(hung=True)
    cloth = handles[0].data.materials[0]
    for old in handles:
        bpy.data.objects.remove(old)
    parts = bring([bag, strap(cloth, True), strap(cloth, False)], 21, turn=(90, 0, 0))
    # in the hand's space: the two straps one on the other, across the fingers, nearer to the knuckles where these are shorter
    slant, low, out = math.radians(23), 10.9, -1.9
    c, s = math.cos(slant), math.sin(slant)
    straps = lambda p: np.maximum(np.abs(p[..., 2] - out) - 1.42, np.abs(s * p[..., 0] + c * (p[..., 1] - low)) - 0.42) - 0.03
    level = Matrix(((-0.1, 0, 0, 0), (0, 0, -0.1, 0), (0, -0.1, 0, 0), (0, 0, 0, 1)))
    place = Matrix.Translation((0, -0.055, 2.1 * TOP + 0.01)) @ level @ Matrix.Rotation(slant, 4, 'Z') @ Matrix.Translation((0, -low, -out))
    hand(
        straps, place, wrist=(6, -18), bends=(14, 40, 20), limits=(24, 104, 66),
        thumb=((-0.42, 0.80, -0.42), (0.75, 0.1, -0.65)), thumb_bends=(4, 14, 22), thumb_limits=(0, 0, 0),
    )
    cast_light(far=2.0)
    frame(parts, -8, 1, 1.0, (0, -0.4, 0), lens=85, stop=11, near=((0, 0, 1.42), 3.86))


if __name__ == '__main__':
    shoot(__file__, build, 0.95)
