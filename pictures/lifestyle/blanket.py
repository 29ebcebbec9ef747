"""The throw on a bed with linen sheets."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
from rooms import *


def build():
    parts = bring(product('blanket').on_bed(), 64)
    sheet_cloth = linen(CHALK, 0.2)
    bed = pebble((0, 10.4, -2.6), (11.6, 15.2, 2.58), sheet_cloth, 0.12, rows=140)
    bed.location.y = 10.55
    made = product('pillow')
    for x, turn in ((-4.4, 4), (4.3, -5)):
        halves = [paint(sheet(name, 200, 200, made.half(name == 'front')), sheet_cloth) for name in ('front', 'back')]
        bring(halves, 30, at=(x, 13.0, 2.0), turn=(-42, 0, turn))
        for half in halves:
            half.scale = (1.35, 0.85, 0.9)
    wall(plaster(), 19)
    ambient(0.32, (0.95, 0.975, 1))
    window(sun(-62, 34, 3.0), (0, 1, 0), pane=(5.2, 6.4), bar=0.7, away=22, leaves=14)
    softbox((-14, -10, 12), (0, 0, 0), 8, 1500)
    frame(parts, 14, 33, 1.12, (0, -1, 0.2), lens=60, stop=4, shift=(0.0, 0.04))


if __name__ == '__main__':
    shoot(__file__, build, 0.97)
