"""Fleece throw, 127 x 152 cm, hung over an oak rail in front of a wall; 1 unit = 64 cm."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
from studio import *

WIDE, DROP, RAIL = 1.0, 2.02, 0.055


def folds(x, down):
    """How far the cloth swings out: it is taut at the rail and free at its lower edge, where the folds are deepest."""
    x = x + 0.05 * down * np.sin(2.2 * x + 1)
    deep = 0.14 * down**1.1
    wave = 0.62 * np.cos(5.9 * x + 0.9) + 0.42 * np.cos(9.7 * x - 0.8 + 0.5 * down) + 0.18 * np.cos(17 * x + 2 + down)
    return deep * wave + 0.012 * ripple(x, down, 31, 0.6, 2.4, 90) * np.clip(3 * down, 0, 1) + 0.006 * ripple(x, down, 32, 0.25, 2, 90)


def build():
    fleece = material('fleece', 'A', roughness=1, specular=0.05, sheen=0.8, grain=(95, 0.3, 0.008, 'pile'))
    oak = material('oak', color=(0.36, 0.21, 0.105), roughness=0.5, specular=0.35)
    radius = RAIL + 0.022
    bend = np.linspace(0, math.pi, 30)
    # one line over the rail: up the front, over, and down behind; y is towards the wall
    path = [*zip(np.full(300, -radius), np.linspace(-DROP, 0, 300)), *zip(-radius * np.cos(bend), radius * np.sin(bend))]
    path = np.array([*path[:-1], *zip(np.full(120, radius), np.linspace(0, -DROP * 0.8, 120))])
    n = len(path) - 1

    def point(r, c):
        i = np.rint(r * n).astype(int)
        y, z = path[i, 0], path[i, 1]
        x = WIDE * (2 * c - 1)
        down = np.clip(-z / DROP, 0, 1)
        front = y < 0
        swing = np.where(front, folds(x, down), 0.3 * folds(-x, down))
        x = x * (1 - np.where(front, 0.03, 0.07) * down) + 0.010 * ripple(down * 2, 0 * x, 33, 0.9) * down
        to_edge = np.minimum(WIDE * (1 - np.abs(2 * c - 1)), np.where(front, r * n / 300 * DROP, 9))
        hem = 0.012 * np.exp(-(((to_edge - 0.055) / 0.010) ** 2)) - 0.006 * np.exp(-(((to_edge - 0.025) / 0.02) ** 2))
        z = z + down * (0.028 * ripple(x, 0 * x, 34, 1.4) + 0.02 * x)
        free = np.clip(12 * down, 0, 1)  # at the rail itself there is neither fold nor hem, or front and back would part
        return x, y - free * np.where(front, swing - hem, -np.abs(swing)), z

    throw = paint(sheet('throw', n, 420, point), fleece)
    facing = [face for face in throw.data.polygons if face.center.y < -radius * 0.5 and face.center.z < -0.1]
    if sum(face.normal.y for face in facing) > 0:
        throw.data.flip_normals()
    printable(throw, lambda co: (0.5 + co.x / 1.94, 1 + co.z / 1.94), lambda c, nn: nn.y < 0 and c.z < -0.02)
    thick = throw.modifiers.new('thickness', 'SOLIDIFY')
    thick.thickness, thick.offset = 0.03, -1
    rail = paint(tube('rail', [(-4, 0, 0), (0, 0, 0), (4, 0, 0)], RAIL), oak)
    rail['unframed'] = True
    return [throw, rail]


def wall():
    made = mesh('wall', [(-20, 0.42, -20), (20, 0.42, -20), (20, 0.42, 20), (-20, 0.42, 20)], [(0, 1, 2, 3)])
    return paint(made, material('paper', color=(0.72,) * 3, roughness=1, specular=0))


def light():
    """From the upper left and nearly along the cloth: the folds would vanish in light from the front."""
    ambient(0.15)
    softbox((-4.6, -2.6, 1.6), (0, 0, -1), 1.7, 360)
    softbox((4.2, -4.4, -1.5), (0, 0, -1), 4.0, 70)


VIEWS = {
    'front': dict(azimuth=0, elevation=2, margin=1.16),
    'detail': dict(azimuth=-30, elevation=10, near=((-0.12, -0.1, -0.95), 0.86)),
}

if __name__ == '__main__':
    run(__file__, build, light, VIEWS, wall)
