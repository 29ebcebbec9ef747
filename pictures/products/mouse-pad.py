"""Mouse pad: 24 x 20 cm, a quarter of an inch of printed knit on black foam rubber; 1 unit = 12 cm."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
from foam import cut_cells
from studio import *

HALF_X, HALF_Y, CORNER = 1.0, 0.835, 0.10
CUT, THICK = 0.044, 0.054  # where rubber ends and cloth begins; the top
STEPS = 3200  # round the edge


def rim(inside=0.0):
    """The outline of the pad, counterclockwise, in so many even steps."""
    corners = ((1, 1, 0), (-1, 1, 90), (-1, -1, 180), (1, -1, 270))
    x, y, r = HALF_X - CORNER, HALF_Y - CORNER, CORNER - inside
    line = [(sx * x + r * math.cos(a), sy * y + r * math.sin(a)) for sx, sy, start in corners for a in np.radians(np.linspace(start, start + 90, 24))]
    line = evenly(np.array(line), 0.001, closed=True)
    return line[np.linspace(0, len(line), STEPS, endpoint=False).astype(int)]


def foam(name, low, high, surface):
    """The cut side of the rubber."""
    line = rim()
    n, rows = STEPS, 20
    ahead = np.roll(line, -1, axis=0) - np.roll(line, 1, axis=0)
    outward = np.column_stack([ahead[:, 1], -ahead[:, 0]]) / np.linalg.norm(ahead, axis=1)[:, None]
    dents = cut_cells(rows, n, 2 / 3, deep=0.0034, rough=0.0005, largest=2.1, seed=5)

    def point(r, c):
        i, j = np.rint(r * rows).astype(int), np.rint(c * n).astype(int) % n
        return line[j, 0] + outward[j, 0] * dents[i, j], line[j, 1] + outward[j, 1] * dents[i, j], low + (high - low) * r

    return paint(sheet(name, rows, n, point, ring=True), surface)


def build():
    cloth = material('cloth', 'A', roughness=0.8, specular=0.25, sheen=0.2)
    rubber = material('rubber', color=(0.027, 0.027, 0.029), roughness=0.75, specular=0.35)
    side = foam('foam', 0.0, CUT, rubber)
    # the cloth ends where the knife went through both, its edge pressed down a little
    fall = [(0.0, CUT - 0.001), (0.0, THICK - 0.0035), (0.0012, THICK - 0.001), (0.004, THICK)]
    rings, n = [np.column_stack([rim(inside), np.full(STEPS, z)]) for inside, z in fall], STEPS
    walls = [(k * n + i, k * n + (i + 1) % n, (k + 1) * n + (i + 1) % n, (k + 1) * n + i) for k in range(len(rings) - 1) for i in range(n)]
    top = paint(mesh('cloth', np.vstack(rings).tolist(), [*walls, tuple(range((len(rings) - 1) * n, len(rings) * n))]), cloth)
    printable(top, lambda co: (0.5 + co.x / 2, 0.5 + co.y / 1.67), lambda c, n: n.z > 0.9)
    return [side, top]


VIEWS = {
    'front': dict(azimuth=-16, elevation=46, margin=1.1),
    'detail': dict(azimuth=-24, elevation=36, near=((0.32, -0.62, 0.02), 0.27)),
}

if __name__ == '__main__':
    run(__file__, build, lambda: standing_light(sky=0.16, fill=0.9), VIEWS)
