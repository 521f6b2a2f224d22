; SPDX-License-Identifier: Apache-2.0
; Eight items' vectors of four words are regrouped by shuffles of whole registers: halves of items j and
; j + 4 meet in one, then both halves are transposed; back the same way, where freezes keep LLVM from
; merging the two. Two words an item are one shuffle.
; RUN: sl-opt -mcpu=x86-64-v3
target triple = "spir64-unknown-unknown"
declare spir_func i64 @_Z13get_global_idj(i32)
; CHECK-LABEL: define internal void @pairs.groups(
; CHECK: shufflevector <16 x float> %{{.*}}, {{.*}} <8 x i32> <i32 0, i32 2, i32 4,
; CHECK-NOT: freeze
; CHECK: rest:
; CHECK-LABEL: define internal void @words.groups(
; CHECK: load <32 x float>
; CHECK-NOT: <8 x i32> <i32 0, i32 4, i32 8,
; CHECK: %[[R0:.*]] = shufflevector <8 x float> %{{.*}}, <8 x float> %{{.*}}, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
; CHECK: %[[R1:.*]] = shufflevector <8 x float> %{{.*}}, <8 x float> %{{.*}}, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
; CHECK: %[[LOW:.*]] = shufflevector <8 x float> %[[R0]], <8 x float> %[[R1]], <8 x i32> <i32 0, i32 8, i32 1, i32 9, i32 4, i32 12, i32 5, i32 13>
; CHECK: %[[A:.*]] = shufflevector <8 x float> %[[LOW]], <8 x float> %[[NEXT:.*]], <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
; CHECK: %[[B:.*]] = shufflevector <8 x float> %[[LOW]], <8 x float> %[[NEXT]], <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
; CHECK: fmul <8 x float> %[[A]], %[[B]]
; CHECK-COUNT-4: freeze <8 x float>
; CHECK-NEXT: shufflevector <8 x float>
; CHECK: store <32 x float>
define spir_kernel void @words(ptr addrspace(1) noalias %x, ptr addrspace(1) noalias %y) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr <4 x float>, ptr addrspace(1) %x, i64 %id
  %v = load <4 x float>, ptr addrspace(1) %p, align 16
  %a = extractelement <4 x float> %v, i32 0
  %b = extractelement <4 x float> %v, i32 1
  %m = fmul float %a, %b
  %e1 = call float @llvm.sqrt.f32(float %m)
  %e2 = call float @llvm.sqrt.f32(float %e1)
  %e3 = call float @llvm.sqrt.f32(float %e2)
  %w = insertelement <4 x float> %v, float %e3, i32 2
  %q = getelementptr <4 x float>, ptr addrspace(1) %y, i64 %id
  store <4 x float> %w, ptr addrspace(1) %q, align 16
  ret void
}
define spir_kernel void @pairs(ptr addrspace(1) noalias %x, ptr addrspace(1) noalias %y) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr <2 x float>, ptr addrspace(1) %x, i64 %id
  %v = load <2 x float>, ptr addrspace(1) %p, align 8
  %a = extractelement <2 x float> %v, i32 0
  %b = extractelement <2 x float> %v, i32 1
  %m = fmul float %a, %b
  %e1 = call float @llvm.sqrt.f32(float %m)
  %w = insertelement <2 x float> %v, float %e1, i32 1
  %q = getelementptr <2 x float>, ptr addrspace(1) %y, i64 %id
  store <2 x float> %w, ptr addrspace(1) %q, align 8
  ret void
}
declare float @llvm.sqrt.f32(float)
