; SPDX-License-Identifier: Apache-2.0
; Fields of neighbouring records are one run of memory: one masked load or store of only those elements
; that items ask for; what lies between them, and behind the last one, is not touched.
; RUN: sl-opt -mcpu=x86-64-v4
target triple = "spir64-unknown-unknown"
declare spir_func i64 @_Z13get_global_idj(i32)
; CHECK-LABEL: define internal void @far.groups(
; CHECK: call <16 x float> @llvm.masked.gather
; CHECK-NOT: x i1> <i1 true, i1 false

; In front of the full vectors' load stands the first field, in front of their store the second one.
; CHECK-LABEL: define internal void @fields.groups(
; CHECK: %[[R:.*]] = getelementptr [3 x float], ptr %0, i64 %gid.x
; CHECK-NEXT: %[[ALL:.*]] = call <48 x float> @llvm.masked.load{{.*}}(ptr align 4 %[[R]], <48 x i1> <i1 true, i1 false, i1 true, i1 true, i1 false, i1 true,
; CHECK-NEXT: shufflevector <48 x float> %[[ALL]], {{.*}} <16 x i32> <i32 0, i32 3, i32 6,
; CHECK-NEXT: shufflevector <48 x float> %[[ALL]], {{.*}} <16 x i32> <i32 2, i32 5, i32 8,
; CHECK-NOT: masked.load
; CHECK: %[[W:.*]] = getelementptr i8, ptr %{{.*}}, i64 4
; CHECK: call void @llvm.masked.store{{.*}}ptr align 4 %[[W]], <48 x i1> <i1 true, i1 false, i1 false, i1 true,

; At the end of a row those of the items that there are.
; CHECK: %[[HERE:.*]] = shufflevector <16 x i1> %mask, {{.*}} <48 x i32> <i32 0, i32 0, i32 0, i32 1,
; CHECK: %[[SOME:.*]] = and <48 x i1> %[[HERE]], <i1 true, i1 false, i1 true,
; CHECK: call <48 x float> @llvm.masked.load{{.*}}, <48 x i1> %[[SOME]],
define spir_kernel void @fields(ptr addrspace(1) noalias %x, ptr addrspace(1) noalias %y) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %r = getelementptr [3 x float], ptr addrspace(1) %x, i64 %id
  %a = load float, ptr addrspace(1) %r
  %p2 = getelementptr float, ptr addrspace(1) %r, i64 2
  %c = load float, ptr addrspace(1) %p2
  %e1 = call float @llvm.sqrt.f32(float %a)
  %e2 = call float @llvm.sqrt.f32(float %e1)
  %e3 = call float @llvm.sqrt.f32(float %e2)
  %s = fmul float %e3, %c
  %w = getelementptr [3 x float], ptr addrspace(1) %y, i64 %id
  %q1 = getelementptr float, ptr addrspace(1) %w, i64 1
  store float %s, ptr addrspace(1) %q1
  ret void
}
; Records of more than eight elements are too far apart.
define spir_kernel void @far(ptr addrspace(1) noalias %x, ptr addrspace(1) noalias %y) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %r = getelementptr [9 x float], ptr addrspace(1) %x, i64 %id
  %a = load float, ptr addrspace(1) %r
  %e = call float @llvm.sqrt.f32(float %a)
  %e1 = call float @llvm.sqrt.f32(float %e)
  %e2 = call float @llvm.sqrt.f32(float %e1)
  %e3 = call float @llvm.sqrt.f32(float %e2)
  %w = getelementptr float, ptr addrspace(1) %y, i64 %id
  store float %e3, ptr addrspace(1) %w
  ret void
}
declare float @llvm.sqrt.f32(float)
