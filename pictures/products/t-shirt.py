"""T-shirt with a crew neck, laid flat."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
from shirt import *


def build():
    cloth, rib = material('cotton', 'A', **COTTON), material('rib', 'A', prints=False, **COTTON | dict(grain=(170, 0.1, 0.003, 'pile')))
    inside = material('inside', 'A', prints=False, **COTTON)
    label = material('label', color=(0.70, 0.66, 0.57), roughness=0.8)
    mirror = lambda half: np.concatenate([half, (half * (-1, 1))[::-1][1:]])
    seam = mirror(neckline(0.262))
    edge = mirror(bezier((0.214, 0.992), (0.195, 0.85), (0.125, 0.758), (0, 0.758), 30))
    behind = mirror(neckline(0.048))
    top = mirror(bezier((0.214, 0.992), (0.14, 0.985), (0.07, 0.972), (0, 0.970), 30))
    tag = sheet('label', 4, 20, lambda r, c: ((c - 0.5) * 0.115, 0.892 - 0.066 * r, 0.030 + 0.004 * np.sin(3 * c)))
    tag.data.flip_normals()
    return [
        front(cloth, depth=0.262),
        back(inside),
        band('back collar', behind, top, rib, 0.030, 0.011, ribs=60),
        band('collar', seam, edge, rib, 0.046, 0.011, ribs=76),
        paint(tag, label),
    ]


VIEWS = {
    'front': dict(azimuth=0, elevation=89.9, margin=1.14),
    'detail': dict(azimuth=-16, elevation=50, near=((0.02, 0.5, 0.03), 0.60)),
}

if __name__ == '__main__':
    run(__file__, build, lying_light, VIEWS)
