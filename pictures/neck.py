"""The neck label of a shirt that is seen from across a room."""

import bpy


def without_print(parts):
    """The shirt with a blank label: its letters would be smudges."""
    letters = [part for part in parts if part.name.startswith('lettering')]
    kept = [part for part in parts if part not in letters]
    for part in letters:
        bpy.data.objects.remove(part)
    return kept
