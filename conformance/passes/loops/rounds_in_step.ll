; SPDX-License-Identifier: Apache-2.0
; A loop that begins at each item's id and ends at one number for all counts from the least id on, and asks until
; the largest one whether an item has begun; one that ends at the id has the rounds of all items apart; one that adds
; the same in each round to another number, and one that goes over rows of its own by its own number of rounds, stay.
; RUN: sl-opt -mcpu=x86-64-v4 -stage=simplify
target triple = "spir64-unknown-unknown"
declare spir_func i64 @_Z13get_global_idj(i32)

; CHECK-LABEL: @upper(
; CHECK-DAG: [[LEAST:%[0-9a-z.]+]] = call i32 @sl.bound.least.s.32(i32 [[ID:%[0-9a-z.]+]])
; CHECK-DAG: [[MOST:%[0-9a-z.]+]] = call i32 @sl.bound.most.s.32(i32 [[ID]])
; CHECK: next.some:
; CHECK: fadd float
; CHECK: begun:
; CHECK: br i1 %{{.*}}, label %round, label %next.some
; CHECK: fadd float
; CHECK: ret void
define spir_kernel void @upper(ptr addrspace(1) %y, ptr addrspace(1) noalias %x, i32 %n) {
entry:
  %long = call spir_func i64 @_Z13get_global_idj(i32 0)
  %id = trunc i64 %long to i32
  br label %loop
loop:
  %j = phi i32 [ %id, %entry ], [ %j1, %next ]
  %s = phi float [ 0.0, %entry ], [ %s1, %next ]
  %inside = icmp slt i32 %j, %n
  br i1 %inside, label %next, label %end
next:
  %w = sext i32 %j to i64
  %p = getelementptr inbounds float, ptr addrspace(1) %x, i64 %w
  %v = load float, ptr addrspace(1) %p, align 4
  %s1 = fadd float %s, %v
  %j1 = add nsw i32 %j, 1
  br label %loop
end:
  %q = getelementptr inbounds float, ptr addrspace(1) %y, i64 %long
  store float %s, ptr addrspace(1) %q, align 4
  ret void
}

; CHECK-LABEL: @lower(
; CHECK-NOT: @sl.bound.most
; CHECK: call i32 @sl.bound.common.u.32(i32
; CHECK: load float
; CHECK: load float
; CHECK: ret void
define spir_kernel void @lower(ptr addrspace(1) %y, ptr addrspace(1) noalias %x, i32 %n) {
entry:
  %long = call spir_func i64 @_Z13get_global_idj(i32 0)
  %id = trunc i64 %long to i32
  br label %loop
loop:
  %j = phi i32 [ 0, %entry ], [ %j1, %next ]
  %s = phi float [ 0.0, %entry ], [ %s1, %next ]
  %inside = icmp ult i32 %j, %id
  br i1 %inside, label %next, label %end
next:
  %w = zext i32 %j to i64
  %p = getelementptr inbounds float, ptr addrspace(1) %x, i64 %w
  %v = load float, ptr addrspace(1) %p, align 4
  %s1 = fadd float %s, %v
  %j1 = add nuw i32 %j, 1
  br label %loop
end:
  %q = getelementptr inbounds float, ptr addrspace(1) %y, i64 %long
  store float %s, ptr addrspace(1) %q, align 4
  ret void
}

; CHECK-LABEL: @two_counters(
; CHECK-NOT: @sl.bound
; CHECK: ret void
define spir_kernel void @two_counters(ptr addrspace(1) %y, ptr addrspace(1) noalias %x, i32 %n) {
entry:
  %long = call spir_func i64 @_Z13get_global_idj(i32 0)
  %id = trunc i64 %long to i32
  br label %loop
loop:
  %j = phi i32 [ %id, %entry ], [ %j1, %next ]
  %p = phi ptr addrspace(1) [ %x, %entry ], [ %p1, %next ]
  %s = phi float [ 0.0, %entry ], [ %s1, %next ]
  %inside = icmp slt i32 %j, %n
  br i1 %inside, label %next, label %end
next:
  %v = load float, ptr addrspace(1) %p, align 4
  %s1 = fadd float %s, %v
  %p1 = getelementptr inbounds float, ptr addrspace(1) %p, i64 2
  %j1 = add nsw i32 %j, 1
  br label %loop
end:
  %q = getelementptr inbounds float, ptr addrspace(1) %y, i64 %long
  store float %s, ptr addrspace(1) %q, align 4
  ret void
}

; CHECK-LABEL: @both_ends(
; CHECK-NOT: @sl.bound
; CHECK: ret void
define spir_kernel void @both_ends(ptr addrspace(1) %y, ptr addrspace(1) noalias %x, ptr addrspace(1) noalias %rows) {
entry:
  %long = call spir_func i64 @_Z13get_global_idj(i32 0)
  %r = getelementptr inbounds i32, ptr addrspace(1) %rows, i64 %long
  %from = load i32, ptr addrspace(1) %r, align 4
  %r1 = getelementptr inbounds i32, ptr addrspace(1) %r, i64 1
  %to = load i32, ptr addrspace(1) %r1, align 4
  br label %loop
loop:
  %j = phi i32 [ %from, %entry ], [ %j1, %next ]
  %s = phi float [ 0.0, %entry ], [ %s1, %next ]
  %inside = icmp slt i32 %j, %to
  br i1 %inside, label %next, label %end
next:
  %w = sext i32 %j to i64
  %p = getelementptr inbounds float, ptr addrspace(1) %x, i64 %w
  %v = load float, ptr addrspace(1) %p, align 4
  %s1 = fadd float %s, %v
  %j1 = add nsw i32 %j, 1
  br label %loop
end:
  %q = getelementptr inbounds float, ptr addrspace(1) %y, i64 %long
  store float %s, ptr addrspace(1) %q, align 4
  ret void
}
