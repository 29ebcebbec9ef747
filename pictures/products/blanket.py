"""Fleece throw, 127 x 152 cm, hung over an oak rail in front of a wall; 1 unit = 64 cm. In the close-up, where 1 unit = 10 cm, one
side is turned over: its back is sherpa."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
from sewing import stitches
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


EDGE, BEND, NAP = 1.15, 0.13, 0.06  # of the close-up: how far the side lies over, the fold's radius, the sherpa's ground
HEM = 0.24


def turned(s, y, back=0.0):
    """A point of the throw, `s` from its edge (negative inwards), `back` behind its face; the side is folded over onto the face."""
    fold = -EDGE - 0.16 * y - 0.05 * np.sin(1.7 * y + 1)
    past = s - fold
    angle = np.clip(past / BEND, 0, math.pi)
    over = np.maximum(past - math.pi * BEND, 0)
    x = np.minimum(s, fold) + (BEND + back) * np.sin(angle) - over
    high = BEND - (BEND + back) * np.cos(angle)
    high = high - np.clip(over / 0.8, 0, 1) ** 1.5 * 0.13  # the upper layer comes to lie on the lower one
    wave = 0.05 * ripple(x, y, 21, 1.9) + 0.012 * ripple(x, y, 22, 0.7)
    return x + EDGE + 0.02 * ripple(y, 0 * y, 23, 1.1), y, high + wave + 0.18


def curls(s, y):
    """Sherpa: knops of curled wool beside each other, each with its own size, height and turn."""
    pitch = 0.066
    i, j = np.floor(s / pitch).astype(int), np.floor(y / pitch).astype(int)
    height = np.zeros(np.shape(s))
    for di in range(-2, 3):
        for dj in range(-2, 3):
            a, b = (i + di).astype(np.uint32), (j + dj).astype(np.uint32)
            lots = []
            for salt in range(5):
                mixed = (a * np.uint32(0x85EBCA6B)) ^ (b * np.uint32(0xC2B2AE35)) ^ np.uint32(0x9E3779B1 * (salt + 1) % 2**32)
                mixed = (mixed ^ (mixed >> 15)) * np.uint32(0x2C1B3C6D)
                lots.append((mixed ^ (mixed >> 13)).astype(np.float64) / 2**32)
            dx, dy = s / pitch - (i + di + lots[0]), y / pitch - (j + dj + lots[1])
            wide = 0.62 + 0.45 * lots[2]
            near = np.hypot(dx, dy) / wide
            dome = np.sqrt(np.maximum(0, 1 - near**2))
            swirl = np.cos(2 * np.arctan2(dy, dx) + 8 * near + 6.3 * lots[3])
            knop = (0.030 + 0.026 * lots[4]) * dome * (1 + 0.13 * swirl * near)
            height = np.maximum(height, knop)
    strands = np.abs(ripple(s, y, 25, 0.04)) + 0.6 * np.abs(ripple(s, y, 26, 0.022))
    return height + 0.0065 * strands + 0.0022 * np.random.default_rng(8).normal(size=np.shape(s))


def turned_over():
    fleece = dict(roughness=1, specular=0.05, sheen=0.8)
    wool = material('sherpa', color=(0.86, 0.815, 0.73), roughness=1, specular=0.05, sheen=1)
    thread = material('thread', 'B', roughness=0.7, specular=0.2, prints=False)
    tall = 2.1
    lie = lambda r: tall * (2 * r - 1)
    across = lambda c: -4.4 * (1 - c)
    face = paint(sheet('face', 260, 420, lambda r, c: turned(across(c), lie(r))), material('fleece', 'A', **fleece))
    layer = face.data.uv_layers.new(name='print').data
    place = [(1.01 - 4.4 * (1 - k % 421 / 420) / 12.4, 0.40 + tall * (2 * (k // 421) / 260 - 1) / 12.4) for k in range(len(face.data.vertices))]
    for loop, corner in zip(face.data.loops, layer):
        corner.uv = place[loop.vertex_index]
    if face.data.polygons[0].normal.z < 0:
        face.data.flip_normals()

    def pile(r, c):
        s, y = -2.1 + (2.1 - HEM + 0.02) * c, lie(r)
        return turned(s, y, NAP + curls(s, y))

    sherpa = paint(sheet('sherpa', 1000, 520, pile), wool)
    # the face goes round the edge and is stitched down on the back, twice
    round_ = softened([(-0.02, -0.01), (0.03, 0.0), (0.03, 0.13), (-HEM, 0.125), (-HEM - 0.012, 0.06)], [0, 0.05, 0.05, 0.02, 0], 9)
    line = evenly(np.array(round_), 0.004)
    seams = (-HEM + 0.03, -HEM + 0.085)

    def hem(r, c):
        s, back = (line[np.rint(c * (len(line) - 1)).astype(int), axis] for axis in (0, 1))
        y = lie(r)
        pressed = sum(np.exp(-(((s - seam) / 0.012) ** 2)) for seam in seams) * (back > 0.09)
        puffed = 0.003 * ripple(y, 2 * s, 24, 0.22) * (back > 0.09)
        return turned(s, y, back - 0.022 * pressed + puffed)

    binding = paint(sheet('hem', 900, len(line) - 1, hem), material('hem', 'A', prints=False, **fleece))
    y = np.linspace(-tall, tall, 1500)
    sewn = []
    for seam in seams:
        at = lambda ds, dy: np.stack(turned(seam + ds, y + dy, 0.106), -1)
        outward = np.cross(at(0, 0.01) - at(0, -0.01), at(0.01, 0) - at(-0.01, 0))
        sewn.append(paint(stitches('seam', at(0, 0), outward * np.sign(outward[:, 2:]), 0.034, 0.012, 0.0058), thread))
    return [face, sherpa, binding, *sewn]


FRONT = {'front': dict(azimuth=0, elevation=2, margin=1.16)}
DETAIL = {'detail': dict(azimuth=10, elevation=48, near=((-0.42, 0.0, 0.3), 1.05))}

if __name__ == '__main__':
    run(__file__, build, light, FRONT, wall)
    run(__file__, turned_over, lambda: lying_light(fill=2.2), DETAIL)
