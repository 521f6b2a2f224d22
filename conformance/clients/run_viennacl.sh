#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# ViennaCL: vectors, dense and sparse matrices, iterative solvers, against its own host backend.
. "$(dirname "$0")/lib.sh"
need_package g++ libviennacl-dev ocl-icd-opencl-dev
program viennacl_solve.cpp -lOpenCL
judge
