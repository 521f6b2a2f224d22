#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Boost.Compute: its algorithms against the standard library's.
. "$(dirname "$0")/lib.sh"
need_package g++ libboost-dev ocl-icd-opencl-dev
program boost_compute.cpp -lOpenCL
judge
