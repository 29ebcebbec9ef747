"""Sports visor: a band that is high in front and narrow behind, bound edges, the hats' brim."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
from headwear import *


SEAMS = (60, 300)


def band_top(th):
    """How far up the crown the band reaches, as the crown's ph."""
    return 0.13 + 0.27 * (0.5 + 0.5 * np.cos(th)) ** 1.5


def build():
    cloth = material('band', 'A', **TWILL)
    plain = material('brim', 'A', prints=False, **TWILL)
    thread = material('thread', 'A', prints=False, **THREAD)
    towel = material('sweatband', 'A', prints=False, roughness=1, specular=0.05, sheen=0.6, grain=(120, 0.2, 0.006, 'pile'))

    def height(th, ph):
        return seams(th, ph, SEAMS) + hem(th, ph * 1.5) + hem(th, (band_top(th) - ph) * 1.5 - 0.02) + 0.5 * uneven(th, ph)

    def outside(r, c):
        th = closer(c, SEAMS)
        ph = r * band_top(th)
        return tuple(p + n * height(th, ph) for p, n in zip(crown(th, ph), outward(th, ph)))

    def lining(r, c):
        th = (c * 2 - 1) * math.pi
        ph = r * band_top(th)
        return tuple(p - n * 0.035 for p, n in zip(crown(th, ph), outward(th, ph)))

    band = paint(sheet('band', 110, 960, outside, ring=True), cloth)
    around, up = np.meshgrid(closer(np.linspace(0, 1, 960, endpoint=False), SEAMS), np.linspace(0, 1, 111))
    weave(band, around, up * band_top(around), SEAMS)
    along = np.linspace(-math.pi, math.pi, 2000)
    edges = [(along, np.full(2000, HEM / 1.5)), (along, band_top(along) - (HEM + 0.02) / 1.5)]
    rows = sewn([*beside_seams(SEAMS, 0.02, band_top(math.radians(60)) - 0.02), *edges], height, thread)
    print_on_front(band, 0.10, 0.50, wide=1.2)
    inner = paint(sheet('sweatband', 40, 360, lining, ring=True), towel)
    around = np.linspace(-math.pi, math.pi, 140)
    rims = []
    for ph, radius in ((band_top(around), 0.026), (np.full(140, 0.0), 0.022)):
        line = np.stack(crown(around, ph), -1) - 0.016 * np.stack(outward(around, np.maximum(ph, 0.01)), -1)
        rims.append(paint(tube('binding', line.tolist(), radius), plain))
    # the strap's clasp behind
    bpy.ops.mesh.primitive_cube_add(size=1, location=(0.16, 1.055, 0.10))
    clasp = paint(bpy.context.object, plain)
    clasp.scale = (0.30, 0.05, 0.17)
    clasp.rotation_euler.z = -0.12
    edge = clasp.modifiers.new('edge', 'BEVEL')
    edge.width, edge.segments = 0.02, 3
    visor = brim(plain, plain, thread)
    return set_down([band, rows, inner, *rims, clasp, *visor], visor[-1])


VIEWS = {
    'front': dict(azimuth=-27, elevation=25, margin=1.2),
    'detail': dict(azimuth=-20, elevation=18, near=((0.10, -0.62, 0.40), 0.49)),
}

if __name__ == '__main__':
    light = lambda: standing_light(sky=0.18, fill=0.7)
    run_with_weave(__file__, build, light, VIEWS)
