; SPDX-License-Identifier: Apache-2.0
; Where reciprocals are allowed, LLVM takes the machine's estimate. Before AVX-512 it is too inexact for
; quotients of vectors, which lose that flag and no other; 1 / x it is good for. Single numbers and
; doubles have no estimate.
; RUN: sl-opt -O0 -mcpu=x86-64-v3 -then=estimates
target triple = "spir64-unknown-unknown"
; CHECK-LABEL: define {{.*}}@k.groups(
; CHECK: fdiv nnan contract <16 x float>
; CHECK: fdiv arcp <16 x float> splat (float 1.000000e+00),
; CHECK: fdiv arcp float
; CHECK: fdiv arcp <4 x double>
; CHECK: ret void
define spir_kernel void @k(ptr addrspace(1) %p, <16 x float> %x, <16 x float> %y, float %f, <4 x double> %d) {
  %q = fdiv arcp nnan contract <16 x float> %x, %y
  store volatile <16 x float> %q, ptr addrspace(1) %p
  %r = fdiv arcp <16 x float> splat (float 1.0), %y
  store volatile <16 x float> %r, ptr addrspace(1) %p
  %s = fdiv arcp float 3.0, %f
  store volatile float %s, ptr addrspace(1) %p
  %t = fdiv arcp <4 x double> %d, %d
  store volatile <4 x double> %t, ptr addrspace(1) %p
  ret void
}
