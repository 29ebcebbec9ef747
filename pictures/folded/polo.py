"""The polo, folded on a table by a window."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
from folding import *


def build():
    laid_on_table('polo')


if __name__ == '__main__':
    shoot(__file__, build, 0.97, sharp=True)  # the holes of a button are as small as grain
