; SPDX-License-Identifier: Apache-2.0
; Vectors of four numbers of which one is a constant, as an opaque pixel: put together in two steps, of which LLVM
; makes one shuffle each. Not what was only loaded: there a constant takes the place of what lies there.
; RUN: sl-opt -mcpu=x86-64-v4
; CHECK-LABEL: define internal void @computed.groups(
; CHECK-DAG: freeze <32 x float>
; CHECK: shufflevector <32 x float>
; CHECK: store <64 x float>
; CHECK: ret void
target triple = "spir64-unknown-unknown"
declare spir_func i64 @_Z13get_global_idj(i32)
define spir_kernel void @computed(ptr addrspace(1) %o, ptr addrspace(1) %a) {
  %i = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr float, ptr addrspace(1) %a, i64 %i
  %x = load float, ptr addrspace(1) %p
  %y = fmul float %x, %x
  %z = fadd float %y, 2.0
  %v0 = insertelement <4 x float> <float poison, float poison, float poison, float 1.0>, float %y, i64 0
  %v1 = insertelement <4 x float> %v0, float %z, i64 1
  %v2 = insertelement <4 x float> %v1, float %x, i64 2
  %q = getelementptr <4 x float>, ptr addrspace(1) %o, i64 %i
  store <4 x float> %v2, ptr addrspace(1) %q
  ret void
}
