"""Can cooler: a foam sleeve 10.5 cm tall, 7.4 cm wide, round a plain can; 1 unit = 6 cm."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
from studio import *

RADIUS, HEIGHT = 0.61, 1.64
AROUND = math.radians(190)


def build():
    foam = material('neoprene', 'A', roughness=0.85, specular=0.2, sheen=0.3, grain=(170, 0.07, 0.004, 'pile'))
    thread = material('seam', 'A', roughness=0.9, specular=0.2, prints=False)
    core = material('foam core', color=(0.03,) * 3, roughness=0.9)
    steel = material('can', color=(0.80,) * 3, roughness=0.2, metallic=1)

    z = np.linspace(0.06, HEIGHT - 0.02, 60)
    belly = RADIUS + 0.014 * np.sin(np.pi * z / HEIGHT)
    foot = softened([(0, 0), (RADIUS * 0.955, 0), (RADIUS * 0.996, 0.055)], [0, 0.05, 0], 8)
    sleeve = paint(lathe('sleeve', [*foot, *zip(belly, z)], 190), foam)
    rim = softened([(RADIUS, HEIGHT - 0.024), (RADIUS, HEIGHT), (RADIUS - 0.055, HEIGHT), (RADIUS - 0.055, HEIGHT - 0.1)], 0.014, 6)
    r, h = RADIUS - 0.06, HEIGHT
    can = softened(
        [(r, h - 0.3), (r, h + 0.10), (r * 0.80, h + 0.26), (r * 0.83, h + 0.29), (r * 0.79, h + 0.305), (r * 0.76, h + 0.26), (r * 0.70, h + 0.245), (0, h + 0.252)],
        [0, 0.07, 0.03, 0.02, 0.012, 0.015, 0.02, 0],
        8,
    )
    tab = [(0, -0.08, h + 0.277), (0.09, -0.03, h + 0.28), (0.08, 0.12, h + 0.28), (-0.08, 0.12, h + 0.28), (-0.09, -0.03, h + 0.28), (0, -0.08, h + 0.277)]
    azimuth = lambda co: math.atan2(co.x, -co.y)
    printable(sleeve, lambda co: (0.5 + azimuth(co) / AROUND, (co.z - 0.1) / 1.42), lambda c, n: c.z > 0.08 and abs(azimuth(c)) < AROUND / 2 + 0.06)
    # the overlocked seam at the side, where the sleeve was sewn to a tube
    side = math.radians(62)
    seam = [((RADIUS + 0.013) * math.sin(side), -(RADIUS + 0.013) * math.cos(side), s) for s in np.linspace(0.09, HEIGHT - 0.02, 8)]
    return [
        sleeve,
        paint(tube('seam', seam, 0.009), thread),
        paint(lathe('rim', rim, 190), core),
        paint(lathe('can', can, 160), steel),
        paint(tube('tab', tab, 0.022), steel),
    ]


VIEWS = {
    'front': dict(azimuth=-8, elevation=13, margin=1.2),
    'detail': dict(azimuth=-6, elevation=26, near=((0, 0, 0.98), 0.90)),
}

if __name__ == '__main__':
    light = lambda: standing_light(sky=0.16, fill=0.6, strips=1.4)
    run(__file__, build, light, VIEWS)
