# SPDX-License-Identifier: Apache-2.0
"""llama.cpp's SYCL back end on small models with random weights that are made here.

llama_logits.py FOLDER: prints "pass|fail CASE difference", a case for each type of weights and number of words that go in
at once. The reference is a few lines of numpy in double precision on the same weights; llama.cpp's own CPU code stands
beside it. What differs is rounding: with several words at once both quantize activations, in other ways.
"""
import os
import sys

import gguf
import numpy as np
from cyllama.llama import llama_cpp

EMBEDDING, HEADS, KEY_HEADS, LAYERS, INNER, WORDS = 256, 4, 2, 3, 512, 320
HEAD, TINY = EMBEDDING // HEADS, 1e-5
KINDS = {"f16": 1, "q8_0": 7, "q4_0": 2, "q5_1": 9, "q4_k": 14, "q6_k": 18}  # llama.cpp's numbers
PROMPT = [int(word) for word in np.random.RandomState(5).randint(0, WORDS, 15)]
MORE = 6


def weights(random, *shape):
    return (random.standard_normal(shape) / np.sqrt(shape[-1])).astype(np.float32)


def tensors():
    random = np.random.RandomState(7)
    yield "token_embd.weight", weights(random, WORDS, EMBEDDING) * 8
    yield "output_norm.weight", 1 + weights(random, EMBEDDING)
    yield "output.weight", weights(random, WORDS, EMBEDDING)
    for layer in range(LAYERS):
        shapes = {"attn_q": (EMBEDDING, EMBEDDING), "attn_k": (KEY_HEADS * HEAD, EMBEDDING),
                  "attn_v": (KEY_HEADS * HEAD, EMBEDDING), "attn_output": (EMBEDDING, EMBEDDING),
                  "ffn_gate": (INNER, EMBEDDING), "ffn_up": (INNER, EMBEDDING), "ffn_down": (EMBEDDING, INNER)}
        for name, shape in shapes.items():
            yield f"blk.{layer}.{name}.weight", weights(random, *shape) * 2
        for name in ("attn_norm", "ffn_norm"):
            yield f"blk.{layer}.{name}.weight", 1 + weights(random, EMBEDDING)


def write_model(path):
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_context_length(256)
    writer.add_embedding_length(EMBEDDING)
    writer.add_block_count(LAYERS)
    writer.add_feed_forward_length(INNER)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(KEY_HEADS)
    writer.add_layer_norm_rms_eps(TINY)
    writer.add_rope_dimension_count(HEAD)
    writer.add_vocab_size(WORDS)
    writer.add_tokenizer_model("none")
    for name, values in tensors():
        writer.add_tensor(name, values)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def quantized(plain, kind):
    path = os.path.join(os.path.dirname(plain), kind + ".gguf")
    options = llama_cpp.LlamaModelQuantizeParams()
    options.ftype = KINDS[kind]
    options.nthread = 1
    llama_cpp.model_quantize(plain, path, options)
    return path


class Reference:
    def __init__(self, path):
        self.weights = {}
        for tensor in gguf.GGUFReader(path).tensors:
            shape = [int(size) for size in tensor.shape][::-1]
            values = gguf.dequantize(tensor.data, tensor.tensor_type)
            self.weights[tensor.name] = values.astype(np.float64).reshape(shape)
        self.keys, self.values, self.at = [[[] for _ in range(LAYERS)] for _ in "kv"] + [0]

    def norm(self, x, name):
        return x / np.sqrt((x * x).mean() + TINY) * self.weights[name + ".weight"]

    def turned(self, x):
        """Rotary positions, of neighbours."""
        angle = self.at * 10000.0 ** (-np.arange(0, HEAD, 2) / HEAD)
        pairs = (x[:, 0::2] + 1j * x[:, 1::2]) * np.exp(1j * angle)
        return np.stack([pairs.real, pairs.imag], axis=-1).reshape(x.shape)

    def attention(self, layer, x, of):
        query = self.turned(of("attn_q", x).reshape(HEADS, HEAD))
        self.keys[layer].append(self.turned(of("attn_k", x).reshape(KEY_HEADS, HEAD)))
        self.values[layer].append(of("attn_v", x).reshape(KEY_HEADS, HEAD))
        keys, values = np.array(self.keys[layer]), np.array(self.values[layer])
        out = []
        for head in range(HEADS):
            other = head * KEY_HEADS // HEADS
            score = keys[:, other] @ query[head] / np.sqrt(HEAD)
            share = np.exp(score - score.max())
            out.append(share @ values[:, other] / share.sum())
        return of("attn_output", np.concatenate(out))

    def word(self, word):
        x = self.weights["token_embd.weight"][word]
        for layer in range(LAYERS):
            def of(name, v, at=f"blk.{layer}."):
                return self.weights[at + name + ".weight"] @ v
            x = x + self.attention(layer, self.norm(x, f"blk.{layer}.attn_norm"), of)
            y = self.norm(x, f"blk.{layer}.ffn_norm")
            gate = of("ffn_gate", y)
            x = x + of("ffn_down", gate / (1 + np.exp(-gate)) * of("ffn_up", y))
        self.at += 1
        return self.weights["output.weight"] @ self.norm(x, "output_norm")

    def logits(self, words):
        return [self.word(word) for word in words][-1]


class Model(llama_cpp.LlamaModel):
    n_vocab = WORDS  # logits are asked for by this name, which the class has not


class Run:
    """Attention is the CPU code's: the device's needs 16 units, or functions of oneMKL for Intel's GPUs."""

    def __init__(self, path, on_device):
        options = llama_cpp.LlamaModelParams()
        options.n_gpu_layers = 99 if on_device else 0
        self.model = Model(path, options)
        options = llama_cpp.LlamaContextParams()
        options.n_ctx = 128
        options.flash_attn_type = 0
        options.offload_kqv = False
        options.op_offload = on_device
        options.n_threads = options.n_threads_batch = 2
        self.context = llama_cpp.LlamaContext(self.model, options)
        self.at = 0

    def logits(self, words):
        batch = llama_cpp.LlamaBatch(n_tokens=len(words), embd=0, n_seq_max=1)
        for word in words:
            batch.add(word, self.at, [0], True)
            self.at += 1
        self.context.decode(batch)
        return np.array(self.context.get_logits_ith(len(words) - 1), np.float64)


def compare(path, at_once):
    """The largest differences of the device and of the CPU code, and whether the device takes the same words but for ties."""
    right, plain, device = Reference(path), Run(path, False), Run(path, True)
    away, beside, same = 0.0, 0.0, True
    inputs = [PROMPT[i:i + at_once] for i in range(0, len(PROMPT), at_once)]
    for step in range(len(inputs) + MORE):
        words = inputs[step] if step < len(inputs) else [int(expected.argmax())]
        expected, found, other = right.logits(words), device.logits(words), plain.logits(words)
        size, wrong = np.abs(expected).max(), np.abs(expected - found).max()
        away, beside = max(away, wrong / size), max(beside, np.abs(expected - other).max() / size)
        first, second = np.sort(expected)[:-3:-1]
        same &= expected.argmax() == found.argmax() or first - second < 2 * wrong
    return away, beside, same


def main():
    llama_cpp.disable_logging()
    llama_cpp.ggml_backend_load_all()
    devices = llama_cpp.ggml_backend_dev_info()
    print(devices)
    print("pass" if any(one["name"].startswith("SYCL") for one in devices) else "fail", "device")
    plain = os.path.join(sys.argv[1], "plain.gguf")
    write_model(plain)
    for kind in KINDS:
        path = quantized(plain, kind)
        for at_once in (1, 5) if kind != "f16" else (1,):
            away, beside, same = compare(path, at_once)
            good = same and away <= (0.01 if at_once == 1 else 4 * beside)
            print("pass" if good else "fail", f"{kind}-by-{at_once} {away:.1e}, CPU code {beside:.1e}", flush=True)


main()
