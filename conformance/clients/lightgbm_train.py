# SPDX-License-Identifier: Apache-2.0
"""Trains LightGBM's trees on OpenCL and on its CPU code; prints "pass|fail CASE difference".

Each of its three histogram kernels (16, 64 and 256 bins), sums in float and in double.
"""
import lightgbm
import numpy as np

RANDOM = np.random.RandomState(0)
ROWS, COLUMNS = 3001, 19

# name, objective, bins, sums in double, difference allowed
CASES = [
    ("regression-63-double", "regression", 63, True, 1e-6),
    ("regression-255-double", "regression", 255, True, 1e-6),
    ("binary-15-double", "binary", 15, True, 1e-6),
    ("classes-63-double", "multiclass", 63, True, 1e-6),
    ("regression-255-float", "regression", 255, False, 0.05),
]


def targets(objective, x):
    value = x @ np.linspace(-1, 1, COLUMNS) + np.sin(7 * x[:, 0]) * x[:, 1] + 0.1 * RANDOM.randn(ROWS)
    if objective == "regression":
        return value
    return np.digitize(value, np.quantile(value, [0.5] if objective == "binary" else [0.3, 0.6]))


def train(device, objective, bins, double, x, y):
    settings = {
        "objective": objective, "max_bin": bins, "device_type": device, "gpu_use_dp": double,
        "num_leaves": 31, "num_threads": 1, "seed": 1, "verbose": -1,
    }
    if objective == "multiclass":
        settings["num_class"] = 3
    return lightgbm.train(settings, lightgbm.Dataset(x, y, params=settings), 20).predict(x)


def main():
    for name, objective, bins, double, limit in CASES:
        x = RANDOM.rand(ROWS, COLUMNS)
        y = targets(objective, x)
        expected = train("cpu", objective, bins, double, x, y)
        found = train("gpu", objective, bins, double, x, y)
        # a float's rounding turns few splits around: the mean counts there
        difference = np.abs(expected - found)
        away = difference.max() if double else difference.mean()
        learnt = expected.std() > 0.1
        print("pass" if learnt and away <= limit else "fail", name, "%.2e" % away, flush=True)


main()
