; SPDX-License-Identifier: Apache-2.0
; Loops that make the indices of a private array in a kernel with a barrier are unrolled, and its elements are
; values, also where the rounds of one follow from those around it; not if an index, or how many rounds there are, is
; made of anything else, nor in a kernel whose items do not meet.
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

; As a median begins: fewer in each round, of which some do nothing at all.
; CHECK-LABEL: define {{.*}}@fewer(
; CHECK-NOT: alloca
; CHECK-COUNT-6: fcmp olt
; CHECK-NOT: fcmp
; CHECK: ret void
define spir_kernel void @fewer(ptr addrspace(1) %x) {
entry:
  %v = alloca [4 x float]
  br label %ask
ask:
  %i = phi i32 [ 0, %entry ], [ %i1, %fill ]
  %more = icmp slt i32 %i, 4
  br i1 %more, label %fill, label %meet
fill:
  %p = getelementptr [4 x float], ptr %v, i64 0, i32 %i
  %px = getelementptr float, ptr addrspace(1) %x, i32 %i
  %vx = load float, ptr addrspace(1) %px
  store float %vx, ptr %p
  %i1 = add nsw i32 %i, 1
  br label %ask
meet:
  call spir_func void @_Z7barrierj(i32 1)
  br label %outer
outer:
  %last = phi i32 [ 3, %meet ], [ %last1, %next ]
  %on = icmp sge i32 %last, 0
  br i1 %on, label %inner, label %end
inner:
  %j = phi i32 [ 0, %outer ], [ %j1, %swap ]
  %some = icmp slt i32 %j, %last
  br i1 %some, label %swap, label %next
swap:
  %j1 = add nsw i32 %j, 1
  %pa = getelementptr [4 x float], ptr %v, i64 0, i32 %j
  %pb = getelementptr [4 x float], ptr %v, i64 0, i32 %j1
  %a = load float, ptr %pa
  %b = load float, ptr %pb
  %less = fcmp olt float %a, %b
  %first = select i1 %less, float %a, float %b
  %second = select i1 %less, float %b, float %a
  store float %first, ptr %pa
  store float %second, ptr %pb
  br label %inner
next:
  %last1 = sub nsw i32 %last, 1
  br label %outer
end:
  %p1 = getelementptr [4 x float], ptr %v, i64 0, i64 1
  %mid = load float, ptr %p1
  store float %mid, ptr addrspace(1) %x
  ret void
}

; CHECK-LABEL: define {{.*}}@any_rounds(
; CHECK: alloca [8 x float]
; CHECK: ret void
define spir_kernel void @any_rounds(ptr addrspace(1) %x, i64 %n) {
entry:
  %sum = alloca [8 x float]
  br label %fill
fill:
  %i = phi i64 [ 0, %entry ], [ %i1, %fill ]
  %at = and i64 %i, 7
  %p = getelementptr [8 x float], ptr %sum, i64 0, i64 %at
  %xi = getelementptr float, ptr addrspace(1) %x, i64 %i
  %v = load float, ptr addrspace(1) %xi
  store float %v, ptr %p
  %i1 = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i1, %n
  br i1 %more, label %fill, label %meet
meet:
  call spir_func void @_Z7barrierj(i32 1)
  %q = getelementptr [8 x float], ptr %sum, i64 0, i64 3
  %w = load float, ptr %q
  store float %w, ptr addrspace(1) %x
  ret void
}

declare float @llvm.sqrt.f32(float)
declare float @llvm.floor.f32(float)
attributes #0 = { convergent nounwind }
