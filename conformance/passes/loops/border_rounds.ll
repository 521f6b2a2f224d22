; SPDX-License-Identifier: Apache-2.0
; A loop of a kernel of one item that asks whether a round is the first or the last one, for the place of a neighbour:
; these rounds stand apart, and the loop between them does not ask. It stays as it is where another round is asked for,
; where only a value depends on it, and where items have ids, whose own border that is.
; RUN: sl-opt -mcpu=x86-64-v4 -stage=simplify
target triple = "spir64-unknown-unknown"
declare spir_func i64 @_Z13get_global_idj(i32)

; CHECK-LABEL: define {{.*}}@row(
; CHECK: round:
; CHECK-NOT: icmp ne
; CHECK-NOT: select
; CHECK-NOT: sext
; CHECK: br i1
; CHECK: round.postloop:
; CHECK: icmp ne
; CHECK: br i1
define spir_kernel void @row(ptr addrspace(1) noalias %in, ptr addrspace(1) noalias %out, i32 %n) {
entry:
  %some = icmp sgt i32 %n, 0
  br i1 %some, label %round, label %end
round:
  %c = phi i32 [ 0, %entry ], [ %next, %round ]
  %first = icmp eq i32 %c, 0
  %west = select i1 %first, i32 0, i32 -1
  %at = add nsw i32 %c, %west
  %end.round = add nsw i32 %n, -1
  %last = icmp eq i32 %c, %end.round
  %east = select i1 %last, i32 0, i32 1
  %to = add nsw i32 %c, %east
  %p = getelementptr i32, ptr addrspace(1) %in, i32 %at
  %q = getelementptr i32, ptr addrspace(1) %in, i32 %to
  %x = load i32, ptr addrspace(1) %p
  %y = load i32, ptr addrspace(1) %q
  %sum = add i32 %x, %y
  %o = getelementptr i32, ptr addrspace(1) %out, i32 %c
  store i32 %sum, ptr addrspace(1) %o
  %next = add nsw i32 %c, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %round, label %end
end:
  ret void
}

; CHECK-LABEL: define {{.*}}@other_round(
; CHECK-NOT: loop:
; CHECK: ret void
define spir_kernel void @other_round(ptr addrspace(1) noalias %in, ptr addrspace(1) noalias %out, i32 %n, i32 %k) {
entry:
  %some = icmp sgt i32 %n, 0
  br i1 %some, label %round, label %end
round:
  %c = phi i32 [ 0, %entry ], [ %next, %round ]
  %this = icmp eq i32 %c, %k
  %at = select i1 %this, i32 0, i32 %c
  %p = getelementptr i32, ptr addrspace(1) %in, i32 %at
  %x = load i32, ptr addrspace(1) %p
  %o = getelementptr i32, ptr addrspace(1) %out, i32 %c
  store i32 %x, ptr addrspace(1) %o
  %next = add nsw i32 %c, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %round, label %end
end:
  ret void
}

; CHECK-LABEL: define {{.*}}@value(
; CHECK-NOT: loop:
; CHECK: ret void
define spir_kernel void @value(ptr addrspace(1) noalias %in, ptr addrspace(1) noalias %out, i32 %n) {
entry:
  %some = icmp sgt i32 %n, 0
  br i1 %some, label %round, label %end
round:
  %c = phi i32 [ 0, %entry ], [ %next, %round ]
  %first = icmp eq i32 %c, 0
  %p = getelementptr i32, ptr addrspace(1) %in, i32 %c
  %x = load i32, ptr addrspace(1) %p
  %y = select i1 %first, i32 7, i32 %x
  %o = getelementptr i32, ptr addrspace(1) %out, i32 %c
  store i32 %y, ptr addrspace(1) %o
  %next = add nsw i32 %c, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %round, label %end
end:
  ret void
}

; CHECK-LABEL: define {{.*}}@items(
; CHECK-NOT: loop:
; CHECK: ret void
define spir_kernel void @items(ptr addrspace(1) noalias %in, ptr addrspace(1) noalias %out, i32 %n) {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %row = getelementptr [64 x i32], ptr addrspace(1) %in, i64 %id
  %to = getelementptr [64 x i32], ptr addrspace(1) %out, i64 %id
  %some = icmp sgt i32 %n, 0
  br i1 %some, label %round, label %end
round:
  %c = phi i32 [ 0, %entry ], [ %next, %round ]
  %first = icmp eq i32 %c, 0
  %west = select i1 %first, i32 0, i32 -1
  %at = add nsw i32 %c, %west
  %p = getelementptr i32, ptr addrspace(1) %row, i32 %at
  %x = load i32, ptr addrspace(1) %p
  %o = getelementptr i32, ptr addrspace(1) %to, i32 %c
  store i32 %x, ptr addrspace(1) %o
  %next = add nsw i32 %c, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %round, label %end
end:
  ret void
}
