"""Steel bottle, 17 oz: 26 cm tall, 7.2 cm wide; 1 unit = 13 cm. The powder coat is zone A; ring and lid stay steel."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
from studio import *

RADIUS, NECK = 0.30, 0.145
SHOULDER, TOP = 1.26, 1.62
AROUND = math.radians(180)


def build():
    coat = material('powder coat', 'A', roughness=0.42, grain=(260, 0.1, 0.003, 'pile'))
    steel = material('steel', color=(0.62, 0.61, 0.60), roughness=0.22, metallic=1)
    brushed = material('lid', color=(0.55, 0.545, 0.54), roughness=0.33, metallic=1)

    t = np.linspace(0, 1, 44)
    ease = t * t * (3 - 2 * t)
    foot = softened([(RADIUS * 0.7, 0), (RADIUS * 0.95, 0), (RADIUS, 0.045), (RADIUS, 0.12)], [0, 0.015, 0.035, 0], 8)
    side = [(RADIUS, z) for z in np.linspace(0.13, SHOULDER - 0.01, 40)]
    shoulder = [*zip(RADIUS + (NECK - RADIUS) * ease**1.05, SHOULDER + (TOP - SHOULDER) * t)]
    body = paint(lathe('body', [(0, 0.02), *foot, *side, *shoulder, (NECK, TOP + 0.012)], 180), coat)
    ring = softened([(NECK - 0.01, TOP - 0.01), (NECK + 0.005, TOP), (NECK + 0.005, TOP + 0.05), (NECK - 0.02, TOP + 0.055)], 0.006, 5)
    width = NECK + 0.014
    lid = softened(
        [(NECK - 0.03, TOP + 0.05), (width - 0.012, TOP + 0.06), (width, TOP + 0.075), (width, TOP + 0.28), (width - 0.01, TOP + 0.315), (0, TOP + 0.318)],
        [0, 0.006, 0.012, 0.02, 0.02, 0],
        9,
    )
    band = softened([(width, TOP + 0.10), (width + 0.004, TOP + 0.104), (width + 0.004, TOP + 0.118), (width, TOP + 0.122)], 0.002, 4)
    azimuth = lambda co: math.atan2(co.x, -co.y)
    printable(
        body,
        lambda co: (0.5 + azimuth(co) / AROUND, (co.z - 0.14) / 1.10),
        lambda c, n: 0.1 < c.z < 1.27 and abs(azimuth(c)) < AROUND / 2 + 0.08,
    )
    return [body, paint(lathe('ring', ring, 120), steel), paint(lathe('lid', lid, 140), brushed), paint(lathe('band', band, 140), steel)]


VIEWS = {
    'front': dict(azimuth=-6, elevation=10, margin=1.14),
    'detail': dict(azimuth=-5, elevation=16, near=((0, 0, 0.86), 0.62)),
}

if __name__ == '__main__':
    light = lambda: standing_light(sky=0.16, fill=0.6, key=0.8, strips=2.2)
    run(__file__, build, light, VIEWS)
