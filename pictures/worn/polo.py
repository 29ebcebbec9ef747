"""The polo on a linen torso."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
from torso import *


def build():
    dressed('polo', os.path.join(HERE, 'cloth', 'worn-polo.npz'))


if __name__ == '__main__':
    shoot(__file__, build, 0.97, sharp=True)
