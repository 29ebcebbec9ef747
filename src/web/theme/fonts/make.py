"""
Subsets the two fonts of every page: English and a few other characters, and only the used weight of Fraunces. Fonts were half of a
first visit's bytes before. Other characters load the packages' own files (`styles.css`). Needs fontTools and brotli for Python; run it
after updating the packages.
"""

from pathlib import Path

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont
from fontTools.varLib.instancer import instantiateVariableFont

HERE = Path(__file__).parent
PACKAGES = HERE / "../../../../node_modules/@fontsource-variable"
# The same as `unicode-range` in styles.css.
LETTERS = [*range(0x20, 0x7F), *map(ord, "\u00a0©«®°·»×ßàäçèéñöü–—‘’“”•…€™−")]
FEATURES = ["calt", "ccmp", "kern", "liga", "lnum", "locl", "mark", "mkmk", "tnum"]
# The license requires copyright, names and license to stay in the file (SIL Open Font License 1.1).
NAMES = [0, 1, 2, 3, 4, 5, 6, 13, 14]


def make(package: str, source: str, axes: dict, name: str) -> None:
    font = instantiateVariableFont(TTFont(PACKAGES / package / "files" / source), axes)
    options = Options(layout_features=FEATURES, name_IDs=NAMES, hinting=False, notdef_outline=True)
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=LETTERS)
    subsetter.subset(font)
    font.flavor = "woff2"
    font.save(HERE / name)
    print(name, (HERE / name).stat().st_size)


make("fraunces", "fraunces-latin-opsz-normal.woff2", {"wght": 480}, "fraunces-first.woff2")
make("instrument-sans", "instrument-sans-latin-wght-normal.woff2", {}, "instrument-sans-first.woff2")
