"""Draws the picture that the quickstart reads: hills, a lake, a sun and a brick tower, from integer arithmetic alone.

Usage: python3 make_picture.py landscape.ppm
The same bytes on every machine: no floating point, no library, no clock."""

import sys

WIDTH, HEIGHT = 384, 256
HORIZON = 150


def noise(x, y, seed=0):
    """A hash of a lattice point, from 0 to 255."""
    h = (x * 374761393 + y * 668265263 + seed * 2147483647) & 0xFFFFFFFF
    h = ((h ^ (h >> 13)) * 1274126177) & 0xFFFFFFFF
    return (h >> 16) & 255


def smooth_noise(x, y, cell, seed):
    """Noise interpolated between lattice points `cell` pixels apart, from 0 to 255."""
    i, j, fx, fy = x // cell, y // cell, x % cell, y % cell
    top = noise(i, j, seed) * (cell - fx) + noise(i + 1, j, seed) * fx
    bottom = noise(i, j + 1, seed) * (cell - fx) + noise(i + 1, j + 1, seed) * fx
    return (top * (cell - fy) + bottom * fy) // (cell * cell)


def ridge(x, base, height, cell, seed):
    """The y coordinate of a hill line at column x."""
    return base - (height * (2 * smooth_noise(x, 0, cell, seed) + smooth_noise(x, 0, cell // 4, seed + 1))) // 765


def mix(a, b, part, whole):
    return tuple((p * (whole - part) + q * part) // whole for p, q in zip(a, b))


def sky(x, y):
    colour = mix((58, 88, 160), (250, 188, 132), y, HORIZON)
    cloud = smooth_noise(x + 3 * y, 2 * y, 48, 9) + smooth_noise(x, 3 * y, 16, 10) // 2
    if cloud > 215:
        colour = mix(colour, (255, 236, 220), min(cloud - 215, 90), 110)
    distance = (x - 262) ** 2 + (y - 74) ** 2
    return (255, 240, 190) if distance < 26 ** 2 else colour


def hills(x, y):
    """The colour of the nearest hill at a pixel, or None where the sky shows."""
    layers = [((70, 92, 74), 168, 40, 40, 1), ((98, 116, 120), 156, 62, 56, 3), ((142, 142, 164), 146, 88, 72, 5)]
    for colour, base, height, cell, seed in layers:
        top = ridge(x, base, height, cell, seed)
        if top <= y < 170:
            return mix(colour, (30, 40, 36), min(y - top, 60) + smooth_noise(x, y, 4, seed) // 12, 130)
    return None


def tower(x, y):
    """A brick tower with a roof, a door and two windows, or None beside it."""
    if 64 <= x < 112 and 84 <= y < 208:
        if 82 <= x < 94 and (104 <= y < 122 or 140 <= y < 158):
            return (34, 30, 44) if x != 88 and y not in (113, 149) else (190, 160, 120)
        if (x - 88) ** 2 + (max(188 - y, 0)) ** 2 < 9 ** 2 and y < 208:
            return (60, 38, 26)
        row, shift = y // 7, (y // 7 % 2) * 6
        if y % 7 == 0 or (x + shift) % 12 == 0:
            return (196, 182, 166)
        shade = 130 + noise((x + shift) // 12, row, 7) // 6 - (x - 64)
        return (shade + 40, shade - 20, shade - 40)
    if 44 <= y < 84 and abs(x - 88) * 40 <= (y - 44) * 32:
        return (146, 58, 52) if (x + y) % 9 else (104, 40, 40)
    return None


def lake(x, y):
    """Water that mirrors what stands above it, in ripples."""
    depth = y - 170
    wave = (smooth_noise(x, 5 * y, 24, 11) - 128) * depth // 700
    mirrored = max(0, 169 - 2 * depth)
    return mix(scene_above(min(max(x + wave, 0), WIDTH - 1), mirrored), (28, 60, 96), 60 + depth // 2, 150)


def shore(x, y):
    """Grass in the foreground, or None where the lake lies."""
    if y < 196 + (x - 90) ** 2 // 260 - smooth_noise(x, 0, 12, 13) // 40:
        return None
    blade = noise(x, y // 5, 15) // 5 + smooth_noise(x, y, 8, 17) // 6
    return (36 + blade, 78 + blade, 30 + blade // 2)


def scene_above(x, y):
    return hills(x, y) or sky(x, min(y, HORIZON))


def pixel(x, y):
    return tower(x, y) or (y >= 170 and (shore(x, y) or lake(x, y))) or scene_above(x, y)


def main():
    samples = bytearray()
    for y in range(HEIGHT):
        for x in range(WIDTH):
            samples += bytes(min(max(sample, 0), 255) for sample in pixel(x, y))
    with open(sys.argv[1], "wb") as file:
        file.write(b"P6\n%d %d\n255\n" % (WIDTH, HEIGHT) + samples)


if __name__ == "__main__":
    main()
