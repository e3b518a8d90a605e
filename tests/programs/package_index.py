# SPDX-FileCopyrightText: The Weft authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs from the Python package index, beside NumPy and SciPy: those that use images, and SYCL.

usage: package_index.py [PROGRAM...]

Runs in the Python that has the packages installed; a program whose packages are missing is skipped.
Each check is a process of its own: these packages choose their device when they are imported.
"""

import os
import subprocess
import sys

import numpy as np


def close(name, found, expected, bound):
    """Prints and returns whether no value is further off than `bound` times the greatest one."""
    found, expected = np.asarray(found, np.float64), np.asarray(expected, np.float64)
    assert found.shape == expected.shape, f"{name}: {found.shape} in place of {expected.shape}"
    error = float(np.abs(found - expected).max() / max(np.abs(expected).max(), 1e-30))
    right = error <= bound
    print(f"  {name}: {'right' if right else 'WRONG'}, error {error:.2g}")
    return right


def volume(*shape):
    return np.random.default_rng(7).random(shape, dtype=np.float32)


def clesperanto():
    """Volumes as 3-D images with samplers at file scope."""
    import pyclesperanto_prototype as cle
    from scipy import ndimage
    cle.select_device("")
    print("  on", cle.get_device().name)
    data = volume(17, 40, 52)
    rights = [
        close("gaussian_blur", cle.gaussian_blur(data, sigma_x=2, sigma_y=1.5, sigma_z=1),
              ndimage.gaussian_filter(data, (1, 1.5, 2), mode="nearest", truncate=4), 1e-5),
        close("maximum_box", cle.maximum_box(data, radius_x=2, radius_y=1, radius_z=1),
              ndimage.maximum_filter(data, (3, 3, 5), mode="nearest"), 0),
        close("mean_box", cle.mean_box(data, radius_x=1, radius_y=2, radius_z=0),
              ndimage.uniform_filter(data, (1, 5, 3), mode="nearest"), 1e-5),
        close("add_images", cle.add_images_weighted(data, data[::-1].copy(), factor1=2, factor2=-1),
              2 * data - data[::-1], 1e-6),
        close("transpose", cle.transpose_xy(data), data.transpose(0, 2, 1), 0),
        close("scale", cle.scale(data, factor_x=2, factor_y=2, factor_z=1, auto_size=True,
                                 linear_interpolation=True).shape, (17, 80, 104), 0),
    ]
    blobs = (ndimage.gaussian_filter(volume(64, 64), 3) > 0.5).astype(np.float32)
    count = ndimage.label(blobs, np.ones((3, 3)))[1]
    labels = np.asarray(cle.connected_components_labeling_box(blobs))
    rights.append(close("labels", labels.max(), count, 0))
    return all(rights)


def gputools():
    import gputools as gt
    from scipy import ndimage
    print("  on", gt.get_device().device.name)
    data = volume(24, 33, 41)
    kernel = volume(3, 5, 5)
    turn = np.array([[1, 0, 0], [0, 0.866025, -0.5], [0, 0.5, 0.866025]])
    around = np.array(data.shape) / 2
    matrix = np.eye(4)
    matrix[:3, :3], matrix[:3, 3] = turn, around - turn @ around
    smooth = ndimage.gaussian_filter(data, 2)
    rights = [
        close("convolve", gt.convolve(data, kernel), ndimage.convolve(data, kernel, mode="constant"),
              1e-5),
        close("affine nearest", gt.affine(data, matrix, interpolation="nearest").mean(),
              ndimage.affine_transform(data, matrix, order=0).mean(), 5e-2),
        close("affine linear", gt.affine(smooth, matrix, interpolation="linear")[4:-4, 8:-8, 8:-8],
              ndimage.affine_transform(smooth, matrix, order=1)[4:-4, 8:-8, 8:-8], 1e-5),
        close("max_filter", gt.max_filter(data, 3)[1:-1, 1:-1, 1:-1],
              ndimage.maximum_filter(data, 3)[1:-1, 1:-1, 1:-1], 0),
    ]
    denoised = gt.denoise.nlm2(data[0], 0.1, 2, 3)
    rights.append(close("nlm2 keeps the mean", denoised.mean(), data[0].mean(), 1e-3))
    return all(rights)


def silx():
    """Projections with textures, as tomography uses them."""
    from silx.opencl.backprojection import Backprojection
    from silx.opencl.projection import Projection
    from silx.opencl.medfilt import MedianFilter2D
    from scipy import ndimage
    size, angles = 64, 90
    y, x = np.mgrid[:size, :size] - size / 2 + 0.5
    disc = ((x + 5) ** 2 + (y - 7) ** 2 < 15 ** 2).astype(np.float32)
    projection = Projection((size, size), angles=angles)
    print("  on", projection.device.name)
    sinogram = projection(disc)
    rights = [close("projection", sinogram.sum(axis=1), np.full(angles, disc.sum()), 1e-2)]
    slices = Backprojection((angles, size)).filtered_backprojection(sinogram)
    inside, outside = slices[disc > 0].mean(), slices[disc == 0].mean()
    rights.append(close("backprojection", inside - outside, 1.0, 0.1))
    picture = volume(50, 60)
    filtered = MedianFilter2D((50, 60), kernel_size=(3, 3)).medfilt2d(picture)
    rights.append(close("medfilt", filtered, ndimage.median_filter(picture, 3, mode="nearest"), 0))
    return all(rights)


def pyfai():
    from pyFAI.detectors import Detector
    from pyFAI.integrator.azimuthal import AzimuthalIntegrator
    detector = Detector(1e-4, 1e-4, max_shape=(200, 220))
    integrator = AzimuthalIntegrator(dist=0.1, poni1=0.01, poni2=0.011, detector=detector,
                                     wavelength=1e-10)
    picture = volume(200, 220) * 100
    plain = integrator.integrate1d(picture, 100, method=("full", "csr", "cython"))
    device = integrator.integrate1d(picture, 100, method=("full", "csr", "opencl"))
    return close("integrate1d", device.intensity, plain.intensity, 1e-4)


def tinygrad():
    """Its kernels read and write images with IMAGE=1."""
    from tinygrad import Tensor, Device
    print("  on", Device.DEFAULT)
    generator = np.random.default_rng(3)
    a = generator.standard_normal((64, 96), dtype=np.float32)
    b = generator.standard_normal((96, 128), dtype=np.float32)
    picture = generator.standard_normal((1, 8, 20, 24), dtype=np.float32)
    weights = generator.standard_normal((16, 8, 3, 3), dtype=np.float32)
    expected = np.zeros((1, 16, 18, 22))
    for dy in range(3):
        for dx in range(3):
            expected += np.einsum("ncyx,oc->noyx", picture[:, :, dy:dy + 18, dx:dx + 22],
                                  weights[:, :, dy, dx])
    return all([
        close("matmul", (Tensor(a) @ Tensor(b)).numpy(), a @ b, 1e-5),
        close("conv2d", Tensor(picture).conv2d(Tensor(weights)).numpy(), expected, 1e-5),
        close("softmax", Tensor(a).softmax().numpy(),
              np.exp(a) / np.exp(a).sum(axis=1, keepdims=True), 1e-5),
    ])


def sycl():
    """Kernels of DPC++ in SPIR-V, launched by its runtime: sub-groups, USM, scans, sorts."""
    import warnings
    warnings.simplefilter("ignore", DeprecationWarning)
    import dpctl
    import dpctl.tensor as dpt
    print("  on", dpctl.select_default_device().name)
    rights = []

    def compare(name, found, expected, bound):
        rights.append(close(name, dpt.asnumpy(found), expected, bound))

    generator = np.random.default_rng(11)
    for kind in (np.int8, np.uint16, np.int32, np.uint64, np.float16, np.float32, np.float64):
        numbers = (generator.random(10007) * 120).astype(kind)
        there = dpt.asarray(numbers)
        name, bound = np.dtype(kind).name, 1e-2 if kind == np.float16 else 1e-6
        compare(f"copy {name}", dpt.positive(there), numbers, 0)
        compare(f"reverse {name}", dpt.positive(there[::-1]), numbers[::-1], 0)
        compare(f"sort {name}", dpt.sort(there), np.sort(numbers), 0)
        compare(f"maximum {name}", dpt.maximum(there, there[::-1]),
                np.maximum(numbers, numbers[::-1]), 0)
        compare(f"sum {name}", dpt.sum(there, dtype=dpt.float64), numbers.sum(dtype=np.float64), 1e-9)
        compare(f"cumulative sum {name}", dpt.cumulative_sum(there, dtype=dpt.float64),
                np.cumsum(numbers, dtype=np.float64), 1e-9)
        compare(f"square root {name}", dpt.sqrt(there), np.sqrt(numbers), bound)
    a, b = (generator.random((2, 123, 123)) - 0.5).astype(np.float32)
    compare("product of matrices", dpt.matmul(dpt.asarray(a), dpt.asarray(b)), a @ b, 1e-5)
    points = dpt.asarray((a + 1j * b).astype(np.complex64))
    compare("exponential", dpt.abs(dpt.exp(points)), np.abs(np.exp(a + 1j * b)), 1e-6)
    compare("logarithm of sums of exponentials", dpt.cumulative_logsumexp(dpt.asarray(a[0])),
            np.logaddexp.accumulate(a[0]), 1e-6)
    return all(rights)


# name: (check, what it is imported as, environment)
PROGRAMS = {
    "clesperanto": (clesperanto, "pyclesperanto_prototype", {}),
    "gputools": (gputools, "gputools", {}),
    "silx": (silx, "silx", {}),
    "pyfai": (pyfai, "pyFAI", {}),
    "sycl": (sycl, "dpctl", {"ONEAPI_DEVICE_SELECTOR": "opencl:cpu"}),
    "tinygrad": (tinygrad, "tinygrad", {"DEV": "CL", "CL": "1", "IMAGE": "1"}),
}


def is_right(name: str) -> bool:
    _, module, settings = PROGRAMS[name]
    if subprocess.run([sys.executable, "-c", f"import importlib.util, sys;"
                       f"sys.exit(importlib.util.find_spec('{module}') is None)"]).returncode != 0:
        print(f"{name}: skipped, not installed")
        return True
    print(f"{name}:", flush=True)
    environment = dict(os.environ, PYOPENCL_CTX="0", PYOPENCL_NO_CACHE="1", **settings)
    command = [sys.executable, __file__, "--here", name]
    return subprocess.run(command, env=environment, timeout=600).returncode == 0


def main() -> int:
    if sys.argv[1:2] == ["--here"]:
        return 0 if PROGRAMS[sys.argv[2]][0]() else 1
    wrong = [name for name in sys.argv[1:] or PROGRAMS if not is_right(name)]
    print("wrong: " + " ".join(wrong) if wrong else "all right")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
