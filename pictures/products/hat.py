"""Six-panel cotton hat with eyelets, one color."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
from headwear import *


SEAMS = range(0, 360, 60)


def build():
    front = material('panels', 'A', **TWILL)
    plain = material('brim', 'A', prints=False, **TWILL)
    thread = material('thread', 'A', prints=False, **THREAD)
    dark = material('inside', color=(0.03,) * 3, roughness=1)

    def height(th, ph):
        return seams(th, ph, SEAMS) + hem(th, ph * 1.6) + uneven(th, ph)

    def panels(r, c):
        th, ph = closer(c, SEAMS), 0.985 * r
        return tuple(p + n * height(th, ph) for p, n in zip(crown(th, ph), outward(th, ph)))

    top = paint(sheet('panels', 380, 1300, panels, ring=True), front)
    around, up = closer(np.linspace(0, 1, 1300, endpoint=False), SEAMS), np.linspace(0, 0.985, 381)
    weave(top, *np.meshgrid(around, up), SEAMS)
    hemmed = (np.linspace(-math.pi, math.pi, 2000), np.full(2000, HEM / 1.6))
    middle = sewn(beside_seams([0]), height, material('middle seam', 'A', **THREAD), 0.0034)  # a design is sewn over it
    rows = sewn([*beside_seams(SEAMS[1:]), hemmed], height, thread)
    for part in (top, middle):
        print_on_front(part, 0.17, 0.72)
    top.modifiers.new('cloth', 'SOLIDIFY').thickness = 0.02
    eyelets = [part for degrees in range(30, 360, 60) for part in eyelet(math.radians(degrees), 0.70, height, thread, dark)]
    visor = brim(plain, plain, thread)
    return set_down([top, middle, rows, button(plain), *eyelets, *visor], visor[-1])


VIEWS = {
    'front': dict(azimuth=27, elevation=15, margin=1.2),
    'detail': dict(azimuth=-22, elevation=15, near=((0.11, -0.53, 0.565), 0.51)),
}

if __name__ == '__main__':
    light = lambda: standing_light(sky=0.17, fill=0.7)
    run_with_weave(__file__, build, light, VIEWS)
