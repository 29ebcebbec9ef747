"""Trucker hat: a cloth front and brim (zone A), and a back of mesh with its button and under-brim (zone B)."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
from headwear import *


CELL = 0.031  # from one side of a hole to the other
STRAND = 0.0029
NET_FROM, NET_TO = 0.05, 0.965


def net(cloth, panels):
    """Panels of the back's mesh, cut from one net of six-sided holes, each of whose sides is two threads that cross."""
    verts, faces = [], []
    for middle in map(math.radians, panels):
        # a panel is flat cloth: up its middle and across it lengths are true
        ph = np.linspace(0, 0.99, 400)
        spine = np.stack(crown(middle + 0 * ph, ph), -1)
        height = np.concatenate([[0], np.cumsum(np.linalg.norm(np.diff(spine, axis=0), axis=1))])
        step = 1e-3
        around = np.linalg.norm(np.stack(crown(middle + step + 0 * ph, ph), -1) - np.stack(crown(middle - step + 0 * ph, ph), -1), axis=1) / (2 * step)
        side = CELL / math.sqrt(3)
        columns, rows = np.meshgrid(np.arange(-26, 27), np.arange(-1, int(height[-1] / (1.5 * side)) + 2))
        x, y = (columns + 0.5 * (rows % 2)) * CELL, rows * 1.5 * side
        # each cell gives the three strands at its right
        corner = lambda k: (x + side * math.sin(k * math.pi / 3), y + side * math.cos(k * math.pi / 3))
        for (ax, ay), (bx, by) in ((corner(0), corner(1)), (corner(1), corner(2)), (corner(2), corner(3))):
            ends, kept = [], True
            for u, v in ((ax, ay), (bx, by)):
                up = np.interp(v, height, ph)
                turn = u / np.interp(up, ph, around)
                kept = kept & (np.abs(turn) < math.radians(29.6)) & (up > NET_FROM) & (up < NET_TO)
                ends.append((middle + turn, up))
            a, b = (np.stack(crown(th[kept], up[kept]), -1) for th, up in ends)
            out = np.stack(outward((ends[0][0] + ends[1][0])[kept] / 2, (ends[0][1] + ends[1][1])[kept] / 2), -1)
            along = b - a
            along /= np.linalg.norm(along, axis=1, keepdims=True)
            across = np.cross(along, out)
            count = len(a)
            for lead in (1, -1):
                first = sum(len(part) for part in verts)
                # the one lies over the other
                begin = a - STRAND * along + lead * STRAND * (0.85 * across + 0.35 * out)
                end = b + STRAND * along - lead * STRAND * (0.85 * across - 0.35 * out)
                for k in range(6):
                    w, h = 1.1 * STRAND * math.cos(k * math.pi / 3), 0.9 * STRAND * math.sin(k * math.pi / 3)
                    verts += [begin + w * across + h * out, end + w * across + h * out]
                ring = np.arange(count)
                for k in range(6):
                    one, two = first + 2 * k * count + ring, first + 2 * ((k + 1) % 6) * count + ring
                    faces.append(np.stack([one, two, two + count, one + count], -1))
    return paint(mesh('net', np.concatenate(verts).tolist(), np.concatenate(faces).tolist()), cloth)


def dashes(along):
    return np.clip(np.sin(along) * 3 + 1.7, 0, 1)


def tape(degrees, cloth, wide=0.038):
    """Covers the seam between two panels of the net."""

    def point(r, c):
        up = 0.03 + 0.94 * r
        th = math.radians(degrees) + (c - 0.5) * wide / (0.95 * np.cos(up * math.pi / 2) ** 0.6 + 0.02)
        rise = 0.015 - 0.014 * np.abs(2 * c - 1) ** 3 + 0.0035 * np.exp(-(((np.abs(2 * c - 1) - 0.62) / 0.12) ** 2)) * dashes(r * 240)
        return tuple(p + n * rise for p, n in zip(crown(th, up), outward(th, up)))

    return paint(sheet('tape', 400, 16, point), cloth)


def band(cloth, thread):
    """The cloth that holds the net's lower edge."""

    def point(r, c):
        th, up = math.radians(60.2) + c * math.radians(239.6), 0.075 * r
        rise = 0.009 - 0.014 * np.exp(-((1 - r) / 0.10)) + hem(th, up * 1.6)
        return tuple(p + n * rise for p, n in zip(crown(th, up), outward(th, up)))

    made = paint(sheet('band', 24, 600, point), cloth)
    made.modifiers.new('cloth', 'SOLIDIFY').thickness = 0.012
    row = np.linspace(math.radians(62), math.radians(298), 1500), np.full(1500, HEM / 1.6)
    return [made, sewn([row], lambda th, ph: 0.009 + hem(th, ph * 1.6), thread)]


def build():
    front = material('front', 'A', **TWILL)
    strands = material('net', 'B', prints=False, roughness=0.85, specular=0.2, sheen=0.4)
    thread, thread_behind = (material('thread', zone, prints=False, **THREAD) for zone in 'AB')
    plain = material('brim', 'A', prints=False, **TWILL)
    under = material('under-brim', 'B', prints=False, **TWILL)

    sides = (60, 300)

    def height(th, ph):
        return seams(th, ph, sides) + hem(th, ph * 1.6) + uneven(th, ph)

    def panels(r, c):
        th, ph = closer(c, sides, math.radians(60.6)), 0.985 * r
        return tuple(p + n * height(th, ph) for p, n in zip(crown(th, ph), outward(th, ph)))

    top = paint(sheet('panels', 300, 400, panels), front)
    weave(top, *np.meshgrid(closer(np.linspace(0, 1, 401), sides, math.radians(60.6)), np.linspace(0, 0.985, 301)), sides)
    hemmed = np.linspace(-math.radians(58), math.radians(58), 1000), np.full(1000, HEM / 1.6)
    rows = sewn([*beside_seams(sides)[::3], hemmed], height, thread)  # the seams' other rows are under their tapes
    print_on_front(top, 0.17, 0.72)
    top.modifiers.new('cloth', 'SOLIDIFY').thickness = 0.02
    visor = brim(plain, under, thread)
    seams_of_net = [tape(degrees, under) for degrees in (60.8, 120, 180, 240, 299.2)]
    near, far = net(strands, [270]), net(strands, [90, 150, 210])
    far.visible_camera = False  # as every camera sees it: one net before another would show waves
    return set_down([top, rows, near, far, *band(under, thread_behind), *seams_of_net, button(under), *visor], visor[-1])


VIEWS = {
    'front': dict(azimuth=-27, elevation=13, margin=1.2),
    'detail': dict(azimuth=-30, elevation=16, near=((-0.224, -0.485, 0.683), 0.73)),
}

if __name__ == '__main__':
    light = lambda: standing_light(sky=0.17, fill=0.7)
    run_with_weave(__file__, build, light, VIEWS)
