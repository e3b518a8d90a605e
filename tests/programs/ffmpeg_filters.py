# SPDX-FileCopyrightText: The Weft authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""ffmpeg's OpenCL filters beside its own filters of the same names, on the same pictures.

usage: ffmpeg_filters.py [FILTER...]

Each plane of a picture is an image to OpenCL: R for luma and chroma of yuv420p, RGBA for rgba.
"""

import subprocess
import sys

import numpy as np

SIZE, FRAMES = (322, 242), 3
PICTURES = f"testsrc2=size={SIZE[0]}x{SIZE[1]}:rate=25"
OTHERS = "mandelbrot=size=80x60:rate=25:maxiter=200"
DEVICE = ["-init_hw_device", "opencl=cl:0.0", "-filter_hw_device", "cl"]

SHARPEN = "0 -1 0 -1 5 -1 0 -1 0"
BLUR5 = " ".join(["1"] * 25)

# name: (format, filter of the CPU, filter of OpenCL, greatest difference of a pixel that is right,
#        share of pixels that may differ by more: borders, where the two have different rules)
FILTERS = {
    "avgblur": ("yuv420p", "avgblur=sizeX=3:sizeY=2", "avgblur_opencl=sizeX=3:sizeY=2", 1, 0.01),
    "boxblur": ("yuv420p", "boxblur=lr=3:lp=2:cr=2:cp=1", "boxblur_opencl=lr=3:lp=2:cr=2:cp=1",
                2, 0.01),
    "convolution": ("rgba", f"convolution={SHARPEN}:{SHARPEN}:{SHARPEN}:{SHARPEN}",
                    f"convolution_opencl={SHARPEN}:{SHARPEN}:{SHARPEN}:{SHARPEN}", 1, 0.001),
    "convolution5": ("yuv420p", f"convolution={BLUR5}:{BLUR5}:{BLUR5}:{BLUR5}:.04:.04:.04:.04",
                     f"convolution_opencl={BLUR5}:{BLUR5}:{BLUR5}:{BLUR5}:.04:.04:.04:.04",
                     1, 0.01),
    "sobel": ("yuv420p", "sobel=scale=0.5", "sobel_opencl=scale=0.5", 2, 0.005),
    "prewitt": ("rgba", "prewitt=planes=15", "prewitt_opencl=planes=15", 2, 0.001),
    "roberts": ("yuv420p", "roberts", "roberts_opencl", 2, 0.002),
    "erosion": ("yuv420p", "erosion", "erosion_opencl", 0, 0.0),
    "dilation": ("yuv420p", "dilation", "dilation_opencl", 0, 0.0),
    "unsharp": ("yuv420p", "unsharp=lx=5:ly=5:la=1.5:cx=3:cy=3:ca=0.5",
                "unsharp_opencl=lx=5:ly=5:la=1.5:cx=3:cy=3:ca=0.5", 3, 0.06),
    "nlmeans": ("yuv420p", "nlmeans=s=4:p=7:r=9", "nlmeans_opencl=s=4:p=7:r=9", 8, 0.02),
    "transpose": ("yuv420p", "transpose=1", "transpose_opencl=1", 0, 0.0),
    "transpose_flip": ("rgba", "transpose=3", "transpose_opencl=3", 0, 0.0),
    "pad": ("yuv420p", "pad=400:300:20:30:black", "pad_opencl=400:300:20:30:black", 1, 0.0),
}


def frames(graph: str, pixels: str, device: bool) -> np.ndarray:
    command = ["ffmpeg", "-hide_banner", "-loglevel", "error", "-nostdin"]
    command += DEVICE if device else []
    command += ["-filter_complex", graph, "-frames:v", str(FRAMES), "-f", "rawvideo",
                "-pix_fmt", pixels, "-"]
    output = subprocess.run(command, stdout=subprocess.PIPE, check=True, timeout=300).stdout
    return np.frombuffer(output, np.uint8).astype(int)


def compare(name: str, expected: np.ndarray, found: np.ndarray, bound: int, share: float) -> bool:
    if expected.size == 0 or expected.size != found.size:
        print(f"{name}: {found.size} bytes in place of {expected.size}")
        return False
    differences = np.abs(expected - found)
    beyond = float((differences > bound).mean())
    right = beyond <= share
    print(f"{name}: {'right' if right else 'WRONG'}, greatest difference {differences.max()}, "
          f"{beyond:.3%} of the bytes by more than {bound}")
    return right


def filter_is_right(name: str) -> bool:
    pixels, plain, opencl, bound, share = FILTERS[name]
    source = f"{PICTURES},format={pixels}"
    expected = frames(f"{source},{plain},format={pixels}", pixels, False)
    found = frames(f"{source},hwupload,{opencl},hwdownload,format={pixels}", pixels, True)
    return compare(name, expected, found, bound, share)


def overlay_is_right() -> bool:
    """Two inputs, the second of which has an alpha channel that says that it hides the first."""
    expected = frames(f"{PICTURES},format=rgba[a];{OTHERS},format=rgba[b];"
                      "[a][b]overlay=33:21:format=rgb,format=rgba", "rgba", False)
    found = frames(f"{PICTURES},format=rgba,hwupload[a];{OTHERS},format=rgba,hwupload[b];"
                   "[a][b]overlay_opencl=33:21,hwdownload,format=rgba", "rgba", True)
    return compare("overlay", expected, found, 1, 0.0)


def deshake_runs() -> bool:
    """Has no equal on the CPU: pictures that do not shake stay as they are, more or less."""
    source = f"{PICTURES},trim=end_frame=1,loop=loop=4:size=1,format=yuv420p"
    found = frames(f"{source},hwupload,deshake_opencl=adaptive_crop=0,hwdownload,format=yuv420p",
                   "yuv420p", True)
    return compare("deshake", frames(source, "yuv420p", False), found, 40, 0.02)


def main() -> int:
    names = sys.argv[1:] or [*FILTERS, "overlay", "deshake"]
    special = {"overlay": overlay_is_right, "deshake": deshake_runs}
    wrong = [name for name in names
             if not (special[name]() if name in special else filter_is_right(name))]
    if wrong:
        print("wrong:", *wrong)
        return 1
    print(f"all {len(names)} filters right")
    return 0


if __name__ == "__main__":
    sys.exit(main())
