"""Mug: 9.6 cm tall, 8.2 cm wide; 1 unit = 5 cm. Zone B is its inside and handle. The 15 oz mug has the same shape."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
from studio import *

RADIUS, HEIGHT, WALL = 0.82, 1.90, 0.072
AROUND = math.radians(270)


def build():
    glaze = dict(roughness=0.16, specular=0.5, coat=0.25)
    outside = material('outside', 'A', **glaze)
    inside = material('inside', 'B', prints=False, **glaze)

    foot = softened([(0, 0.05), (0.5, 0.05), (0.55, 0), (0.68, 0), (RADIUS, 0.17), (RADIUS, 0.5)], [0, 0.03, 0.03, 0.05, 0.15, 0], 9)
    side = [(RADIUS, z) for z in np.linspace(0.53, HEIGHT - 0.045, 40)]
    turn = np.linspace(0, math.pi, 16)
    lip = [(RADIUS - WALL / 2 + WALL / 2 * math.cos(a), HEIGHT - 0.04 + 0.04 * math.sin(a)) for a in turn]
    body = paint(lathe('body', [*foot[:-1], *side, *lip[:7]], 200), outside)
    hollow = softened([(RADIUS - WALL, HEIGHT - 0.06), (RADIUS - WALL, 0.17), (0, 0.13)], 0.22, 12)
    well = paint(lathe('well', [*lip[6:], *hollow[1:]], 200), inside)
    azimuth = lambda co: math.atan2(co.x, -co.y)
    printable(
        body,
        lambda co: (0.5 + azimuth(co) / AROUND, (co.z - 0.16) / (HEIGHT - 0.28)),
        lambda c, n: 0.1 < c.z < HEIGHT - 0.06 and abs(azimuth(c)) < AROUND / 2 + 0.06 and abs(n.z) < 0.3,
    )

    path = [(RADIUS - 0.03, 1.48), (1.03, 1.55), (1.33, 1.40), (1.42, 1.02), (1.28, 0.62), (1.02, 0.43), (RADIUS - 0.03, 0.44)]
    handle = tube('handle', [(x, 0, z) for x, z in path], 0.086, [1.5, 1.08, 1, 1, 1, 1.08, 1.5])
    for v in handle.data.vertices:
        v.co.y *= 1.38
    return [body, well, paint(handle, inside)]


VIEWS = {
    'front': dict(azimuth=-22, elevation=15, margin=1.34),
    'detail': dict(azimuth=-36, elevation=22, near=((0.04, -0.1, 0.96), 0.98)),
}

if __name__ == '__main__':
    run(__file__, build, lambda: standing_light(strips=1, fill=0.6), VIEWS)
