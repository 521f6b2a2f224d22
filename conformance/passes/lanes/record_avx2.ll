; SPDX-License-Identifier: Apache-2.0
; Without mask registers a record is loaded whole, if its last field is asked for: what lies behind the
; last item's may not be there. It is stored only where all of its fields are, in one go.
; RUN: sl-opt -mcpu=x86-64-v3
target triple = "spir64-unknown-unknown"
declare spir_func i64 @_Z13get_global_idj(i32)
; CHECK-LABEL: define internal void @part.groups(
; CHECK: call <8 x float> @llvm.sqrt
; CHECK-NOT: <24 x float>
; CHECK: ret void
; CHECK-LABEL: define internal void @short.groups(
; CHECK-NOT: <24 x float>
; CHECK: ret void
; CHECK-LABEL: define internal void @whole.groups(
; CHECK: %[[ALL:.*]] = load <24 x float>, ptr %{{.*}}, align 4
; CHECK-NEXT: shufflevector <24 x float> %[[ALL]], {{.*}} <8 x i32> <i32 0, i32 3, i32 6, i32 9,
; CHECK-NEXT: shufflevector <24 x float> %[[ALL]], {{.*}} <8 x i32> <i32 1, i32 4,
; CHECK-NEXT: shufflevector <24 x float> %[[ALL]], {{.*}} <8 x i32> <i32 2, i32 5,
; CHECK-NOT: load
; CHECK-COUNT-1: store <24 x float>
; CHECK: rest:
; CHECK-NOT: <24 x float>
; CHECK: ret void
define spir_kernel void @whole(ptr addrspace(1) noalias %x, ptr addrspace(1) noalias %y) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %r = getelementptr [3 x float], ptr addrspace(1) %x, i64 %id
  %p1 = getelementptr float, ptr addrspace(1) %r, i64 1
  %p2 = getelementptr float, ptr addrspace(1) %r, i64 2
  %a = load float, ptr addrspace(1) %r
  %b = load float, ptr addrspace(1) %p1
  %c = load float, ptr addrspace(1) %p2
  %s = fmul float %a, %c
  %t = fmul float %s, %b
  %w = getelementptr [3 x float], ptr addrspace(1) %y, i64 %id
  %q1 = getelementptr float, ptr addrspace(1) %w, i64 1
  %q2 = getelementptr float, ptr addrspace(1) %w, i64 2
  store float %s, ptr addrspace(1) %w
  store float %t, ptr addrspace(1) %q1
  store float %b, ptr addrspace(1) %q2
  ret void
}
define spir_kernel void @short(ptr addrspace(1) noalias %x, ptr addrspace(1) noalias %y) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %r = getelementptr [3 x float], ptr addrspace(1) %x, i64 %id
  %p1 = getelementptr float, ptr addrspace(1) %r, i64 1
  %a = load float, ptr addrspace(1) %r
  %b = load float, ptr addrspace(1) %p1
  %s = fmul float %a, %b
  %w = getelementptr float, ptr addrspace(1) %y, i64 %id
  store float %s, ptr addrspace(1) %w
  ret void
}
; Worth a vector form for what it computes.
define spir_kernel void @part(ptr addrspace(1) noalias %x, ptr addrspace(1) noalias %y, i32 %n) {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %r = getelementptr float, ptr addrspace(1) %x, i64 %id
  %a = load float, ptr addrspace(1) %r
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %k1, %loop ]
  %f = phi float [ %a, %entry ], [ %e4, %loop ]
  %e1 = call float @llvm.sqrt.f32(float %f)
  %e2 = call float @llvm.sqrt.f32(float %e1)
  %e3 = call float @llvm.sqrt.f32(float %e2)
  %e4 = call float @llvm.sqrt.f32(float %e3)
  %k1 = add i32 %k, 1
  %more = icmp slt i32 %k1, %n
  br i1 %more, label %loop, label %end
end:
  %w = getelementptr [3 x float], ptr addrspace(1) %y, i64 %id
  %q2 = getelementptr float, ptr addrspace(1) %w, i64 2
  store float %e3, ptr addrspace(1) %w
  store float %e4, ptr addrspace(1) %q2
  ret void
}
declare float @llvm.sqrt.f32(float)
