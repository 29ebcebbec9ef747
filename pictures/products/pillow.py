"""Throw pillow, 18 x 18 in, standing, its cover stitched along a knife edge; 1 unit = 23 cm. Its bulge, puckers and creases are formulas."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
from sewing import stitches
from studio import *

CELLS = 380
INSET = 0.034  # of the seam that is stitched along the edge
DRAW = 0.13  # how far its filling draws in the middle of each side


def pucker(distance, along, seed):
    """The seam is shorter than its cloth: little folds leave it, each at its own slant and of its own length."""
    lean = along + 0.35 * distance * ripple(along, 0 * along, seed, 0.5)
    bump = ripple(lean, 0 * lean, seed + 1, 0.15) + 0.7 * ripple(lean, 0 * lean, seed + 2, 0.07)
    return bump * np.exp(-distance / (0.040 + 0.055 * np.abs(bump))) * (1 - np.exp(-distance / 0.018))


def fullness(au, aw):
    """From 1 in the middle to 0 at the seams, at these distances from the middle: sideways, and up or down."""
    return np.clip((1 - au**2.2) * (1 - aw**2.2), 0, 1)


def bulge(full):
    """Half its thickness."""
    return 0.62 * full**0.70


def half(front):
    def point(r, c):
        u, w = (0.2 * t + 0.8 * np.sin(np.pi / 2 * t) for t in (2 * c - 1, 2 * r - 1))  # a finer grid towards the edges
        au, aw = np.abs(u), np.abs(w)
        full = fullness(au, aw)
        high = bulge(full)
        seeds = (60, 70, 80, 90) if front else (160, 170, 180, 190)
        sides = np.where(w > 0, pucker(1 - aw, u, seeds[0]), pucker(1 - aw, u, seeds[1])) * np.clip(1.12 - au, 0, 1)
        sides = sides + np.where(u > 0, pucker(1 - au, w, seeds[2]), pucker(1 - au, w, seeds[3])) * np.clip(1.12 - aw, 0, 1)
        high = high + 0.015 * sides
        # cloth gathers where two seams meet: a few soft folds point from each corner to the middle
        for k, (sx, sy) in enumerate(((1, 1), (-1, 1), (-1, -1), (1, -1))):
            for turn, size, rise in ((-17, 0.62, 0.020), (4, 0.80, 0.026), (21, 0.56, 0.018)):
                angle = math.degrees(math.atan2(-sy, -sx)) + turn + 5 * math.sin(7 * k + turn)
                high = high + crease(u, w, (0.97 * sx, 0.97 * sy), angle, size, 0.050, rise)
        high = high + (0.014 * ripple(u, w, 7, 1.5) + 0.004 * ripple(u, w, 9, 0.8)) * full
        edge = 1 - np.maximum(au, aw)
        along = np.where(au > aw, w, u)
        high = high + 0.012 * np.exp(-((edge / 0.016) ** 2)) - 0.010 * np.exp(-(((edge - INSET) / 0.008) ** 2))
        high = high + 0.0016 * np.sin(along * 2 * np.pi / 0.0235) * np.exp(-(((edge - INSET - 0.006) / 0.014) ** 2))
        draw = DRAW * (1 - aw**2) * au**2, DRAW * (1 - au**2) * aw**2
        sharp = 1 - 0.05 * (au * aw) ** 6
        return u * (1 - draw[0]) * sharp, -high if front else high, w * (1 - draw[1]) * sharp

    return point


def seam_of(point):
    """The stitches along the four sides of the half that is seen."""
    share = np.linspace(-1, 1, 4000)
    t = np.interp((1 - INSET), 0.2 * share + 0.8 * np.sin(np.pi / 2 * share), share)
    far, along = 0.5 + t / 2, 0.5 + np.linspace(-t, t, 3000) / 2
    r = np.concatenate([np.full_like(along, far), along[::-1], np.full_like(along, 1 - far), along])
    c = np.concatenate([along, np.full_like(along, far), along[::-1], np.full_like(along, 1 - far)])
    at = lambda dr, dc: np.stack(point(r + dr, c + dc), -1)
    outward = np.cross(at(0, 0.002) - at(0, -0.002), at(0.002, 0) - at(-0.002, 0))
    return stitches('seam', at(0, 0), outward, 0.017, 0.0065, 0.0028)


def build():
    cloth = material('cover', 'A', roughness=0.9, specular=0.15, sheen=0.3, grain=(150, 0.08, 0.004, 'pile'))
    thread = material('thread', 'B', roughness=0.7, specular=0.25, prints=False)
    front, back = (paint(sheet(name, CELLS, CELLS, half(name == 'front')), cloth) for name in ('front', 'back'))
    printable(front, lambda co: (0.5 + co.x / 2, 0.5 + co.z / 2))
    seam = paint(seam_of(half(True)), thread)
    holder = link('pillow', None)
    front.parent = back.parent = seam.parent = holder
    holder.rotation_euler = (math.radians(-9), 0, 0)
    bpy.context.view_layer.update()
    holder.location.z = -0.012 - min((front.matrix_world @ v.co).z for v in front.data.vertices)
    bpy.context.view_layer.update()
    return [front, back, seam]


VIEWS = {
    'front': dict(azimuth=-12, elevation=8, margin=1.16),
    'detail': dict(azimuth=14, elevation=14, near=((0.63, -0.12, 1.64), 0.30)),
}

if __name__ == '__main__':
    light = lambda: standing_light(sky=0.13, fill=0.4, key=1.1)
    run(__file__, build, light, VIEWS)
