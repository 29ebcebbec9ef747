"""Rudy asleep on five gold ingots, for his collection and the home page."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
from clay import *

CREAM, IVORY, CARAMEL, INK = (0.84, 0.66, 0.41), (0.90, 0.82, 0.67), (0.44, 0.175, 0.045), (0.022, 0.019, 0.018)
TOP = 1.0  # where the upper ingots end and the dog begins


def ingot(x, z, length, depth, turn):
    height, taper = 0.5, 0.84
    verts = [
        (sx * (length / 2 - up * 0.075), sy * depth / 2 * (taper if up else 1), up * height)
        for up in (0, 1)
        for sx, sy in ((-1, -1), (1, -1), (1, 1), (-1, 1))
    ]
    made = mesh('ingot', verts, [(3, 2, 1, 0), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7)])
    made.data.use_auto_smooth = True
    edge = made.modifiers.new('edge', 'BEVEL')
    edge.width, edge.segments = 0.05, 6
    made.modifiers.new('normals', 'WEIGHTED_NORMAL')
    made.location, made.rotation_euler.z = (x, 0.02 * turn, z), math.radians(turn)
    return made


def bars():
    gold = material('gold', color=(0.95, 0.62, 0.19), roughness=0.2, metallic=1, grain=(5, 0.02, 0.02, 'pile'))
    made = [ingot(x, 0, 1.86, 1.75, turn) for x, turn in ((-1.9, 1), (0, -1), (1.9, 1))]
    made += [ingot(x, 0.502, 1.86, 1.62, turn) for x, turn in ((-0.935, 0), (0.94, 0.5))]
    return [paint(bar, gold) for bar in made]


def sleeper():
    """Rudy alone; what he lies on ends at TOP."""
    clay_surface = dict(roughness=0.48, specular=0.4, coat=0.1)
    fur, tan = material('fur', color=CREAM, **clay_surface), material('ears', color=CARAMEL, **clay_surface)
    dark = material('ink', color=INK, roughness=0.32, coat=0.3)
    tongue = material('tongue', color=(0.66, 0.20, 0.13), roughness=0.4)

    at = Vector((-0.80, -0.26, TOP + 0.60))
    head = Matrix.Translation(at) @ Euler([math.radians(a) for a in (6, -7, -9)]).to_matrix().to_4x4()
    local = [
        ((0, 0.02, 0.03), (0.66, 0.55, 0.53)),
        ((0.30, -0.16, -0.20), (0.34, 0.32, 0.27)),
        ((-0.30, -0.16, -0.20), (0.34, 0.32, 0.27)),
        ((0, -0.34, -0.05), (0.21, 0.24, 0.18)),
        ((0.14, -0.53, -0.205), (0.20, 0.17, 0.155)),
        ((-0.14, -0.53, -0.205), (0.20, 0.17, 0.155)),
        ((0, -0.42, -0.31), (0.20, 0.17, 0.12)),
    ]
    body = []
    for center, radii in local:
        part = ball(center, radii)
        part.data.transform(head)
        body.append(part)
    body += [
        ball((0.20, 0.22, TOP + 0.48), (1.02, 0.60, 0.52)),
        ball((0.88, 0.16, TOP + 0.48), (0.60, 0.58, 0.52)),
        ball((-0.40, 0.16, TOP + 0.46), (0.62, 0.54, 0.48)),
        ball((0.88, -0.32, TOP + 0.36), (0.48, 0.28, 0.40), (0, 10, -12)),
        ball((0.42, -0.58, TOP + 0.13), (0.34, 0.19, 0.15), (0, 0, 6)),
        ball((-1.10, -0.66, TOP + 0.12), (0.22, 0.27, 0.14), (0, 0, 10)),
        ball((-0.52, -0.70, TOP + 0.12), (0.22, 0.27, 0.14), (0, 0, -6)),
    ]
    tail = [(1.30, 0.20, TOP + 0.24), (1.62, 0.02, TOP + 0.13), (1.72, -0.34, TOP + 0.12), (1.50, -0.64, TOP + 0.12), (1.14, -0.76, TOP + 0.12)]
    body += limb(tail, [0.15, 0.135, 0.125, 0.115, 0.09])
    dog = clay(body, 0.015, 9)
    for v in dog.data.vertices:
        v.co.z = max(v.co.z, TOP + 0.006)  # he lies on something, not in it
    inverse = np.array(head.inverted())

    def coat(points):
        face = points @ inverse[:3, :3].T + inverse[:3, 3]
        near = blob(points, np.array(at), np.array([0.95, 0.95, 0.80]))
        white = np.maximum(blob(face, (0, -0.56, -0.24), (0.42, 0.42, 0.25)), np.clip((0.105 + 0.06 * np.abs(face[:, 2] - 0.2) - np.abs(face[:, 0])) / 0.04 + 0.5, 0, 1) * (face[:, 1] < 0.45)) * near
        white = np.maximum(white, blob(face, (0, -0.40, -0.10), (0.22, 0.5, 0.16)) * near)
        for paw, size in (((-1.10, -0.72, TOP + 0.08), 0.34), ((-0.52, -0.76, TOP + 0.08), 0.34), ((0.38, -0.60, TOP + 0.1), 0.38)):
            white = np.maximum(white, blob(points, paw, (size, 0.30, 0.22)))
        # The end of the tail, which lies before the thigh and does not color it.
        white = np.maximum(white, blob(points, (1.12, -0.80, TOP + 0.12), (0.30, 0.24, 0.24), soft=0.3))
        brown = blob(face, (0.36, -0.34, 0.13), (0.27, 0.40, 0.26)) * near
        brown = np.maximum(brown, blob(points, (0.62, 0.30, TOP + 0.95), (0.46, 0.62, 0.36)))
        color = np.array(CREAM) * np.ones((len(points), 1))
        color = color * (1 - brown[:, None]) + np.array(CARAMEL) * brown[:, None]
        return color * (1 - white[:, None]) + np.array(IVORY) * white[:, None]

    colored(dog, fur, coat)
    face = Face(dog, head)
    parts = [dog]
    for side in (1, -1):
        parts.append(face.line([(side * 0.335 + 0.125 * t, 0.045 - 0.075 * (1 - t * t)) for t in np.linspace(-1, 1, 11)], 0.021, dark))
        parts.append(face.line([(side * 0.33 + 0.075 * t, 0.245 - 0.035 * t * t) for t in np.linspace(-1, 1, 7)], 0.015, dark))
        parts.append(face.line([(side * x, z) for x, z in ((0.012, -0.295), (0.08, -0.335), (0.17, -0.325), (0.23, -0.285))], 0.011, dark))
        path = [(0.48, 0.04, 0.36), (0.68, -0.06, 0.20), (0.76, -0.12, -0.10), (0.76, -0.18, -0.36), (0.72, -0.22, -0.50)]
        ear = clay(limb([(side * x, y, z) for x, y, z in path], [0.10, 0.20, 0.26, 0.28, 0.20]), 0.02, 8)
        for v in ear.data.vertices:
            v.co.x = side * 0.68 + (v.co.x - side * 0.68) * 0.5
        ear.data.transform(head)
        parts.append(paint(ear, tan))
    nose = face.knob(0, -0.115, (0.125, 0.075, 0.085), dark, 0.015)
    tip = face.knob(0.055, -0.375, (0.062, 0.034, 0.075), tongue, 0.004)
    return [*parts, nose, tip]


def build():
    return [*bars(), *sleeper()]


if __name__ == '__main__':
    # so much air that a square keeps the dog, and a picture of 4:3 the bars
    show('rudy', build, shift=0.01, margin=1.42)
