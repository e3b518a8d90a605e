# SPDX-FileCopyrightText: The Weft authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Unmodified programs on OpenCL platforms, beside the best code for processors for the same job.

usage: speed.py [--platform NAME=VENDORS]... [--rounds N] [JOB...]

VENDORS is what OCL_ICD_VENDORS is set to for a platform; the first one is Weft's. Prints a table in
Markdown: the median of the rounds, and how many times faster the first platform is than each other
one and than the code for processors. In a round, each job runs once on each of them, in a process of
its own; those that are tuned first take two minutes more each time. Jobs whose programs are missing
are left out, with the reason; nothing is asserted.

Needs, for all jobs: Debian's libclblast1, clblast-utils, libclfft2, hashcat and john, and the Python
packages numpy, pyopencl, pyvkfft, pyfftw, openmm and tinygrad in the Python that runs this.
"""

import argparse
import atexit
import ctypes
import ctypes.util
import math
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time

HOST = "processor"  # the platform that is none


def best_rate(work, amount, seconds=2.0):
    """`amount` per second of the fastest call of `work` within so many seconds after a warm-up."""
    begin = time.perf_counter()
    while time.perf_counter() - begin < seconds:  # libraries tune, runtimes compile anew
        work()
    best = float("inf")
    begin = time.perf_counter()
    while time.perf_counter() - begin < seconds:
        start = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - start)
    return amount / best


def queue_of_first_device():
    import pyopencl as cl
    devices = cl.get_platforms()[0].get_devices()
    queue_of_first_device.context = cl.Context(devices)  # not every queue keeps its context
    return cl.CommandQueue(queue_of_first_device.context)


def tune(seconds=120):
    """The parameters of CLBlast's kernel Xgemm that its tuner finds fastest for 1024 x 1024 floats.

    The tuner would try for hours; it draws what it tries, and is stopped after `seconds`.
    """
    with tempfile.TemporaryDirectory() as folder:  # it leaves its findings there
        tuner = subprocess.Popen(
            ["clblast_tuner_xgemm", "-precision", "32", "-m", "1024", "-n", "1024", "-k", "1024",
             "-fraction", "16", "-runs", "3"], cwd=folder, stdout=subprocess.PIPE, text=True)
        try:
            text, _ = tuner.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            tuner.kill()
            text, _ = tuner.communicate()
    text = re.sub(r"\x1b\[[0-9;]*m", "", text)
    names, best = [], (0.0, {})
    for line in text.splitlines():
        if "Parameters explored:" in line:
            names = line.split(":")[1].split()
        cells = [cell.split() for cell in line.split("|")]
        if len(cells) > 8 and len(cells[3]) == len(names) and "result" in line:
            best = max(best, (float(cells[8][0]), dict(zip(names, map(int, cells[3])))),
                       key=lambda found: found[0])
    assert best[1], "the tuner found nothing"
    return best[1]


def override(library, device, kernel, parameters):
    """Has CLBlast use `parameters` for floats in `kernel` on a device."""
    count = len(parameters)
    status = library.CLBlastOverrideParameters(
        ctypes.c_void_p(device.int_ptr), kernel.encode(), 32, ctypes.c_size_t(count),
        (ctypes.c_char_p * count)(*(name.encode() for name in parameters)),
        (ctypes.c_size_t * count)(*parameters.values()))
    assert status == 0, f"CLBlast says {status}"


def sgemm(size, tuned=False):
    """CLBlast with the parameters that it comes with, or with those that its tuner finds for its
    kernel for large matrices, which then serves from 256 on; beside NumPy's OpenBLAS; GFLOP/s."""
    def run(on_host):
        import numpy as np
        rng = np.random.default_rng(1)
        a, b = (rng.random((size, size), dtype=np.float32) for _ in range(2))
        flops = 2e-9 * size**3
        if on_host:
            c = np.empty_like(a)
            return best_rate(lambda: np.matmul(a, b, out=c), flops)
        import pyopencl as cl
        import pyopencl.array as array
        library = ctypes.CDLL(ctypes.util.find_library("clblast") or "libclblast.so.1")
        queue = queue_of_first_device()
        if tuned:
            override(library, queue.device, "Xgemm", tune())
            override(library, queue.device, "GemmRoutine", {"XGEMM_MIN_INDIRECT_SIZE": 256})
        da, db = (array.to_device(queue, x) for x in (a, b))
        dc = array.zeros(queue, a.shape, np.float32)
        handle = ctypes.c_void_p(queue.int_ptr)
        memory = [ctypes.c_void_p(x.data.int_ptr) for x in (da, db, dc)]
        n, zero = ctypes.c_size_t(size), ctypes.c_size_t(0)

        def work():
            status = library.CLBlastSgemm(
                101, 111, 111, n, n, n, ctypes.c_float(1), memory[0], zero, n, memory[1], zero, n,
                ctypes.c_float(0), memory[2], zero, n, ctypes.byref(handle), None)
            assert status == 0, f"CLBlast says {status}"
            queue.finish()
        work()
        assert np.allclose(dc.get(), a @ b, rtol=1e-3)
        return best_rate(work, flops)
    return run


def vkfft(queue, data, dimensions):
    """Transforms of an array in place, forwards and backwards."""
    from pyvkfft.opencl import VkFFTApp
    app = VkFFTApp(data.shape, data.dtype, queue, ndim=dimensions)
    return lambda: app.fft(data), lambda: app.ifft(data)


def clfft(queue, data, dimensions):
    """The same by clFFT, which has no Python of its own."""
    library = ctypes.CDLL("libclFFT.so.2")
    pointer = ctypes.c_void_p

    def call(name, *arguments):
        code = getattr(library, name)(*arguments)
        assert code == 0, f"{name}: {code}"
    call("clfftSetup", (ctypes.c_uint * 4)(2, 12, 2, 0))  # version 2.12.2, no files of its kernels
    atexit.register(library.clfftTeardown)
    plan = ctypes.c_size_t()
    lengths = (ctypes.c_size_t * dimensions)(*data.shape[::-1][:dimensions])
    call("clfftCreateDefaultPlan", ctypes.byref(plan), pointer(queue.context.int_ptr), dimensions,
         lengths)
    call("clfftSetPlanBatchSize", plan, ctypes.c_size_t(data.size // math.prod(lengths)))
    call("clfftBakePlan", plan, 1, ctypes.byref(pointer(queue.int_ptr)), None, None)

    def transform(direction):
        call("clfftEnqueueTransform", plan, direction, 1, ctypes.byref(pointer(queue.int_ptr)), 0,
             None, None, ctypes.byref(pointer(data.data.int_ptr)), None, None)
    return lambda: transform(-1), lambda: transform(1)


def fft(library, shape, dimensions):
    """Complex floats in place by a library, beside FFTW with measured plans; GFLOP/s of 5 n log2 n."""
    def run(on_host):
        import numpy as np
        rng = np.random.default_rng(1)
        data = (rng.random(shape) + 1j * rng.random(shape)).astype(np.complex64)
        flops = 5e-9 * data.size * np.log2(math.prod(shape[-dimensions:]))
        axes = tuple(range(-dimensions, 0))
        if on_host:
            import pyfftw
            aligned = pyfftw.empty_aligned(shape, np.complex64)
            plan = pyfftw.FFTW(aligned, aligned, axes=axes, threads=os.cpu_count(),
                               flags=("FFTW_MEASURE",))
            aligned[:] = data
            return best_rate(plan, flops)
        import pyopencl.array as array
        queue = queue_of_first_device()
        on_device = array.to_device(queue, data)
        forwards, backwards = library(queue, on_device, dimensions)
        forwards()
        expected = np.fft.fftn(data, axes=axes)
        assert np.allclose(on_device.get(), expected, atol=1e-4 * np.abs(expected).max())

        def work():
            forwards()
            backwards()
            queue.finish()
        return 2 * best_rate(work, flops)
    return run


def water(on_host):
    """OpenMM, a box of water with PME in single precision, beside its platform CPU; steps a second."""
    import openmm
    from openmm import app, unit
    field = app.ForceField("amber14/tip3p.xml")
    modeller = app.Modeller(app.Topology(), [] * unit.nanometers)
    modeller.addSolvent(field, boxSize=openmm.Vec3(4.5, 4.5, 4.5) * unit.nanometers)
    system = field.createSystem(modeller.topology, nonbondedMethod=app.PME,
                                nonbondedCutoff=0.9 * unit.nanometers, constraints=app.HBonds)
    integrator = openmm.LangevinMiddleIntegrator(300 * unit.kelvin, 1 / unit.picosecond,
                                                 2 * unit.femtoseconds)
    platform = openmm.Platform.getPlatformByName("CPU" if on_host else "OpenCL")
    properties = {} if on_host else {"Precision": "single"}
    context = openmm.Context(system, integrator, platform, properties)
    context.setPositions(modeller.positions)
    openmm.LocalEnergyMinimizer.minimize(context, maxIterations=20)

    def work():
        integrator.step(50)
        context.getState(getEnergy=True)
    return best_rate(work, 50, seconds=6)


def tensors(name):
    """tinygrad beside NumPy; results a second."""
    def run(on_host):
        import numpy as np
        rng = np.random.default_rng(1)
        a, b = (rng.random((1024, 1024), dtype=np.float32) for _ in range(2))

        def softmax(x):
            e = np.exp(x - x.max(axis=1, keepdims=True))
            return e / e.sum(axis=1, keepdims=True)
        host = {"matmul": lambda: a @ b, "softmax": lambda: softmax(a),
                "elementwise": lambda: np.tanh(a * 2 + b) * a}
        if on_host:
            return best_rate(host[name], 1)
        from tinygrad import Tensor, TinyJit, Device
        device = {"matmul": lambda x, y: x @ y, "softmax": lambda x, y: x.softmax(axis=1),
                  "elementwise": lambda x, y: (x * 2 + y).tanh() * x}
        jit = TinyJit(lambda x, y: device[name](x, y).realize())
        x, y = Tensor(a).realize(), Tensor(b).realize()
        for _ in range(3):
            result = jit(x, y)
        assert np.allclose(result.numpy(), host[name](), rtol=1e-3)

        def work():
            jit(x, y)
            Device[Device.DEFAULT].synchronize()
        return best_rate(work, 1)
    return run


def hashes(mode, form):
    """hashcat's benchmark beside john's of the same hash on all processors; hashes a second."""
    def run(on_host):
        if on_host:
            text = subprocess.run(["/usr/sbin/john", "--test=5", f"--format={form}"], check=True,
                                  capture_output=True, text=True).stdout
            number, unit = re.search(r"(?:Raw|Many salts|Only one salt):\s+([\d.]+)([KM]?) c/s real",
                                     text).groups()
            return float(number) * {"": 1, "K": 1e3, "M": 1e6}[unit]
        text = subprocess.run(["hashcat", "-b", "-m", str(mode), "-D", "1", "--machine-readable",
                               "--force"], capture_output=True, text=True).stdout
        return float(re.search(rf"^\d+:{mode}:.*:(\d+)$", text, re.MULTILINE).group(1))
    return run


JOBS = {
    "CLBlast SGEMM 512": (sgemm(512), "GFLOP/s", "OpenBLAS"),
    "CLBlast SGEMM 1024": (sgemm(1024), "GFLOP/s", "OpenBLAS"),
    "CLBlast tuned, SGEMM 512": (sgemm(512, tuned=True), "GFLOP/s", "OpenBLAS"),
    "CLBlast tuned, SGEMM 1024": (sgemm(1024, tuned=True), "GFLOP/s", "OpenBLAS"),
    "VkFFT 256 x 4096": (fft(vkfft, (256, 4096), 1), "GFLOP/s", "FFTW"),
    "VkFFT 1024 x 1024, 2D": (fft(vkfft, (1024, 1024), 2), "GFLOP/s", "FFTW"),
    "clFFT 256 x 4096": (fft(clfft, (256, 4096), 1), "GFLOP/s", "FFTW"),
    "clFFT 1024 x 1024, 2D": (fft(clfft, (1024, 1024), 2), "GFLOP/s", "FFTW"),
    "OpenMM, water, PME": (water, "steps/s", "OpenMM's CPU"),
    "tinygrad matmul 1024": (tensors("matmul"), "1/s", "NumPy"),
    "tinygrad softmax 1024": (tensors("softmax"), "1/s", "NumPy"),
    "tinygrad tanh 1024": (tensors("elementwise"), "1/s", "NumPy"),
    "hashcat md5crypt": (hashes(500, "md5crypt"), "hashes/s", "john"),
    "hashcat bcrypt": (hashes(3200, "bcrypt"), "hashes/s", "john"),
    "hashcat descrypt": (hashes(1500, "descrypt"), "hashes/s", "john"),
}


def measure(job, vendors):
    """The figure of `job` in a process of its own, or why there is none."""
    environment = dict(os.environ, DEV="CL", PYOPENCL_NO_CACHE="1")
    if vendors != HOST:
        environment["OCL_ICD_VENDORS"] = vendors
    try:
        ended = subprocess.run([sys.executable, __file__, "--one", vendors, job], env=environment,
                               capture_output=True, text=True, timeout=600)
    except subprocess.TimeoutExpired:
        return None, "no end in ten minutes"
    figure = re.search(r"^figure ([\d.e+-]+)$", ended.stdout, re.MULTILINE)
    if figure:
        return float(figure.group(1)), ""
    return None, (ended.stderr.strip().splitlines() or [f"ended with {ended.returncode}"])[-1][:150]


def report(job, names, figures, reasons):
    _, unit, host_name = JOBS[job]
    medians = [statistics.median(f) if f else None for f in figures]

    def cell(median):
        if median is None:
            return "-"
        ratio = f" ({medians[0] / median:.2f}x)" if medians[0] and median != medians[0] else ""
        return f"{median:.4g}{ratio}"
    cells = [cell(median) for median in medians]
    print(f"| {job} | {unit} | " + " | ".join(cells[:-1]) + f" | {cells[-1]} {host_name} |", flush=True)
    for name, reason in zip(names, reasons):
        if reason:
            print(f"  {job} on {name}: {reason}", file=sys.stderr)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--platform", action="append", default=[], metavar="NAME=VENDORS")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--one", help=argparse.SUPPRESS)
    parser.add_argument("jobs", nargs="*", metavar="JOB", help="part of a job's name")
    options = parser.parse_args()
    if options.one:
        print(f"figure {JOBS[options.jobs[0]][0](options.one == HOST):.6g}")
        return
    platforms = [text.split("=", 1) for text in options.platform] + [[HOST, HOST]]
    names = [name for name, _ in platforms]
    print("| job | unit | " + " | ".join(names[:-1]) + " | code for processors |")
    print("|---" * (len(names) + 2) + "|")
    for job in JOBS:
        if options.jobs and not any(part in job for part in options.jobs):
            continue
        figures, reasons = [[] for _ in names], ["" for _ in names]
        for _ in range(options.rounds):
            for i, (_, vendors) in enumerate(platforms):
                if reasons[i]:
                    continue
                figure, reasons[i] = measure(job, vendors)
                if figure is not None:
                    figures[i].append(figure)
        report(job, names, figures, reasons)


if __name__ == "__main__":
    main()
