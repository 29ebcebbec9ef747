"""Can cooler: a sleeve of 3 mm neoprene (black foam, a face of jersey), 10.5 cm tall, 7.4 cm wide, round a plain can; 1 unit = 6 cm."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
from foam import cut_cells
from sewing import stitches
from studio import *

RADIUS, HEIGHT, FOAM = 0.61, 1.64, 0.052
AROUND = math.radians(190)


def bulged(z):
    return RADIUS + 0.014 * np.sin(np.pi * z / HEIGHT)


def cut_edge(surface):
    """Its upper end, where the knife went through the foam."""
    n, rows = 1700, 24
    dents = cut_cells(rows, n, 3 / 2, deep=0.0036, rough=0.0006, largest=2.0, seed=4)

    def point(r, c):
        i, j = np.rint(r * rows).astype(int), np.rint(c * n).astype(int) % n
        radius, around = RADIUS - 0.006 - (FOAM - 0.012) * r, c * 2 * math.pi
        bulge = 0.005 * np.sin(math.pi * r)
        return radius * np.sin(around), -radius * np.cos(around), HEIGHT - 0.004 + bulge + dents[i, j]

    return paint(sheet('cut', rows, n, point, ring=True), surface)


def seam(side, thread):
    """Where the sleeve was closed to a tube: its two edges butt, drawn together by a zigzag across them, 3 mm wide."""
    out = np.array([math.sin(side), -math.cos(side), 0])
    along = np.array([math.cos(side), math.sin(side), 0])
    up = np.array([0, 0, 1])
    corners = [out * (bulged(z) + 0.0015) + along * 0.027 * (-1) ** k + up * z for k, z in enumerate(np.arange(0.07, HEIGHT - 0.02, 0.017))]
    made = []
    for a, b in zip(corners, corners[1:]):
        line = np.linspace(a, b, 30)
        made.append(paint(stitches('zigzag', line, np.tile(out, (30, 1)), 0.95 * np.linalg.norm(b - a), 0, 0.0034), thread))
    return made


def build():
    face = material('jersey', 'A', roughness=0.85, specular=0.2, sheen=0.3)
    thread = material('thread', 'B', roughness=0.7, specular=0.25, prints=False)
    core = material('foam', color=(0.030, 0.030, 0.032), roughness=0.85, specular=0.3)
    steel = material('can', color=(0.80,) * 3, roughness=0.2, metallic=1)
    side = math.radians(62)

    z = np.linspace(0.06, HEIGHT - 0.012, 90)
    foot = softened([(0, 0), (RADIUS * 0.955, 0), (RADIUS * 0.996, 0.055)], [0, 0.05, 0], 8)
    edge = [(RADIUS - 0.001, HEIGHT - 0.004), (RADIUS - 0.006, HEIGHT - 0.002), (RADIUS - 0.009, HEIGHT - 0.008)]
    sleeve = paint(lathe('sleeve', [*foot, *zip(bulged(z), z), *edge], 420), face)
    for v in sleeve.data.vertices:  # the seam lies in a groove
        away = (math.atan2(v.co.x, -v.co.y) - side) * RADIUS
        if v.co.z > 0.07:
            deep = min(1, (HEIGHT - v.co.z) / 0.05 + 0.2)  # less at the top, where foam would come through
            v.co.xy *= 1 - deep * 0.014 * math.exp(-((away / 0.009) ** 2)) + 0.003 * math.exp(-(((abs(away) - 0.024) / 0.013) ** 2))
    inner = RADIUS - FOAM
    lining = paint(lathe('lining', [(inner + 0.007, HEIGHT - 0.006), (inner + 0.002, HEIGHT - 0.002), (inner, HEIGHT - 0.01), (inner, HEIGHT - 0.3)], 190), core)
    r, h = inner - 0.006, HEIGHT
    can = softened(
        [(r, h - 0.3), (r, h + 0.10), (r * 0.80, h + 0.26), (r * 0.83, h + 0.29), (r * 0.79, h + 0.305), (r * 0.76, h + 0.26), (r * 0.70, h + 0.245), (0, h + 0.252)],
        [0, 0.07, 0.03, 0.02, 0.012, 0.015, 0.02, 0],
        8,
    )
    tab = [(0, -0.08, h + 0.277), (0.09, -0.03, h + 0.28), (0.08, 0.12, h + 0.28), (-0.08, 0.12, h + 0.28), (-0.09, -0.03, h + 0.28), (0, -0.08, h + 0.277)]
    azimuth = lambda co: math.atan2(co.x, -co.y)
    printable(sleeve, lambda co: (0.5 + azimuth(co) / AROUND, (co.z - 0.06) / 1.57), lambda c, n: c.z > 0.08 and abs(azimuth(c)) < AROUND / 2 + 0.06)
    return [
        sleeve,
        *seam(side, thread),
        cut_edge(core),
        lining,
        paint(lathe('can', can, 160), steel),
        paint(tube('tab', tab, 0.022), steel),
    ]


VIEWS = {
    'front': dict(azimuth=-8, elevation=13, margin=1.2),
    'detail': dict(azimuth=45, elevation=27, near=((0.425, -0.425, 1.44), 0.42)),
}

if __name__ == '__main__':
    light = lambda: standing_light(sky=0.16, fill=1.2, strips=1.2)
    run(__file__, build, light, VIEWS)
