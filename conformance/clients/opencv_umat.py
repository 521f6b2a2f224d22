# SPDX-License-Identifier: Apache-2.0
"""Runs OpenCV functions on UMat (OpenCL) and on plain arrays; prints "pass|fail NAME ...".

A function passes when OpenCL was used and no element differs by more than its tolerance (the CPU
code rounds differently in some) and, where a share is given, no more elements than that share differ.
"""
import time

import cv2
import numpy as np

random = np.random.RandomState(0)
COLOUR = random.randint(0, 256, (360, 640, 3), dtype=np.uint8)
SMOOTH = cv2.GaussianBlur(COLOUR, (0, 0), 3)
GREY = SMOOTH[:, :, 0].copy()
REAL = random.rand(256, 256).astype(np.float32)
POINTS = np.float32([[1, 0.1, 3], [0.05, 1, 2]])
TILT = np.float32([[1, 0.1, 3], [0.05, 1, 2], [1e-4, 2e-4, 1]])
GRID = np.indices((360, 640)).astype(np.float32)
BOX = np.ones((5, 5), np.uint8)

# name, function, argument, biggest difference, share of elements that may differ by more
CASES = [
    ("cvtColor", lambda x: cv2.cvtColor(x, cv2.COLOR_BGR2GRAY), COLOUR, 1, 0),
    ("cvtColor_hsv", lambda x: cv2.cvtColor(x, cv2.COLOR_BGR2HSV), COLOUR, 1, 0),
    ("cvtColor_lab", lambda x: cv2.cvtColor(x, cv2.COLOR_BGR2Lab), COLOUR, 2, 0),
    ("resize", lambda x: cv2.resize(x, (320, 200), interpolation=cv2.INTER_LINEAR), SMOOTH, 1, 0),
    ("resize_area", lambda x: cv2.resize(x, (320, 180), interpolation=cv2.INTER_AREA), SMOOTH, 1, 0),
    ("resize_cubic", lambda x: cv2.resize(x, (900, 500), interpolation=cv2.INTER_CUBIC), SMOOTH, 2, 0),
    ("GaussianBlur", lambda x: cv2.GaussianBlur(x, (7, 7), 1.5), COLOUR, 1, 0),
    ("blur", lambda x: cv2.blur(x, (5, 5)), COLOUR, 1, 0),
    ("medianBlur", lambda x: cv2.medianBlur(x, 5), GREY, 0, 0),
    ("bilateral", lambda x: cv2.bilateralFilter(x, 5, 50, 50), GREY, 1, 0),
    ("filter2D", lambda x: cv2.filter2D(x, cv2.CV_32F, BOX / 25.0), GREY, 1e-3, 0),
    ("Sobel", lambda x: cv2.Sobel(x, cv2.CV_16S, 1, 0), GREY, 0, 0),
    ("Laplacian", lambda x: cv2.Laplacian(x, cv2.CV_16S), GREY, 0, 0),
    # the edge linking of the two versions takes ties in another order
    ("Canny", lambda x: cv2.Canny(x, 20, 60), GREY, 0, 0.01),
    ("pyrDown", cv2.pyrDown, GREY, 1, 0),
    ("pyrUp", cv2.pyrUp, GREY, 1, 0),
    # both versions take the weights from tables of 1/32 pixel, at other places for ties
    ("warpAffine", lambda x: cv2.warpAffine(x, POINTS, (640, 360)), SMOOTH, 4, 0.002),
    ("warpPerspective", lambda x: cv2.warpPerspective(x, TILT, (640, 360)), SMOOTH, 4, 0.002),
    ("remap", lambda x: cv2.remap(x, GRID[1] + 0.5, GRID[0], cv2.INTER_LINEAR), GREY, 1, 0),
    ("dft", lambda x: cv2.dft(x, flags=cv2.DFT_COMPLEX_OUTPUT), REAL, 0.02, 0),
    ("gemm", lambda x: cv2.gemm(x, x, 1, None, 0), REAL, 1e-3, 0),
    ("multiply", lambda x: cv2.multiply(x, x), REAL, 1e-6, 0),
    ("exp", cv2.exp, REAL, 1e-5, 0),
    ("sqrt", cv2.sqrt, REAL, 1e-6, 0),
    ("transpose", cv2.transpose, REAL, 0, 0),
    ("flip", lambda x: cv2.flip(x, -1), COLOUR, 0, 0),
    ("integral", cv2.integral, GREY, 0, 0),
    ("equalizeHist", cv2.equalizeHist, GREY, 0, 0),
    ("calcHist", lambda x: cv2.calcHist([x], [0], None, [64], [0, 256]), GREY, 0, 0),
    ("erode", lambda x: cv2.erode(x, BOX), GREY, 0, 0),
    ("dilate", lambda x: cv2.dilate(x, BOX), GREY, 0, 0),
    ("morphology", lambda x: cv2.morphologyEx(x, cv2.MORPH_GRADIENT, BOX), GREY, 0, 0),
    ("norm", cv2.norm, REAL, 1e-3, 0),
    ("minMaxLoc", cv2.minMaxLoc, REAL, 0, 0),
    ("sum", cv2.sumElems, GREY, 0, 0),
    ("meanStdDev", cv2.meanStdDev, REAL, 1e-5, 0),
    ("threshold", lambda x: cv2.threshold(x, 100, 255, 0)[1], GREY, 0, 0),
    ("adaptive", lambda x: cv2.adaptiveThreshold(x, 255, 0, 0, 11, 2), GREY, 0, 0.002),
    ("LUT", lambda x: cv2.LUT(x, np.arange(255, -1, -1, dtype=np.uint8)), GREY, 0, 0),
    ("matchTemplate", lambda x: cv2.matchTemplate(x, cv2.UMat(GREY[50:90, 50:90])
                                                  if isinstance(x, cv2.UMat) else GREY[50:90, 50:90],
                                                  cv2.TM_CCORR_NORMED), GREY, 1e-3, 0),
    ("denoise", cv2.fastNlMeansDenoising, GREY[:96, :96].copy(), 1, 0),
]


def numbers(value):
    """Whatever a function returns as one array of double."""
    if isinstance(value, cv2.UMat):
        value = value.get()
    if isinstance(value, tuple):
        return np.concatenate([numbers(part).ravel() for part in value])
    return np.asarray(value, np.float64)


def compare(name, function, argument, tolerance, share):
    expected = numbers(function(argument.copy()))
    start = time.time()
    found = numbers(function(cv2.UMat(argument.copy())))
    seconds = time.time() - start
    if expected.size != found.size:
        return False, "size %s, not %s" % (found.size, expected.size)
    difference = np.abs(expected.ravel() - found.ravel())
    beyond = float(np.mean(~(difference <= tolerance)))
    return beyond <= share, "maximum difference %g, beyond %g: %.4f%%, %.3f s" % (
        difference.max(), tolerance, 100 * beyond, seconds)


def main():
    cv2.setRNGSeed(0)
    cv2.ocl.setUseOpenCL(True)
    print("pass" if cv2.ocl.useOpenCL() else "fail", "useOpenCL")
    device = cv2.ocl.Device_getDefault()
    print(cv2.__version__, device.name(), device.OpenCLVersion())
    for name, function, argument, tolerance, share in CASES:
        try:
            good, text = compare(name, function, argument, tolerance, share)
        except cv2.error as error:
            good, text = False, str(error).replace("\n", " ")
        print("pass" if good else "fail", name, text, flush=True)


main()
