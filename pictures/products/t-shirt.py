"""T-shirt, laid flat: a thin rib collar, the inside of the back with tape and label, stitched hems."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
from shirt import *

DEPTH = 0.262
CORNER = (0.228, 0.991)  # where the collar folds over at the shoulder


def build():
    cloth, rib = material('cotton', 'A', **COTTON), material('rib', 'A', prints=False, **COTTON | dict(grain=(170, 0.1, 0.003, 'pile')))
    inside = material('inside', 'A', prints=False, **COTTON)
    thread = material('thread', 'A', prints=False, roughness=0.6, sheen=0.3)
    low = NECK[1] - DEPTH
    seam = both(neckline(DEPTH))
    edge = both(bezier(CORNER, (0.214, low + 0.19), (0.125, low + 0.050), (0, low + 0.050), 40))
    rear = both(neckline(0.050))
    top = both(bezier(CORNER, (0.15, 0.974), (0.07, 0.960), (0, 0.958), 40))
    tape = rear - (0, 0.030)
    on_tape = lambda x, y: 0.0140 + 0 * x
    return [
        front(cloth, DEPTH),
        back(inside),
        band('back collar', rear, top, rib, 0.006, ribs=84),
        band('tape', tape, rear + (0, 0.002), inside, 0.006, 0.0045),
        sewn(trimmed(tape + (0, 0.006), 0.02), on_tape, thread),
        sewn(trimmed(tape + (0, 0.025), 0.02), on_tape, thread),
        *label(0, rear[39, 1] - 0.024, 0.0125),
        band('collar', seam, edge, rib, 0.0185, ribs=108, ends=0.012),
        sewn(trimmed(beside(seam, 0.009), 0.02), front_height, thread),
        sewn(trimmed(beside(seam, 0.024), 0.02), front_height, thread),
        *hems(thread),
    ]


VIEWS = {
    'front': dict(azimuth=0, elevation=89.9, margin=1.12),
    'detail': dict(azimuth=-16, elevation=50, near=((0.02, 0.5, 0.03), 0.60)),
}

if __name__ == '__main__':
    run(__file__, build, lying_light, VIEWS)
