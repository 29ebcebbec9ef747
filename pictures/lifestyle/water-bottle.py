"""The bottle on a garden bench, beside it a paperback and an apple, whose sizes everyone knows."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
from rooms import *


def apple(at, size):
    """A round one with its stalk in a hollow, yellow where the leaves shaded it."""
    around = np.linspace(-math.pi / 2, math.pi / 2, 40)
    form = [(size * np.cos(a) ** 0.85, size * (0.92 * np.sin(a) - 0.34 * np.exp(-((np.cos(a) / 0.34) ** 2)) * np.sign(np.sin(a)))) for a in around]
    skin = material('apple', color=(0.45, 0.06, 0.03), roughness=0.3)
    fruit = paint(lathe('apple', form, 90), textured(skin, noise(skin, 4, (1, 1, 0.25), 4), (0.36, 0.035, 0.022), (0.55, 0.22, 0.055)))
    fruit.location, fruit.rotation_euler = (at[0], at[1], at[2] + 0.86 * size), (0.14, -0.2, 0.4)
    x, y, z = at
    stalk = [(x, y, z + 1.3 * size), (x - 0.04, y, z + 1.65 * size), (x - 0.16, y, z + 2.0 * size)]
    paint(tube('stalk', stalk, 0.022), material('stalk', color=(0.11, 0.06, 0.03), roughness=0.8))


def build():
    parts = bring(product('water-bottle').build(), 13, turn=(0, 0, 6))
    planks(wood(PINE, roughness=0.6), 0, 1.0, 5, -2.3, gap=0.16)
    back = wood(PINE, roughness=0.6)
    for level in (1.6, 3.1):
        box((0.6, 3.1, level), (40, 0.25, 1.0), back, 0.06)
    for x in (-4.6, 4.8):
        box((x, 3.35, 1.4), (0.55, 0.3, 5.4), back, 0.06)
    hedge(70)
    book((1.30, 0.75, 0), (1.75, 1.15, 0.26), (0.36, 0.13, 0.075), -16)
    apple((0.98, -0.42, 0), 0.38)
    ambient(0.5, (0.88, 0.95, 1))
    sun(-52, 38, 3.4, softness=1.6)
    softbox((-3.4, -4.5, 3.2), (0, 0, 1.6), 1.2, 150, 4)  # a pale wall across the garden, which steel and coat mirror
    frame(parts, -4, 9, 1.36, (0, -0.35, 1.2), lens=85, stop=2.8, shift=(0.08, 0.0))


if __name__ == '__main__':
    shoot(__file__, build, 0.97)
