; SPDX-License-Identifier: Apache-2.0
; Loops that make the indices of a private array in a kernel with a barrier are unrolled, and its elements are
; values; not if an index is made of anything else, nor in a kernel whose items do not meet.
; RUN: sl-opt -mcpu=x86-64-v3 -stage=simplify
target triple = "spir64-unknown-unknown"
declare spir_func void @_Z7barrierj(i32) #0

; CHECK-LABEL: define {{.*}}@tile(
; CHECK-NOT: alloca
; CHECK: ret void
define spir_kernel void @tile(ptr addrspace(1) %x) {
entry:
  %sum = alloca [24 x float]
  br label %fill
fill:
  %i = phi i64 [ 0, %entry ], [ %i1, %fill ]
  %p = getelementptr [24 x float], ptr %sum, i64 0, i64 %i
  %xi = getelementptr float, ptr addrspace(1) %x, i64 %i
  %v = load float, ptr addrspace(1) %xi
  store float %v, ptr %p
  %i1 = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i1, 24
  br i1 %more, label %fill, label %meet
meet:
  call spir_func void @_Z7barrierj(i32 1)
  br label %give
give:
  %j = phi i64 [ 0, %meet ], [ %j1, %give ]
  %q = getelementptr [24 x float], ptr %sum, i64 0, i64 %j
  %w = load float, ptr %q
  %twice = fadd float %w, %w
  %f = call float @llvm.sqrt.f32(float %twice)
  %g = call float @llvm.floor.f32(float %f)
  %h = call float @llvm.sqrt.f32(float %g)
  %k = call float @llvm.floor.f32(float %h)
  %xj = getelementptr float, ptr addrspace(1) %x, i64 %j
  store float %k, ptr addrspace(1) %xj
  %j1 = add nuw nsw i64 %j, 1
  %again = icmp ult i64 %j1, 24
  br i1 %again, label %give, label %end
end:
  ret void
}

; 64 sums at once, by a loop that asks in front of each round, as clang writes them.
; CHECK-LABEL: define {{.*}}@many(
; CHECK-NOT: alloca
; CHECK: ret void
define spir_kernel void @many(ptr addrspace(1) %x) {
entry:
  %sum = alloca [64 x float]
  br label %ask
ask:
  %i = phi i64 [ 0, %entry ], [ %i1, %fill ]
  %more = icmp ult i64 %i, 64
  br i1 %more, label %fill, label %meet
fill:
  %p = getelementptr [64 x float], ptr %sum, i64 0, i64 %i
  %xi = getelementptr float, ptr addrspace(1) %x, i64 %i
  %v = load float, ptr addrspace(1) %xi
  store float %v, ptr %p
  %i1 = add nuw nsw i64 %i, 1
  br label %ask
meet:
  call spir_func void @_Z7barrierj(i32 1)
  br label %give
give:
  %j = phi i64 [ 0, %meet ], [ %j1, %give ]
  %q = getelementptr [64 x float], ptr %sum, i64 0, i64 %j
  %w = load float, ptr %q
  %twice = fadd float %w, %w
  %xj = getelementptr float, ptr addrspace(1) %x, i64 %j
  store float %twice, ptr addrspace(1) %xj
  %j1 = add nuw nsw i64 %j, 1
  %again = icmp ult i64 %j1, 64
  br i1 %again, label %give, label %end
end:
  ret void
}

; CHECK-LABEL: define {{.*}}@anywhere(
; CHECK: alloca [24 x float]
; CHECK: ret void
define spir_kernel void @anywhere(ptr addrspace(1) %x, i64 %n) {
entry:
  %sum = alloca [24 x float]
  br label %fill
fill:
  %i = phi i64 [ 0, %entry ], [ %i1, %fill ]
  %p = getelementptr [24 x float], ptr %sum, i64 0, i64 %i
  %xi = getelementptr float, ptr addrspace(1) %x, i64 %i
  %v = load float, ptr addrspace(1) %xi
  store float %v, ptr %p
  %i1 = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i1, 24
  br i1 %more, label %fill, label %meet
meet:
  call spir_func void @_Z7barrierj(i32 1)
  %q = getelementptr [24 x float], ptr %sum, i64 0, i64 %n
  %w = load float, ptr %q
  store float %w, ptr addrspace(1) %x
  ret void
}

declare float @llvm.sqrt.f32(float)
declare float @llvm.floor.f32(float)
attributes #0 = { convergent nounwind }
