"""Polo shirt, laid flat: the t-shirt's cut with a turned-down collar, a placket and three buttons."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
from shirt import *

PIQUE = COTTON | dict(grain=(120, 0.2, 0.005, 'weave'))


def edged(base, rise, inset=0.022):
    """The height of a stiff piece: rounded at its edge, with a row of stitches inside it."""

    def height(x, y, d):
        return base + rise * np.sqrt(1 - np.exp(-d / 0.016)) - 0.0055 * dip(d, inset, 0.006) + 0.003 * ripple(x, y, 51, 0.35)

    return height


def build():
    cloth, knit = material('pique', 'A', **PIQUE), material('collar', 'A', prints=False, **PIQUE)
    inside = material('inside', 'A', prints=False, **COTTON)
    horn = material('buttons', color=(0.74, 0.71, 0.64), roughness=0.32)
    label = material('label', color=(0.70, 0.66, 0.57), roughness=0.8)
    shirt = front(cloth, depth=0.16)

    placket = [(-0.058, 0.83), (0.058, 0.83), (0.060, 0.36), (0.045, 0.345), (-0.045, 0.345), (-0.060, 0.36)]
    placket = paint(cut('placket', placket, edged(0.056, 0.013, 0.015), 0.006), knit)

    leaf = np.concatenate(
        [
            bezier((0.006, 0.815), (0.06, 0.83), (0.17, 0.90), (0.215, 1.012), 22),
            bezier((0.215, 1.012), (0.26, 1.005), (0.325, 0.97), (0.345, 0.925), 12)[1:],
            bezier((0.345, 0.925), (0.335, 0.84), (0.29, 0.70), (0.262, 0.648), 16)[1:],
            bezier((0.262, 0.648), (0.18, 0.665), (0.07, 0.725), (0.006, 0.815), 18)[1:-1],
        ]
    )
    leaves = []
    for sx, base in ((1, 0.066), (-1, 0.072)):
        piece = leaf * (sx, 1)
        piece = piece if sx > 0 else piece[::-1]
        # the collar stands a little where it turns over at the neck
        roll = lambda x, y, d, base=base: edged(base, 0.026)(x, y, d) + 0.030 * np.exp(-((np.abs(x) - 0.19) ** 2 + (y - 0.97) ** 2) / 0.012)
        leaves.append(paint(cut('collar', piece, roll, 0.0065), knit))
    stand = [
        *bezier((-0.225, 1.008), (-0.10, 1.000), (0.10, 1.000), (0.225, 1.008), 30),
        *bezier((0.225, 1.0), (0.19, 0.90), (0.10, 0.83), (0, 0.80), 24)[1:],
        *bezier((0, 0.80), (-0.10, 0.83), (-0.19, 0.90), (-0.225, 1.0), 24)[1:],
    ]
    hollow = lambda x, y, d: 0.040 + 0.052 * np.clip((y - 0.90) / 0.11, 0, 1) ** 1.5 - 0.006 * dip(y + 0.35 * x * x, 0.925, 0.007)
    stand = paint(cut('stand', stand[::-1], hollow, 0.008), inside)
    tag = sheet('label', 4, 20, lambda r, c: ((c - 0.5) * 0.11, 0.915 - 0.062 * r, 0.062 - 0.012 * r))
    tag.data.flip_normals()

    buttons = []
    for y in (0.685, 0.545, 0.405):
        profile = softened([(0, 0.005), (0.011, 0.005), (0.0135, 0.0105), (0.0185, 0.0105), (0.0215, 0.006), (0.0215, 0)], 0.002, 4)
        disc = paint(lathe('button', profile[::-1], 48), horn)
        disc.location = (0.0, y, 0.071)
        buttons.append(disc)
    for disc in buttons:
        disc.scale = (1.15, 1.15, 1.4)
    bpy.context.view_layer.update()
    return [shirt, stand, paint(tag, label), placket, *leaves, *buttons]


VIEWS = {
    'front': dict(azimuth=0, elevation=89.9, margin=1.14),
    'detail': dict(azimuth=-16, elevation=50, near=((0.14, 0.66, 0.04), 0.44)),
}

if __name__ == '__main__':
    run(__file__, build, lying_light, VIEWS)
