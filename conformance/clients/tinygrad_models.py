# SPDX-License-Identifier: Apache-2.0
"""Larger networks of tinygrad with fixed weights: one line "NAME VALUE..." of outputs for each.

Attention, convolutions with strides and groups, recurrence, sorting and gathering in int and half:
what a small training loop does not reach.
"""
import numpy as np
from tinygrad import Tensor, dtypes

RANDOM = np.random.RandomState(3)


def given(*shape, scale=1.0):
    return Tensor((RANDOM.rand(*shape) * 2 - 1).astype(np.float32) * np.float32(scale))


def norm(x):
    return x.layernorm()


def attention(x, heads=4):
    batch, length, width = x.shape
    q, k, v = (x.linear(given(width, width, scale=width ** -0.5)).reshape(batch, length, heads, -1)
               .transpose(1, 2) for _ in range(3))
    mixed = q.scaled_dot_product_attention(k, v, is_causal=True).transpose(1, 2)
    return mixed.reshape(batch, length, width)


def transformer():
    x = given(2, 23, 64)
    for _ in range(2):
        x = x + attention(norm(x))
        hidden = norm(x).linear(given(64, 256, scale=0.1)).gelu()
        x = x + hidden.linear(given(256, 64, scale=0.1))
    return norm(x).linear(given(64, 50)).log_softmax()


def residual_network():
    x = given(2, 3, 35, 35)
    x = x.conv2d(given(16, 3, 7, 7, scale=0.1), stride=2, padding=3).relu().max_pool2d(3, stride=2)
    for channels, stride in ((16, 1), (32, 2), (64, 2)):
        before = x.shape[1]
        y = x.conv2d(given(channels, before, 3, 3, scale=0.1), stride=stride, padding=1).relu()
        y = y.conv2d(given(channels, channels // 4, 3, 3, scale=0.1), padding=1, groups=4)
        x = (y + x.conv2d(given(channels, before, 1, 1, scale=0.2), stride=stride)).relu()
    return x.mean((2, 3)).linear(given(64, 10))


def recurrent():
    state, cell = Tensor.zeros(3, 32), Tensor.zeros(3, 32)
    weights, inputs = given(64, 128, scale=0.2), given(7, 3, 32)
    for step in range(7):
        i, f, g, o = inputs[step].cat(state, dim=1).linear(weights).chunk(4, dim=1)
        cell = f.sigmoid() * cell + i.sigmoid() * g.tanh()
        state = o.sigmoid() * cell.tanh()
    return state


def orders():
    x = given(3, 13)
    values, places = x.sort(dim=1)
    picked = x.gather(1, (places * 7 + 3) % 13)
    return values.cumsum(1).cat(picked, (x > 0).where(x, x.exp()), dim=1)


def numbers():
    x = Tensor(RANDOM.randint(-1000, 1000, (64, 33)).astype(np.int32))
    y = (x * x // 7 - (x ^ 21) + (x % 13)).cast(dtypes.long).sum(0)
    z = (x.cast(dtypes.uchar) + 200).cast(dtypes.int).sum(0)
    return (y + z).cast(dtypes.float32)


def main():
    for network in (transformer, residual_network, recurrent, orders, numbers):
        values = network().numpy().astype(np.float64).reshape(-1)
        assert np.isfinite(values).all()
        print(network.__name__, *("%.7g" % value for value in values), flush=True)


main()
