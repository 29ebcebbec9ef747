"""T-shirt, laid flat: a thin rib collar, the inside of the back with tape and label, stitched hems."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
from shirt import *

DEPTH = 0.262
CREST = (0.212, 0.975)  # where the collar folds over: the front one goes down from there, the back one on to the middle


def folded_over():
    """The round edge that the collar shows at the shoulder, from the crest to the seam."""
    return bezier(CREST, (0.232, 0.979), (0.251, 0.969), NECK, 14)


@posed
def build():
    cloth, rib = material('cotton', 'A', **COTTON), material('rib', 'A', prints=False, **COTTON | dict(grain=(170, 0.1, 0.003, 'pile')))
    inside = material('inside', 'A', prints=False, **COTTON)
    thread = material('thread', 'A', prints=False, roughness=0.6, sheen=0.3)
    low = NECK[1] - DEPTH
    seam = both(neckline(DEPTH))
    edge = both(bezier(CREST, (0.205, low + 0.19), (0.125, low + 0.052), (0, low + 0.052), 40))
    rear = both(neckline(0.050))
    top = both(bezier(CREST, (0.15, 0.966), (0.07, 0.956), (0, 0.954), 40))
    tape = rear - (0, 0.030)
    on_tape = lambda x, y: 0.0140 + 0 * x
    return [
        front(cloth, DEPTH),
        back(inside),
        band('back collar', rear, top, rib, 0.006, ribs=60),
        band('tape', tape, rear + (0, 0.002), inside, 0.006, 0.0045),
        sewn(trimmed(tape + (0, 0.006), 0.02), on_tape, thread),
        sewn(trimmed(tape + (0, 0.025), 0.02), on_tape, thread),
        *label(0, rear[39, 1] - 0.024, 0.0125),
        band('collar', both(np.concatenate([folded_over()[:-1], neckline(DEPTH)])), edge, rib, 0.0185, ribs=96, ends=0.012),
        sewn(trimmed(beside(seam, 0.009), 0.02), front_height, thread),
        sewn(trimmed(beside(seam, 0.024), 0.02), front_height, thread),
        *hems(thread),
    ]


FRONT = dict(azimuth=0, elevation=89.9, margin=1.12)
VIEWS = {
    'front': FRONT,
    'front-2': dict(pose=2, **FRONT),
    'front-3': dict(pose=3, **FRONT),
    'detail': dict(azimuth=-6, elevation=60, near=((0.01, 0.33, 0.03), 0.47)),
    'detail-2': dict(azimuth=-10, elevation=60, near=((0.165, 0.485, 0.03), 0.24)),  # of what is small, on the heart side
}

if __name__ == '__main__':
    run(__file__, build, lying_light, VIEWS)
