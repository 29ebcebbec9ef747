"""How a shirt hangs on its hanger: the simulated fall of its cloth (`cloth/hung.py`), given to all that is sewn on it."""

from rooms import *

BEHIND = ('back', 'tape', 'label', 'lettering', 'stand')  # parts that lie on the back


def fallen(x, y, layer):
    """Where the points x, y of the flat shirt hang, and which way its cloth faces there."""
    stored = np.load(os.path.join(HERE, 'cloth', 'hung.npz'))
    moved, (left, low), step = stored[layer].astype(float), stored['corner'], float(stored['step'])
    rows, columns = moved.shape[:2]
    across, up = left + step * np.arange(columns), low + step * np.arange(rows)
    # both sleeves hang as the left one does, which came to rest better
    other = moved[:, ::-1] * (-1, 1, 1)
    share = np.clip((across - 0.30) / 0.30, 0, 1)[None, :, None]
    share = share * share * (3 - 2 * share)
    spots = moved * (1 - share) + other * share + np.stack([*np.meshgrid(across, up), 0 * moved[..., 0]], -1)
    facing = np.cross(np.gradient(spots, axis=1), np.gradient(spots, axis=0))
    facing /= np.linalg.norm(facing, axis=-1, keepdims=True)
    a, b = np.clip((x - left) / step, 0, columns - 1.001), np.clip((y - low) / step, 0, rows - 1.001)
    i, j = a.astype(int), b.astype(int)
    a, b = (a - i)[:, None], (b - j)[:, None]
    between = lambda grid: (grid[j, i] * (1 - a) + grid[j, i + 1] * a) * (1 - b) + (grid[j + 1, i] * (1 - a) + grid[j + 1, i + 1] * a) * b
    return between(spots), between(facing)


def hung(parts):
    """Stands a shirt that lies flat upright and lets it hang: sleeves sink to the sides, drapes run down from the shoulders."""
    for part in parts:
        spots = np.array([v.co[:] for v in part.data.vertices]) + np.array(part.location)
        part.location = (0, 0, 0)
        x, y, z = spots.T
        there, facing = fallen(x, y, 'back' if part.name.startswith(BEHIND) else 'front')
        part.data.vertices.foreach_set('co', (there + facing * z[:, None]).astype(np.float32).ravel())
        part.data.update()
    return bring(parts, 36, at=(0, -0.12, 0), turn=(90, 0, 0))
