"""Rudy asleep on a parcel at the door, for the page that finds an order."""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
import rudy
from clay import *
from example import pressed
from letters import FLAT, moved, paw, rounded, solid
from sherlock import mixed

KRAFT, TAPE, LABEL = (0.46, 0.275, 0.135), (0.70, 0.48, 0.25), (0.86, 0.79, 0.66)
STEP = 0.30  # the doorstep's height


def carton(wide, deep, high, kraft, tape, band=0.34):
    """A box that is closed: its flaps meet below a paper tape, which ends on both sides."""
    half = deep / 2 - 0.006  # of the flaps, which leave a gap
    parts = [solid((wide, deep, high - 0.03), (0, 0, (high - 0.03) / 2), kraft, 0.03)]
    for side in (1, -1):
        parts.append(solid((wide - 0.004, half, 0.034), (0, side * (half / 2 + 0.006), high - 0.018), kraft, 0.014))
    parts.append(solid((wide + 0.012, band, 0.012), (0, 0, high + 0.001), tape, 0.005))
    for side in (1, -1):
        parts.append(solid((0.012, band, 0.42), (side * (wide / 2 + 0.001), 0, high - 0.2), tape, 0.005))
    return parts


def front_tape(wide, deep, high, tape, band=0.36):
    """Paper tape over the top and down the front, its end torn."""
    teeth = 12
    lower = [(band * (i / teeth - 0.5), -0.50 - 0.022 * (i % 2)) for i in range(teeth + 1)]
    outline = [(band / 2, 0.0), (-band / 2, 0.0), *lower]
    end, _ = pressed(np.array(outline), 0.006, 0.006, lambda points: points, spacing=0.02)
    moved([paint(end, tape)], Matrix.Translation((0, -deep / 2 - 0.004, high)) @ FLAT)
    return [end, solid((band, deep + 0.02, 0.012), (0, 0, high + 0.004), tape, 0.005)]


def address(paper, ink, gold, dark):
    """A label: mark, lines that nobody can read, bars that no scanner can."""
    card, _ = pressed(rounded(1.02, 0.70, 0.04), 0.010, 0.010, lambda points: points)
    parts = [paint(card, paper)]
    for i, (x, wide) in enumerate(((-0.20, 0.40), (-0.13, 0.54), (-0.18, 0.44))):
        parts.append(solid((wide, 0.036, 0.008), (x, 0.10 - 0.095 * i, 0.012), ink, 0.003))
    x = -0.40
    for i, wide in enumerate((0.022, 0.010, 0.030, 0.012, 0.018, 0.010, 0.034, 0.014, 0.024, 0.010, 0.028, 0.012, 0.020)):
        parts.append(solid((wide, 0.12, 0.006), (x + wide / 2, -0.245, 0.011), ink, 0.001))
        x += wide + (0.020 if i % 3 else 0.030)
    parts.append(solid((0.24, 0.29, 0.012), (0.34, 0.16, 0.012), dark, 0.004))
    return parts + moved(paw(0.19, gold, 0.05), Matrix.Translation((0.34, 0.16, 0.017)))


def twine(wide, deep, high, surface):
    """Around the small parcel both ways, with a bow."""
    r, parts = 0.024, []
    for turn, long in ((0, wide), (90, deep)):
        x, low = long / 2 + 0.012, 0.01
        path = [(-x, 0, low), (-x, 0, high * 0.5), (-x, 0, high - 0.03), (-x + 0.03, 0, high + 0.012), (0, 0, high + 0.018), (x - 0.03, 0, high + 0.012), (x, 0, high - 0.03), (x, 0, high * 0.5), (x, 0, low)]
        parts += moved([paint(tube('twine', path, r), surface)], Matrix.Rotation(math.radians(turn), 4, 'Z'))
    for side in (1, -1):
        loop = [(0, 0, high + 0.03), (side * 0.16, -0.06, high + 0.13), (side * 0.34, -0.10, high + 0.13), (side * 0.36, -0.16, high + 0.06), (side * 0.20, -0.12, high + 0.04), (0, -0.02, high + 0.05)]
        tail = [(0, 0, high + 0.04), (side * 0.10, -0.16, high + 0.05), (side * 0.19, -0.34, high + 0.03)]
        parts += [paint(tube('loop', loop, r), surface), paint(tube('tail', tail, r, [1, 1, 0.8]), surface)]
    return [*parts, paint(ball((0, -0.01, high + 0.045), (0.055, 0.05, 0.045), detail=4), surface)]


def mat(wide, deep, high, coir, border):
    """A coir mat with a charcoal border."""
    made = sheet('mat', 160, 260, lambda r, c: ((c - 0.5) * wide, (r - 0.5) * deep, 0 * r))
    points = np.array([v.co[:] for v in made.data.vertices])
    edge = np.minimum(wide / 2 - np.abs(points[:, 0]), deep / 2 - np.abs(points[:, 1]))
    rng = np.random.default_rng(4)
    points[:, 2] = high * np.sqrt(1 - (1 - np.clip(edge / 0.05, 0, 1)) ** 2) + 0.014 * rng.uniform(-1, 1, len(points)) * (edge > 0.02)
    made.data.vertices.foreach_set('co', points.astype(np.float32).ravel())

    def look_of(p):
        near = np.minimum(wide / 2 - np.abs(p[:, 0]), deep / 2 - np.abs(p[:, 1]))
        color = np.array(coir) * rng.uniform(0.82, 1.1, (len(p), 1))
        line = np.clip((0.05 - np.abs(near - 0.17)) / 0.012 + 0.5, 0, 1)
        return mixed(color, border, line)

    return colored(made, material('coir', color=coir, roughness=0.95, specular=0.05), look_of)


def plant(at, size, terracotta, soil, green):
    """A pot beside the door."""
    profile = [(0.001, 0.0), (0.36, 0.0), (0.48, 0.56), (0.54, 0.57), (0.55, 0.76), (0.47, 0.77), (0.45, 0.68), (0.001, 0.66)]
    pot = paint(lathe('pot', softened(profile, 0.03, 6), 128), terracotta)
    earth = paint(ball((0, 0, 0.66), (0.45, 0.45, 0.06), detail=4), soil)
    parts = [pot, earth]
    rng = np.random.default_rng(9)
    outline = softened([(0, 0), (0.20, 0.28), (0.19, 0.58), (0, 0.86), (-0.19, 0.58), (-0.20, 0.28), (0, 0)], 0.22, 8)[:-1]
    rib = [(0, 0.02), (0, 0.78)]
    for i in range(13):
        ring, turn = (0 if i < 6 else 1 if i < 11 else 2), 137.5 * i
        length = (0.92, 0.98, 0.86)[ring] * rng.uniform(0.92, 1.08)
        rise = math.radians((38, 62, 82)[ring] + rng.uniform(-5, 5))

        def bend(points):
            y = points[:, 1] * length
            over = 0.42 * y**2  # its tip hangs
            along, up = y * math.cos(rise) + over * math.sin(rise) * 0.6, y * math.sin(rise) - over
            cup = 0.55 * points[:, 0] ** 2
            lean = points[:, 2] + cup
            return np.column_stack([points[:, 0] * length, along - lean * math.sin(rise), up + lean * math.cos(rise)])

        leaf, _ = pressed(np.array(outline), 0.022, 0.024, bend, [(rib, 0.02)], 0.010, 0.016)
        moved([paint(leaf, green)], Matrix.Translation((0, 0, 0.68)) @ Matrix.Rotation(math.radians(turn), 4, 'Z') @ Matrix.Translation((0, 0.05, 0)))
        parts.append(leaf)
    return moved(parts, Matrix.Translation(at) @ Matrix.Scale(size, 4))


def build():
    kraft = material('kraft', color=KRAFT, roughness=0.8, specular=0.15, grain=(60, 0.08, 0.02, 'pile'))
    tape = material('tape', color=TAPE, roughness=0.5, specular=0.35)
    pale = material('pale kraft', color=(0.60, 0.42, 0.245), roughness=0.8, specular=0.15, grain=(60, 0.08, 0.02, 'pile'))
    paper = material('label', color=LABEL, roughness=0.6, specular=0.25)
    ink = material('ink', color=(0.10, 0.08, 0.07), roughness=0.7)
    dark = material('charcoal', color=(0.040, 0.036, 0.032), roughness=0.6)
    gold = material('gold', color=(0.95, 0.62, 0.19), roughness=0.24, metallic=1)
    stone = material('stone', color=(0.60, 0.54, 0.45), roughness=0.75, specular=0.2, grain=(9, 0.10, 0.03, 'pile'))
    string = material('twine', color=(0.80, 0.70, 0.52), roughness=0.8)
    terracotta = material('terracotta', color=(0.52, 0.185, 0.085), roughness=0.65, specular=0.25)
    soil = material('soil', color=(0.045, 0.026, 0.016), roughness=0.95)
    green = material('green', color=(0.115, 0.215, 0.085), roughness=0.5, specular=0.35, coat=0.05)

    high = 1.22
    parts = [solid((7.5, 3.8, STEP), (0, 0.15, STEP / 2), stone, 0.07)]
    parts += moved([mat(4.75, 2.75, 0.085, (0.36, 0.225, 0.105), (0.05, 0.042, 0.036))], Matrix.Translation((0, -0.32, STEP)))

    large = [*carton(3.75, 1.95, high, kraft, tape), *front_tape(3.75, 1.95, high, tape)]
    large += moved(address(paper, ink, gold, dark), Matrix.Translation((1.08, -0.985, 0.60)) @ Matrix.Rotation(math.radians(-2), 4, 'Y') @ FLAT)
    large += moved(paw(0.62, dark, 0.012), Matrix.Translation((-1.22, -0.974, 0.56)) @ FLAT)
    parts += moved(large, Matrix.Translation((0, 0.05, STEP + 0.085)) @ Matrix.Rotation(math.radians(-2), 4, 'Z'))

    small = [*carton(1.25, 1.1, 0.80, pale, tape, 0.26), *twine(1.25, 1.1, 0.80, string)]
    parts += moved(small, Matrix.Translation((2.66, -0.55, STEP + 0.004)) @ Matrix.Rotation(math.radians(-19), 4, 'Z'))
    parts += plant((-2.84, 0.30, STEP), 1.15, terracotta, soil, green)

    parts += placed(rudy.sleeper, -0.13, 0.03, STEP + 0.085 + high + 0.008 - rudy.TOP, -2, 1)
    return parts


if __name__ == '__main__':
    show('parcel', build, backdrop=(0.155, 0.215, 0.30), shift=0, bright=0.66, margin=1.1, elevation=13)
