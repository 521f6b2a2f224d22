; SPDX-License-Identifier: Apache-2.0
; A product of constants that a float holds is added; one that it does not hold stays in one step with the sum.
; RUN: sl-opt -mcpu=x86-64-v4 -stage=simplify
; CHECK-LABEL: @k(
; CHECK: fadd float %{{.*}}, 7.500000e-01
; CHECK: call float @llvm.fma.f32(float 0x3FB99999A0000000, float 0x3FB99999A0000000
; CHECK: ret void
target triple = "spir64-unknown-unknown"
declare spir_func i64 @_Z13get_global_idj(i32)
declare float @llvm.fma.f32(float, float, float)
define spir_kernel void @k(ptr addrspace(1) %x) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr inbounds float, ptr addrspace(1) %x, i64 %id
  %v = load float, ptr addrspace(1) %p, align 4
  %a = call float @llvm.fma.f32(float 3.0, float 0.25, float %v)
  %b = call float @llvm.fma.f32(float 0x3FB99999A0000000, float 0x3FB99999A0000000, float %a)
  store float %b, ptr addrspace(1) %p, align 4
  ret void
}
