; SPDX-License-Identifier: Apache-2.0
; Vectors of items that come from memory and meet others only element by element are stored in memory's
; order, in which they came: a number of all items is repeated, and another order of an item's elements is
; one shuffle. Where an element came from lanes they are put together.
; RUN: sl-opt -mcpu=x86-64-v3
target triple = "spir64-unknown-unknown"
declare spir_func i64 @_Z13get_global_idj(i32)
; CHECK-LABEL: define internal void @elementwise.groups(
; CHECK: %[[V:.*]] = load <32 x float>
; CHECK: %[[F:.*]] = shufflevector <32 x float> %{{.*}}, {{.*}} <32 x i32> zeroinitializer
; CHECK-NEXT: %[[W:.*]] = fmul <32 x float> %[[F]], %[[V]]
; CHECK-NEXT: %[[R:.*]] = shufflevector <32 x float> %[[W]], {{.*}} <32 x i32> <i32 3, i32 2, i32 1, i32 0, i32 7,
; CHECK-NEXT: store <32 x float> %[[R]],
; CHECK-LABEL: define internal void @lanes.groups(
; CHECK-NOT: fmul <32 x float>
; CHECK: %[[JOINED:.*]] = shufflevector <16 x float> %{{.*}}, <16 x float>
; CHECK-NEXT: store <32 x float> %[[JOINED]]
define spir_kernel void @elementwise(ptr addrspace(1) noalias %x, ptr addrspace(1) noalias %y, float %f) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr <4 x float>, ptr addrspace(1) %x, i64 %id
  %v = load <4 x float>, ptr addrspace(1) %p, align 16
  %b = insertelement <4 x float> poison, float %f, i32 0
  %all = shufflevector <4 x float> %b, <4 x float> poison, <4 x i32> zeroinitializer
  %w = fmul <4 x float> %v, %all
  %r = shufflevector <4 x float> %w, <4 x float> poison, <4 x i32> <i32 3, i32 2, i32 1, i32 0>
  %q = getelementptr <4 x float>, ptr addrspace(1) %y, i64 %id
  store <4 x float> %r, ptr addrspace(1) %q, align 16
  ret void
}
define spir_kernel void @lanes(ptr addrspace(1) noalias %x, ptr addrspace(1) noalias %y) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr <4 x float>, ptr addrspace(1) %x, i64 %id
  %v = load <4 x float>, ptr addrspace(1) %p, align 16
  %a = extractelement <4 x float> %v, i32 0
  %e1 = call float @llvm.sqrt.f32(float %a)
  %e2 = call float @llvm.sqrt.f32(float %e1)
  %w = insertelement <4 x float> %v, float %e2, i32 2
  %q = getelementptr <4 x float>, ptr addrspace(1) %y, i64 %id
  store <4 x float> %w, ptr addrspace(1) %q, align 16
  ret void
}
declare float @llvm.sqrt.f32(float)
