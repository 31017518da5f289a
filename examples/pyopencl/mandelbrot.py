#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The Mandelbrot set with pyopencl, drawn with characters.

./dev run /usr/bin/python3 examples/pyopencl/mandelbrot.py
"""
import numpy
import pyopencl as cl

SOURCE = """
kernel void mandelbrot(global int *steps, int width, int height, int most) {
    int column = get_global_id(0), row = get_global_id(1);
    float cx = -2.2f + 3.2f * column / width, cy = -1.2f + 2.4f * row / height;
    float x = 0.0f, y = 0.0f;
    int step = 0;
    while (step < most && x * x + y * y <= 4.0f) {
        float next = x * x - y * y + cx;
        y = 2.0f * x * y + cy;
        x = next;
        ++step;
    }
    steps[row * width + column] = step;
}
"""
WIDTH, HEIGHT, MOST = 78, 30, 64


def expected_at(column, row):
    """The same in double precision."""
    c = complex(-2.2 + 3.2 * column / WIDTH, -1.2 + 2.4 * row / HEIGHT)
    z, step = 0j, 0
    while step < MOST and abs(z) <= 2:
        z, step = z * z + c, step + 1
    return step


def main():
    device = cl.get_platforms()[0].get_devices()[0]
    context = cl.Context([device])
    queue = cl.CommandQueue(context)
    program = cl.Program(context, SOURCE).build()
    steps = numpy.empty((HEIGHT, WIDTH), numpy.int32)
    buffer = cl.Buffer(context, cl.mem_flags.WRITE_ONLY, steps.nbytes)
    program.mandelbrot(queue, (WIDTH, HEIGHT), None, buffer, *map(numpy.int32, (WIDTH, HEIGHT, MOST)))
    cl.enqueue_copy(queue, steps, buffer)

    for row in steps:
        print("".join(" .:-=+*#%@"[min(step * 10 // MOST, 9)] for step in row))
    wrong = sum(steps[row, column] != expected_at(column, row)
                for row in range(HEIGHT) for column in range(WIDTH))
    # At the edge of the set the number of steps hangs on the last bit of float.
    assert wrong <= WIDTH * HEIGHT // 100, f"{wrong} points differ from the reference"
    print(f"{device.name}: {WIDTH * HEIGHT} points, {wrong} at the edge differ from double precision")


if __name__ == "__main__":
    main()
