"""What the hats and the visor share: a six-panel crown and a stitched brim; 1 unit = 9.4 cm (crown 20 cm long, 17 cm wide)."""

from studio import *

TWILL = dict(roughness=0.92, specular=0.15, sheen=0.45, grain=(92, 0.16, 0.004, 'weave'))
BRIM_SPAN = math.radians(69)
BRIM_REACH = 0.84


def crown(th, ph):
    """The crown without its seams: th = azimuth from the front, ph = 0 at the opening .. 1 at the button."""
    a = np.asarray(ph) * math.pi / 2
    front = 0.5 + 0.5 * np.cos(th)
    up = np.sin(a) ** (0.94 - 0.14 * front)  # the front panels stand up before they bend over
    out = np.cos(a) ** (0.78 - 0.14 * front)
    lean = 0.16 * front * up * (1 - up) + 0.07 * up
    return 0.90 * np.sin(th) * out, -1.06 * np.cos(th) * out + lean, 1.04 * up


def outward(th, ph):
    step, p = 2e-3, np.clip(ph, 0.004, 0.99)
    around = np.stack(crown(th + step, p), -1) - np.stack(crown(th - step, p), -1)
    upward = np.stack(crown(th, p + step), -1) - np.stack(crown(th, p - step), -1)
    n = np.cross(around, upward)
    n /= np.maximum(np.linalg.norm(n, axis=-1, keepdims=True), 1e-9)
    return n[..., 0], n[..., 1], n[..., 2]


def dashes(along):
    return np.clip(np.sin(along) * 3 + 1.7, 0, 1)


def seams(th, ph, at):
    """The height that sewing gives to the panels: a groove, two rows of stitches beside it, and cloth that swells between."""
    d = np.full(np.shape(th), 9.0)
    for degrees in at:
        d = np.minimum(d, np.abs((th - math.radians(degrees) + math.pi) % (2 * math.pi) - math.pi))
    d = d * 0.95 * np.cos(ph * math.pi / 2) ** 0.55
    swell = 0.014 * (1 - np.exp(-((d / 0.11) ** 2))) * np.cos(ph * math.pi / 2) ** 0.5
    groove = 0.007 * np.exp(-(((d - 0.028) / 0.022) ** 2)) - 0.019 * np.exp(-((d / 0.013) ** 2))
    stitch = 0.008 * np.exp(-(((d - 0.044) / 0.008) ** 2)) * dashes(ph * 260) - 0.007 * np.exp(-(((d - 0.044) / 0.015) ** 2))
    return (swell + groove + stitch) * np.clip((1 - ph) / 0.05, 0, 1)


def hem(th, distance):
    """A sewn edge, `distance` measured in units from it."""
    return 0.006 * np.exp(-(((distance - 0.07) / 0.007) ** 2)) * dashes(th * 150) - 0.007 * np.exp(-(((distance - 0.07) / 0.014) ** 2))


def print_on_front(obj, low, tall, wide=1.25):
    """The design sits on the front panels, measured along the cloth: `wide` x `tall` units from the height `low`."""
    azimuth = lambda co: math.atan2(co.x, -co.y)
    printable(
        obj,
        lambda co: (0.5 + azimuth(co) * 0.98 / wide, (co.z - low) / tall),
        lambda c, n: c.y < -0.1 and abs(azimuth(c)) < 1.0 and low - 0.06 < c.z < low + tall + 0.05,
    )


def brim(cloth, under):
    """From the crown's front arc outwards, bent down at its sides, with rows of stitches; returns its parts."""

    def surface(r, c, lift=0.0, sewn=True):
        th = (c * 2 - 1) * BRIM_SPAN
        x, y, _ = crown(th, np.zeros_like(th))
        side = np.abs(np.sin(th) / math.sin(BRIM_SPAN))
        reach = BRIM_REACH * np.sqrt(np.clip(1 - side**2.15, 0, 1))
        out = reach * r / BRIM_REACH
        wide = x * (1 + 0.05 * r * (1 - side**6))
        z = 0.02 + 0.04 * out - 0.36 * (np.abs(wide) / 0.9) ** 2 * out - 0.10 * out**1.7 - 0.03 * side**4 * np.clip(1 - 3 * out, 0, 1)
        rows = np.zeros_like(r)
        if sewn:
            inset = reach * (1 - r)
            for k in range(7):
                d = inset - 0.055 - 0.088 * k
                rows += 0.006 * np.exp(-((d / 0.008) ** 2)) * dashes(c * 400) - 0.0065 * np.exp(-((d / 0.016) ** 2))
            rows *= np.clip(reach / 0.2, 0, 1)
        rounded = -0.018 * np.exp(-(((1 - r) * reach / 0.018) ** 2))
        # its inner edge, and its ends, are sewn in behind the crown's cloth
        tuck = np.clip(1 - out / 0.035, 0, 1)
        inside = 1 - 0.05 * tuck
        return wide * inside, (y - reach * r) * inside, z + rows + rounded + lift + 0.035 * tuck

    top = paint(sheet('brim', 220, 700, surface), cloth)
    bottom = paint(sheet('under the brim', 60, 200, lambda r, c: surface(r, c, -0.05, False)), under)
    along = np.linspace(0, 1, 90)
    cord = tube('cord', np.stack(surface(np.ones(90), along, -0.022, False), -1).tolist(), 0.026)
    return [top, bottom, paint(cord, cloth)]


def set_down(parts, cord):
    """Lays it on a table: it rests on the sides of its brim and on the back of its opening."""
    holder = link('hat', None)
    for part in parts:
        part.parent = holder
    edge = np.array([v.co[:] for v in cord.data.vertices])
    lowest, back = edge[edge[:, 2].argmin()], np.array([0, 1.10, -0.01])
    holder.rotation_euler.x = -math.atan2(back[2] - lowest[2], back[1] - lowest[1])
    bpy.context.view_layer.update()
    holder.location.z = 0.004 - min((holder.matrix_world @ Vector(p)).z for p in (lowest, back))
    bpy.context.view_layer.update()
    return parts


def button(cloth):
    bpy.ops.mesh.primitive_uv_sphere_add(segments=48, ring_count=24, radius=0.07, location=(0, float(crown(0.0, 1.0)[1]), 1.058))
    made = bpy.context.object
    made.scale = (1, 1, 0.5)
    bpy.ops.object.shade_smooth()
    return paint(made, cloth)


def uneven(th, ph):
    """Cloth over buckram is never quite even, least of all at the back."""
    wave = 0.012 * np.sin(3 * th + 1.2) * np.sin(5 * ph + 0.6) + 0.007 * np.sin(7 * th + 4 * ph) * np.sin(9 * ph)
    return wave * (0.4 + 0.6 * (0.5 - 0.5 * np.cos(th))) * (1 - ph)
