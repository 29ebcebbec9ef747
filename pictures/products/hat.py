"""Six-panel cotton hat with eyelets, one color."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
from headwear import *


def build():
    front = material('panels', 'A', **TWILL)
    plain = material('brim', 'A', prints=False, **TWILL)
    thread = material('eyelets', 'A', prints=False, roughness=0.7)
    dark = material('inside', color=(0.03,) * 3, roughness=1)

    def panels(r, c):
        th, ph = (c * 2 - 1) * math.pi, 0.985 * r
        height = seams(th, ph, range(0, 360, 60)) + hem(th, ph * 1.6) + uneven(th, ph)
        return tuple(p + n * height for p, n in zip(crown(th, ph), outward(th, ph)))

    top = paint(sheet('panels', 300, 960, panels, ring=True), front)
    print_on_front(top, 0.17, 0.72)
    top.modifiers.new('cloth', 'SOLIDIFY').thickness = 0.02
    parts = [top, button(plain)]
    for degrees in range(30, 360, 60):
        th, ph = math.radians(degrees), 0.70
        at, n = Vector([float(v) for v in crown(th, ph)]), Vector([float(v) for v in outward(np.array(th), np.array(ph))])
        turn = n.to_track_quat('Z', 'Y').to_euler()
        bpy.ops.mesh.primitive_torus_add(major_radius=0.032, minor_radius=0.011, major_segments=40, minor_segments=14, location=at + n * 0.014)
        ring = paint(bpy.context.object, thread)
        bpy.ops.object.shade_smooth()
        bpy.ops.mesh.primitive_cylinder_add(radius=0.028, depth=0.012, location=at + n * 0.014)
        hole = paint(bpy.context.object, dark)
        ring.rotation_euler = hole.rotation_euler = turn
        parts += [ring, hole]
    visor = brim(plain, plain)
    return set_down([*parts, *visor], visor[-1])


VIEWS = {
    'front': dict(azimuth=27, elevation=15, margin=1.2),
    'detail': dict(azimuth=-22, elevation=15, near=((0.05, -0.5, 0.47), 0.66)),
}

if __name__ == '__main__':
    light = lambda: standing_light(sky=0.17, fill=0.7)
    run(__file__, build, light, VIEWS)
