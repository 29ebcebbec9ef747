"""Puts a shirt on the torso, once: `blender -b -P cloth/worn.py -- kind=polo` writes where its cloth hangs beside this script.

Front and back are one mesh, sewn at shoulders, sleeves and sides, that keeps the lengths it has on the table while it falls. Centimeters.
"""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
from cloth.flat import gridded, more
from shirt import *
from torso import CELL, CM, CORNER, SIZE, lines, torso

GRAVITY, STEP = 981.0, 1 / 500
CLEAR = 0.28  # from the skin to the middle of the cloth
FRICTION = 0.5
EXCESS = 2.6  # how much more cloth than on the table there is where a fold is to be
STIFF = 5  # how often a step corrects every length
# how much its edges give, and how little it resists a fold; how much narrower the neck is knit
CLOTHS = {'t-shirt': dict(give=2e-7, bend=8e-4, neck=0.03, poses=(1, 3)), 'polo': dict(give=2e-7, bend=5e-4, neck=0.0, poses=(1, 2))}


class Distance:
    """A distance on a grid, with its slope."""

    def __init__(self, function, low, high, step):
        self.low, self.step = np.array(low, float), step
        axes = [np.arange(a, b + step, step) for a, b in zip(low, high)]
        values = function(np.stack(np.meshgrid(*axes, indexing='ij'), -1).astype(np.float32))
        self.field = np.stack([values, *np.gradient(values, step)], -1).astype(np.float32)

    def __call__(self, p):
        q = (p - self.low) / self.step
        i = np.clip(q.astype(int), 0, np.array(self.field.shape[:3]) - 2)
        f = np.clip(q - i, 0, 1)[..., None]
        out = 0
        for dx in (0, 1):
            for dy in (0, 1):
                for dz in (0, 1):
                    share = (f[:, 0] if dx else 1 - f[:, 0]) * (f[:, 1] if dy else 1 - f[:, 1]) * (f[:, 2] if dz else 1 - f[:, 2])
                    out = out + share * self.field[i[:, 0] + dx, i[:, 1] + dy, i[:, 2] + dz]
        normal = out[:, 1:] / np.maximum(np.linalg.norm(out[:, 1:], axis=1, keepdims=True), 1e-6)
        return out[:, 0], normal


def pattern(front_neck, back_neck, seam, spacing):
    """Flat points and the triangles of back and of front; which of the points are sewn. Lines run from the right neck point."""
    edges = [laid(both(line)) for line in (back_neck, front_neck)]
    side = laid(both(seam))  # from the neck to the hem's middle, and on
    spots, loops = [], []
    for line in (side, *edges):
        line = evenly(line, spacing)
        first = len(spots)
        spots += line.tolist() if not spots else line[1:-1].tolist()
        loops.append(list(range(first, len(spots))))
    outside, back, front = loops
    ends = [0, outside[-1]]
    rings = [ends[:1] + line + ends[1:] for line in (back, front)]
    segments = [pair for line in (outside, *rings) for pair in zip(line[:-1], line[1:])]
    points = np.array(spots)
    boundary = points[outside + back[::-1]]
    low, high = boundary.min(0), boundary.max(0)
    field = np.stack(np.meshgrid(np.arange(low[0], high[0], spacing), np.arange(low[1], high[1], spacing * 0.866)), -1)
    field[1::2, :, 0] += spacing / 2
    field = field.reshape(-1, 2)
    field = field[within(boundary, field)]
    far = np.minimum(line_distance(boundary, field, closed=True), line_distance(points[rings[1]], field))
    points = np.vstack([points, field[far > 0.6 * spacing]])
    verts, _, faces, *_ = delaunay_2d_cdt([Vector(q) for q in points.tolist()], segments, [], 0, 1e-6)
    flat, faces = np.array([v[:] for v in verts]), np.array(faces)
    middle = flat[faces].mean(1)
    whole = within(points[outside + back[::-1]], middle)
    lower = within(points[outside + front[::-1]], middle)
    return flat, faces[whole], faces[lower], outside


def joints(faces):
    """Pairs of points along edges, and those across each edge that two triangles share."""
    sides, opposite = {}, []
    for a, b, c in faces.tolist():
        for i, j, k in ((a, b, c), (b, c, a), (c, a, b)):
            key = (min(i, j), max(i, j))
            if key in sides:
                opposite.append((sides[key], k))
            sides[key] = k
    return np.array(list(sides)), np.array(opposite)


def apart(pairs, count):
    """Groups of pairs that have no point in common: each group is corrected at once."""
    groups, seen = [], np.zeros(count, np.int64)
    for n, (a, b) in enumerate(pairs.tolist()):
        free = ~int(seen[a] | seen[b])
        group = (free & -free).bit_length() - 1
        seen[a] |= 1 << group
        seen[b] |= 1 << group
        if group == len(groups):
            groups.append([])
        groups[group].append(n)
    return [np.array(group) for group in groups]


def dress(kind, steps, spacing=0.02):
    """Flat points and faces of front and back, with the numbers of their points in the last: all places on the torso."""
    cloth = CLOTHS[kind]
    front_neck, back_neck, seam = lines(kind)
    flat, back, front, outside = pattern(front_neck, back_neck, seam, spacing)
    # what is not sewn has a twin in the back
    open_edge = np.minimum.reduce([line_distance(line, flat[outside]) for line in hem_lines()]) < 0.3 * spacing
    sewn = np.zeros(len(flat), bool)
    sewn[np.array(outside)[~open_edge]] = True
    twin = np.arange(len(flat))
    twin[~sewn] = len(flat) + np.arange(np.count_nonzero(~sewn))
    used = np.unique(np.concatenate([front.ravel(), twin[back].ravel()]))
    number = np.full(len(flat) + len(flat), -1)
    number[used] = np.arange(len(used))
    laid_flat = np.vstack([flat, flat[~sewn]])[used]
    is_back, is_sewn = used >= len(flat), np.concatenate([sewn, np.zeros(len(flat), bool)])[used]
    extra = sum(np.column_stack(more(*laid_flat.T, pose)) - laid_flat for pose in cloth['poses'])
    rest = (laid_flat + EXCESS * extra) * CM

    # round the body, a little too large, and too high
    body = Distance(torso, (-44, -22, -52), (44, 24, 56), 0.8)
    x, z = 0.76 * CM * laid_flat[:, 0], CM * laid_flat[:, 1] + 3
    ys = np.arange(-21.5, 21.5, 0.5)
    columns = np.stack([np.repeat(x, len(ys)), np.tile(ys, len(x)), np.repeat(z, len(ys))], -1)
    inside = body(columns)[0].reshape(len(x), -1) < 1.2
    depth = np.maximum(0.8, np.where(is_back, (inside * ys).max(1), -(inside * ys).min(1)))
    pos = np.column_stack([x, np.where(is_sewn, 1.0, np.where(is_back, depth, -depth)), z])
    pos += np.random.default_rng(7).normal(0, 0.05, pos.shape)

    pieces = [joints(number[faces]) for faces in (front, twin[back])]
    edges, bends = np.unique(np.vstack([along for along, _ in pieces]), axis=0), np.vstack([across for _, across in pieces])
    neck = np.minimum.reduce([line_distance(laid(both(line)), laid_flat) for line in (front_neck, back_neck)])
    springs = []
    for pairs, give in ((bends, cloth['bend']), (edges, cloth['give'])):
        long = np.linalg.norm(rest[pairs[:, 0]] - rest[pairs[:, 1]], axis=1)
        if pairs is edges:
            long = long * (1 - cloth['neck'] * np.exp(-((neck[pairs].mean(1) / 0.05) ** 2)))
        springs.append([(*pairs[group].T, long[group], give / STEP**2) for group in apart(pairs, len(pos))])
    springs = springs[0] + STIFF * springs[1]

    velocity, started = np.zeros_like(pos), time.time()
    for step in range(steps):
        before = pos.copy()
        velocity[:, 2] -= GRAVITY * STEP * min(1, step / 200)
        pos = pos + velocity * STEP
        for a, b, long, give in springs:
            between = pos[a] - pos[b]
            size = np.maximum(np.sqrt((between * between).sum(1)), 1e-6)
            move = between * ((size - long) / (2 + give) / size)[:, None]
            pos[a] -= move
            pos[b] += move
        away, normal = body(pos)
        deep = np.maximum(0, CLEAR - away)
        pos += normal * np.minimum(deep, 0.5)[:, None]
        moved = pos - before
        sliding = moved - normal * (moved * normal).sum(1, keepdims=True)
        pos -= FRICTION * sliding * (deep > 0)[:, None]
        velocity = (pos - before) / STEP
        speed = np.linalg.norm(velocity, axis=1, keepdims=True)
        velocity *= np.minimum(1, 120 / np.maximum(speed, 1e-6)) * (0.985 if step < 0.7 * steps else 0.95)
    print('CLOTH', len(pos), pos.min(0), pos.max(0), f'{np.abs(velocity).mean():.2f} cm/s {time.time() - started:.0f} s', flush=True)
    return flat, (front, back), (number[: len(flat)], number[twin]), pos


def beyond(grid):
    """Where the cloth at each crossing of a grid over the flat shirt lies: beyond its edges it goes on straight."""
    for _ in range(6):
        sums, counts = np.zeros_like(grid), np.zeros(grid.shape[:2])
        for dy in (-1, 0, 1):
            for dx in (-1, 0, 1):
                one, two = (np.roll(grid, (k * dy, k * dx), (0, 1)) for k in (1, 2))
                known = ~np.isnan(one[..., 0]) & ~np.isnan(two[..., 0]) & bool(dx or dy)
                sums[known] += (2 * one - two)[known]
                counts += known
        fresh = np.isnan(grid[..., 0]) & (counts > 0)
        grid[fresh] = sums[fresh] / counts[fresh][:, None]
    return np.nan_to_num(grid)


if __name__ == '__main__':
    kind = arguments()['kind']
    flat, faces, numbers, pos = dress(kind, 700)
    grids = np.stack([
        beyond(gridded(flat, some, pos[which], np.array(CORNER), CELL, SIZE[::-1])) for some, which in zip(faces, numbers)
    ])
    here = os.path.dirname(os.path.abspath(__file__))
    np.savez_compressed(os.path.join(here, f'worn-{kind}.npz'), places=np.rint(grids * 500).astype(np.int16))
