"""Steel bottle, 17 oz: 26 cm tall, 7.2 cm wide; 1 unit = 13 cm. The powder coat is zone A; neck and lid are bare, brushed steel."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
from studio import *

RADIUS, NECK = 0.30, 0.145
SHOULDER, TOP = 1.26, 1.62
AROUND = math.radians(180)


def brushed(profile, seed, depth=0.00022):
    """Steel that was turned under an abrasive: the profile gets fine grooves of random depth, which a bump would lose to the denoiser."""
    line = evenly(np.array(profile, float), 0.0026)
    ahead = np.gradient(line, axis=0)
    outward = np.column_stack([ahead[:, 1], -ahead[:, 0]]) / np.maximum(np.linalg.norm(ahead, axis=1), 1e-9)[:, None]
    grooves = np.random.default_rng(seed).normal(0, depth, len(line)) * np.clip(line[:, 0] / 0.05, 0, 1)
    return line + outward * grooves[:, None]


def build():
    coat = material('powder coat', 'A', roughness=0.36, specular=0.6)
    steel = material('steel', color=(0.60, 0.585, 0.565), roughness=0.27, metallic=1)

    t = np.linspace(0, 1, 44)
    ease = t * t * (3 - 2 * t)
    foot = softened([(RADIUS * 0.7, 0), (RADIUS * 0.95, 0), (RADIUS, 0.045), (RADIUS, 0.12)], [0, 0.015, 0.035, 0], 8)
    side = [(RADIUS, z) for z in np.linspace(0.13, SHOULDER - 0.01, 40)]
    shoulder = [*zip(RADIUS + (NECK - RADIUS) * ease**1.05, SHOULDER + (TOP - SHOULDER) * t)]
    body = paint(lathe('body', [(0, 0.02), *foot, *side, *shoulder, (NECK, TOP + 0.004), (NECK - 0.005, TOP + 0.010)], 180), coat)
    bare = NECK - 0.006  # the coat is masked off below the thread
    ring = softened([(bare, TOP - 0.02), (bare, TOP + 0.048), (bare + 0.012, TOP + 0.054), (bare + 0.012, TOP + 0.066), (bare - 0.03, TOP + 0.07)], 0.005, 5)
    width = NECK + 0.014
    lid = softened(
        [(NECK - 0.03, TOP + 0.076), (width - 0.012, TOP + 0.078), (width, TOP + 0.090), (width, TOP + 0.28), (width - 0.01, TOP + 0.315), (0, TOP + 0.318)],
        [0, 0.006, 0.012, 0.02, 0.02, 0],
        9,
    )
    band = softened([(width, TOP + 0.114), (width + 0.004, TOP + 0.118), (width + 0.004, TOP + 0.130), (width, TOP + 0.134)], 0.002, 4)
    azimuth = lambda co: math.atan2(co.x, -co.y)
    printable(
        body,
        lambda co: (0.5 + azimuth(co) / AROUND, (co.z - 0.14) / 1.10),
        lambda c, n: 0.1 < c.z < 1.27 and abs(azimuth(c)) < AROUND / 2 + 0.08,
    )
    metal = [('neck', brushed(ring, 1)), ('lid', brushed(lid, 2)), ('band', band)]
    return [body, *(paint(lathe(name, profile, 160), steel) for name, profile in metal)]


VIEWS = {
    'front': dict(azimuth=-6, elevation=10, margin=1.14),
    'detail': dict(azimuth=-6, elevation=14, near=((0, 0, 1.38), 0.54)),
}

if __name__ == '__main__':
    light = lambda: standing_light(sky=0.16, fill=0.6, key=0.8, strips=2.2)
    run(__file__, build, light, VIEWS)
