"""The polo on its hanger, carried by a plaster hand."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
from hanging import *


def build():
    carried('polo')


if __name__ == '__main__':
    shoot(__file__, build, 0.95)
