; SPDX-License-Identifier: Apache-2.0
; Loops that make the indices of a private array are unrolled, and its elements are values, also where the rounds of
; one follow from those around it, whatever the program says of how often they are unrolled, and where items do not
; meet; not if an index, or how many rounds there are, is made of anything else, nor in a kernel of one item without a
; barrier. So are loops that are constant numbers for the most part then.
; RUN: sl-opt -mcpu=x86-64-v3 -shared-pipes -stage=simplify
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

; Unrolled by two and by four.
; CHECK-LABEL: define {{.*}}@hints(
; CHECK-NOT: alloca
; CHECK: ret void
define spir_kernel void @hints(ptr addrspace(1) %x) {
entry:
  %sum = alloca [8 x float]
  br label %fill
fill:
  %i = phi i64 [ 0, %entry ], [ %i1, %fill ]
  %p = getelementptr [8 x float], ptr %sum, i64 0, i64 %i
  %xi = getelementptr float, ptr addrspace(1) %x, i64 %i
  %v = load float, ptr addrspace(1) %xi
  store float %v, ptr %p
  %i1 = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i1, 8
  br i1 %more, label %fill, label %meet, !llvm.loop !10
meet:
  call spir_func void @_Z7barrierj(i32 1)
  br label %give
give:
  %j = phi i64 [ 0, %meet ], [ %j1, %give ]
  %q = getelementptr [8 x float], ptr %sum, i64 0, i64 %j
  %w = load float, ptr %q
  %twice = fadd float %w, %w
  %xj = getelementptr float, ptr addrspace(1) %x, i64 %j
  store float %twice, ptr addrspace(1) %xj
  %j1 = add nuw nsw i64 %j, 1
  %again = icmp ult i64 %j1, 8
  br i1 %again, label %give, label %end, !llvm.loop !12
end:
  ret void
}
!10 = distinct !{!10, !11}
!11 = !{!"llvm.loop.unroll.count", i32 2}
!12 = distinct !{!12, !13}
!13 = !{!"llvm.loop.unroll.count", i32 4}

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

; CHECK-LABEL: define {{.*}}@apart(
; CHECK-NOT: alloca
; CHECK: ret void
define spir_kernel void @apart(ptr addrspace(1) %x) {
entry:
  %v = alloca [24 x float]
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %px = getelementptr float, ptr addrspace(1) %x, i64 %id
  br label %fill
fill:
  %i = phi i64 [ 0, %entry ], [ %i1, %fill ]
  %p = getelementptr [24 x float], ptr %v, i64 0, i64 %i
  %xi = getelementptr float, ptr addrspace(1) %px, i64 %i
  %n = load float, ptr addrspace(1) %xi
  store float %n, ptr %p
  %i1 = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i1, 24
  br i1 %more, label %fill, label %rows
rows:
  %r = phi i64 [ 1, %fill ], [ %r1, %rows.end ]
  %q = getelementptr [24 x float], ptr %v, i64 0, i64 %r
  br label %sums
sums:
  %j = phi i64 [ 0, %rows ], [ %j1, %sums ]
  %t = getelementptr [24 x float], ptr %v, i64 0, i64 %j
  %a = load float, ptr %t
  %b = load float, ptr %q
  %c = fdiv float %a, %b
  %d = call float @llvm.floor.f32(float %c)
  %f = call float @llvm.sqrt.f32(float %d)
  store float %f, ptr %t
  %j1 = add nuw nsw i64 %j, 1
  %again = icmp ult i64 %j1, %r
  br i1 %again, label %sums, label %rows.end
rows.end:
  %r1 = add nuw nsw i64 %r, 1
  %over = icmp eq i64 %r1, 23
  br i1 %over, label %end, label %rows
end:
  %l = getelementptr [24 x float], ptr %v, i64 0, i64 3
  %w = load float, ptr %l
  store float %w, ptr addrspace(1) %px
  ret void
}

; CHECK-LABEL: define {{.*}}@one_item(
; CHECK: alloca [24 x float]
; CHECK: ret void
define spir_kernel void @one_item(ptr addrspace(1) %px) {
entry:
  %v = alloca [24 x float]
  br label %fill
fill:
  %i = phi i64 [ 0, %entry ], [ %i1, %fill ]
  %p = getelementptr [24 x float], ptr %v, i64 0, i64 %i
  %xi = getelementptr float, ptr addrspace(1) %px, i64 %i
  %n = load float, ptr addrspace(1) %xi
  store float %n, ptr %p
  %i1 = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i1, 24
  br i1 %more, label %fill, label %rows
rows:
  %r = phi i64 [ 1, %fill ], [ %r1, %rows.end ]
  %q = getelementptr [24 x float], ptr %v, i64 0, i64 %r
  br label %sums
sums:
  %j = phi i64 [ 0, %rows ], [ %j1, %sums ]
  %t = getelementptr [24 x float], ptr %v, i64 0, i64 %j
  %a = load float, ptr %t
  %b = load float, ptr %q
  %c = fdiv float %a, %b
  %d = call float @llvm.floor.f32(float %c)
  %f = call float @llvm.sqrt.f32(float %d)
  store float %f, ptr %t
  %j1 = add nuw nsw i64 %j, 1
  %again = icmp ult i64 %j1, %r
  br i1 %again, label %sums, label %rows.end
rows.end:
  %r1 = add nuw nsw i64 %r, 1
  %over = icmp eq i64 %r1, 23
  br i1 %over, label %end, label %rows
end:
  %l = getelementptr [24 x float], ptr %v, i64 0, i64 3
  %w = load float, ptr %l
  store float %w, ptr addrspace(1) %px
  ret void
}

; CHECK-LABEL: define {{.*}}@numbers(
; CHECK-NOT: fmul
; CHECK-COUNT-256: call float @llvm.fma.f32(float %n, float {{[0-9]}}
; CHECK-NOT: fmul
; CHECK: ret void
define spir_kernel void @numbers(ptr addrspace(1) %x) {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %px = getelementptr float, ptr addrspace(1) %x, i64 %id
  %n = load float, ptr addrspace(1) %px
  br label %rows
rows:
  %r = phi i32 [ 1, %entry ], [ %r1, %rows.end ]
  %s = phi float [ 0.0, %entry ], [ %s1, %rows.end ]
  br label %sums
sums:
  %j = phi i32 [ 1, %rows ], [ %j1, %sums ]
  %t = phi float [ %s, %rows ], [ %s1, %sums ]
  %by = mul nsw i32 %j, %r
  %f = sitofp i32 %by to float
  %f2 = fmul float %f, %f
  %f3 = fmul float %f2, 0.125
  %f4 = fmul float %f3, %f3
  %f5 = fadd float %f4, 1.0
  %s1 = call float @llvm.fma.f32(float %n, float %f5, float %t)
  %j1 = add nuw nsw i32 %j, 1
  %again = icmp ult i32 %j1, 17
  br i1 %again, label %sums, label %rows.end
rows.end:
  %r1 = add nuw nsw i32 %r, 1
  %over = icmp eq i32 %r1, 17
  br i1 %over, label %end, label %rows
end:
  store float %s1, ptr addrspace(1) %px
  ret void
}

declare spir_func i64 @_Z13get_global_idj(i32)
declare float @llvm.fma.f32(float, float, float)
declare float @llvm.sqrt.f32(float)
declare float @llvm.floor.f32(float)
attributes #0 = { convergent nounwind }
