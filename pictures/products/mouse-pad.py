"""Mouse pad: 24 x 20 cm, 4 mm of cloth on black rubber; 1 unit = 12 cm."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
from studio import *


def slab(name, half_x, half_y, corner, low, high, bevel):
    quarters = ((1, 1, 0), (-1, 1, 90), (-1, -1, 180), (1, -1, 270))
    rim = [
        (sx * (half_x - corner) + corner * math.cos(a), sy * (half_y - corner) + corner * math.sin(a))
        for sx, sy, start in quarters
        for a in np.radians(np.linspace(start, start + 90, 16))
    ]
    n = len(rim)
    verts = [(x, y, z) for z in (low, high) for x, y in rim]
    walls = [(i, (i + 1) % n, n + (i + 1) % n, n + i) for i in range(n)]
    made = mesh(name, verts, [tuple(reversed(range(n))), tuple(range(n, 2 * n)), *walls])
    made.data.use_auto_smooth = True
    edge = made.modifiers.new('edge', 'BEVEL')
    edge.width, edge.segments = bevel, 4
    return made


def build():
    cloth = material('cloth', 'A', roughness=0.8, specular=0.25, sheen=0.2, grain=(230, 0.07, 0.003, 'pile'))
    rubber = material('rubber', color=(0.025, 0.025, 0.027), roughness=0.8)
    base = paint(slab('rubber', 1.0, 0.835, 0.10, 0, 0.024, 0.006), rubber)
    top = paint(slab('cloth', 0.998, 0.833, 0.10, 0.0242, 0.040, 0.008), cloth)
    printable(top, lambda co: (0.5 + co.x / 2, 0.5 + co.y / 1.67), lambda c, n: n.z > 0.9)
    return [base, top]


VIEWS = {
    'front': dict(azimuth=-16, elevation=46, margin=1.1),
    'detail': dict(azimuth=-30, elevation=32, near=((-0.06, -0.06, 0), 0.80)),
}

if __name__ == '__main__':
    run(__file__, build, lambda: standing_light(sky=0.16, fill=0.6), VIEWS)
