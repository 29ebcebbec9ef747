"""How a shirt hangs on its hanger, as a formula of the flat one's places, so that seams, hems and print stay as clean as they are cut.

Sleeves sink to the sides, flat; soft drapes run down from where the hanger ends; front and back nearly touch.
"""

from rooms import *
from shirt import CUFF_IN, CUFF_OUT, cuff, eased, settled, silhouette, without_print

BEHIND = ('back', 'tape', 'label', 'stand')  # parts that lie on the back
HANGER_END = (0.600, 0.815)  # what is beside it sinks around it
# directions from there, in degrees from straight down outwards, on the table and hung: body, armpit, the cuff's ends, the sleeve's top
FLAT = (-180, -25, 0, 13.4, 23, 57, 85, 125, 180)
SUNK = (-180, -25, -1, 9.5, 13, 41, 64, 122, 180)
DIRECTIONS = np.linspace(-180, 180, 1441)
BELL = np.exp(-0.5 * (np.arange(-40, 41) / 14) ** 2)  # no kink runs through the cloth
TURNED = np.convolve(np.pad(np.interp(DIRECTIONS, FLAT, SUNK) - DIRECTIONS, 40, mode='edge'), BELL / BELL.sum(), 'valid')


def bump(value, middle, width):
    return np.exp(-(((value - middle) / width) ** 2))


def fallen(x, y, layer, smooth):
    """Where the points x, y of the flat shirt hang: x, height and how far before the shirt's middle."""
    side, out = np.where(x < 0, -1, 1), np.abs(x)
    half = np.column_stack([out, y])
    cuff_end = line_distance(cuff(), half)
    if layer == 'back':  # a little of a sleeve's inside is seen behind its hem
        along = np.clip(((CUFF_OUT[0] - out) * 0.483 + (CUFF_OUT[1] - y) * 0.876) / 0.42, 0, 1)
        peep = 0.034 * np.sin(math.pi * along) ** 0.7 * np.exp(-cuff_end / 0.10)
        out, y = out + 0.876 * peep, y - 0.483 * peep
    dx, dy = out - HANGER_END[0], y - HANGER_END[1]
    far, direction = np.hypot(dx, dy), np.degrees(np.arctan2(dx, -dy))
    turned = np.radians(direction + np.interp(direction, DIRECTIONS, TURNED) * eased(far, 0.0, 0.34) * eased(out, 0, 0.4))
    there_x, there_y = HANGER_END[0] + far * np.sin(turned), HANGER_END[1] - far * np.cos(turned)

    sleeve = eased(direction, 9, 20) * eased(far, 0.12, 0.55) * (1 - eased(direction, 60, 95))
    low = eased(0.75 - y, 0, 1.7)
    own = 0.7 * side
    drapes = np.sin(2 * math.pi * x / 0.46 + 0.9 + 0.35 * y) + 0.6 * np.sin(2 * math.pi * x / 0.29 + 2.4 - 0.3 * y) + 0.35 * np.sin(2 * math.pi * x / 0.83 - 1)
    body = (0.003 + 0.017 * low) * drapes * (1 - eased(out, 0.60, 0.74))
    # drawn from the hanger's end to the armpit and past it
    body = body + 0.012 * bump(direction, 2 + 2 * own, 5) * eased(far, 0.08, 0.4) * (1 - eased(far, 0.7, 1.5))
    body = body - 0.016 * bump(direction, 12, 4.5) * eased(far, 0.1, 0.45) * (1 - eased(far, 0.55, 1.0))
    folds = 0.020 * bump(direction, 27 + 3 * own, 7) - 0.012 * bump(direction, 40 + 3 * own, 7) + 0.010 * bump(direction, 52, 8)
    middle = body + sleeve * folds * (1 - 0.7 * smooth * np.exp(-cuff_end / 0.14))

    seam = np.minimum(line_distance(SEWN[0], half), line_distance(SEWN[1], half))
    apart = 0.010 + 0.026 * bump(out, 0, 0.48) * bump(y, 0.80, 0.35) + 0.018 * (1 - eased(out, 0.45, 0.75)) + 0.030 * np.exp(-cuff_end / 0.12)
    apart = apart * (1 - np.exp(-((seam / 0.055) ** 2)))  # pressed together at a seam
    apart = apart * (1 - eased(out, 0.10, 0.21) * eased(y, 0.93, 0.975))  # a collar goes round the neck in one piece
    return np.column_stack([side * there_x, there_y, middle + (apart if layer == 'front' else -apart)])


def seams():
    """Half the edge where front and back are one, above and below the sleeve's end."""
    edge = silhouette()
    first = np.argmin(np.hypot(*(edge - CUFF_OUT).T))
    second = np.argmin(np.hypot(*(edge - CUFF_IN).T))
    last = second + 70  # the side seam's end, at the hem
    return edge[: first + 1], edge[second : last + 1]


SEWN = seams()


def level(z, rows=25, wide=70):
    """A cuff's heights without the folds under it: what is higher than most of it over two ribs."""
    along = np.pad(z.reshape(rows, -1), ((0, 0), (wide, wide)), mode='edge')
    base = np.stack([np.convolve(row, np.ones(wide + 1) / (wide + 1), 'valid') for row in along])[:, wide // 2 : wide // 2 + len(z) // rows]
    return z - np.maximum(0, base - np.percentile(base, 30, axis=1, keepdims=True)).ravel()


def hung(parts, smooth=0):
    """Stands a shirt that lies flat upright and lets it hang. smooth: how little its sleeves fold at their ends, which knit cuffs hold, 0..1."""
    step = 1e-3
    parts = without_print(parts)
    for part in parts:
        spots = np.array([v.co[:] for v in part.data.vertices]) + np.array(part.location)
        part.location = (0, 0, 0)
        x, y, z = spots.T
        on_tape = part.name.startswith('stitches') and np.abs(x).max() < 0.28 and y.min() > 0.85
        layer = 'back' if part.name.startswith(BEHIND) or on_tape else 'front'
        there = fallen(x, y, layer, smooth)
        if part.name.startswith('cuff'):
            z = level(z)
        elif smooth:
            z = z - smooth * 1.7 * settled(-x, y) * np.exp(-((line_distance(cuff(), np.column_stack([np.abs(x), y])) / 0.13) ** 2))
        facing = np.cross(fallen(x + step, y, layer, smooth) - there, fallen(x, y + step, layer, smooth) - there)
        facing /= np.linalg.norm(facing, axis=-1, keepdims=True)
        part.data.vertices.foreach_set('co', (there + facing * z[:, None]).astype(np.float32).ravel())
        part.data.update()
    return bring(parts, 36, at=(0, -0.12, 0), turn=(90, 0, 0))
