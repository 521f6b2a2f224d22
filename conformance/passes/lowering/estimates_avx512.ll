; SPDX-License-Identifier: Apache-2.0
; AVX-512 has an estimate that is good enough for quotients, but LLVM takes it for vectors of 16 only.
; RUN: sl-opt -O0 -mcpu=x86-64-v4 -then=estimates
target triple = "spir64-unknown-unknown"
; CHECK-LABEL: define {{.*}}@k.groups(
; CHECK: fdiv arcp <16 x float>
; CHECK: fdiv <8 x float>
; CHECK: ret void
define spir_kernel void @k(ptr addrspace(1) %p, <16 x float> %x, <8 x float> %y) {
  %q = fdiv arcp <16 x float> %x, %x
  store volatile <16 x float> %q, ptr addrspace(1) %p
  %r = fdiv arcp <8 x float> %y, %y
  store volatile <8 x float> %r, ptr addrspace(1) %p
  ret void
}
