"""The three animals together in the evening, for the head of the home page: what each brings along is what its own picture shows."""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
import example
import rudy
import sherlock
from clay import *

# Where each stands: x, y, z, turn in degrees, size. Rudy sleeps above the others, on one row of gold more than in his own picture.
PLACES = ((rudy, 0.05, 0.95, 0.6, -2, 1.2), (sherlock, -3.2, -1.45, 0, 12, 0.84), (example, 2.95, -1.5, 0, -13, 0.8))


def row():
    gold = material('gold', color=(0.95, 0.62, 0.19), roughness=0.2, metallic=1, grain=(5, 0.02, 0.02, 'pile'))
    for x, turn in ((-2.84, 1), (-0.94, -0.5), (0.95, 0.5), (2.85, -1)):
        paint(rudy.ingot(x, 0, 1.86, 1.9, turn), gold)


def build():
    parts = placed(row, 0.05, 0.95, 0, -2, 1.2)
    for animal, *place in PLACES:
        parts |= placed(animal.build, *place)
    bpy.context.view_layer.update()
    return list(parts)


if __name__ == '__main__':
    show('together', build, backdrop=(0.022, 0.0195, 0.0165), shift=0, bright=0.55, margin=1.15, elevation=12)
