# SPDX-License-Identifier: Apache-2.0
"""Trains a small convolution network for some steps on fixed data; prints the losses."""
import numpy as np
from tinygrad import Device, Tensor, nn
from tinygrad.helpers import Context
from tinygrad.nn.optim import SGD
from tinygrad.nn.state import get_parameters

STEPS = 4


class Network:
    def __init__(self):
        self.convolution = nn.Conv2d(1, 4, 3)
        self.linear = nn.Linear(4 * 13 * 13, 10)
        random = np.random.RandomState(1)
        for weights in get_parameters(self):
            values = random.rand(*weights.shape) * 0.1 - 0.05
            weights.assign(Tensor(values.astype(np.float32)))

    def __call__(self, x):
        return self.linear(self.convolution(x).relu().max_pool2d().flatten(1))


def main():
    random = np.random.RandomState(0)
    Tensor.manual_seed(0)
    network = Network()
    optimizer = SGD(get_parameters(network), lr=0.05)
    x = Tensor(random.rand(16, 1, 28, 28).astype(np.float32))
    y = Tensor(random.randint(0, 10, 16).astype(np.int32))
    with Context(TRAINING=1):
        for _ in range(STEPS):
            optimizer.zero_grad()
            loss = network(x).sparse_categorical_crossentropy(y).backward()
            optimizer.step()
            print(Device.DEFAULT, "%.6f" % float(loss.numpy()))


main()
