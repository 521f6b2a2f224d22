#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# clFFT: each of its radices, there and back, complex and real, against a plain sum.
. "$(dirname "$0")/lib.sh"
need_package gcc libclfft-dev ocl-icd-opencl-dev
program clfft_transforms.c -lclFFT -lOpenCL -lm
judge
