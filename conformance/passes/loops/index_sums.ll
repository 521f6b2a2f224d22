; SPDX-License-Identifier: Apache-2.0
; A sum of ints that may not wrap is one of longs before its order is changed, also the counter of a
; loop; one that may wrap stays an int.
; RUN: sl-opt -mcpu=x86-64-v3 -stage=simplify
; CHECK-LABEL: @walk(
; CHECK: %[[LOW:.*]] = call i32 @sl.wi.9.0()
; CHECK: sext i32 %[[LOW]] to i64
; CHECK: phi i64
; CHECK-NOT: sext i32 %{{.*}}at
; CHECK: ret void
; CHECK-LABEL: @wraps(
; CHECK: %[[SUM:.*]] = add i32
; CHECK: sext i32 %[[SUM]] to i64
; CHECK: ret void
; CHECK-LABEL: @ahead(
; CHECK: %[[ID:.*]] = call i32 @sl.wi.9.0()
; CHECK: sext i32 %[[ID]] to i64
; CHECK: ret void
; CHECK-LABEL: @cases(
; CHECK: phi i64 [ %[[ONE:.*]], %{{.*}} ], [ %[[ONE]], %{{.*}} ]
; CHECK: ret void
; CHECK-LABEL: @guarded(
; CHECK: %[[IN:.*]] = call i32 @sl.wi.9.0()
; CHECK: sext i32 %[[IN]] to i64
; CHECK-NOT: sext i32 %start
; CHECK: ret void
; CHECK-LABEL: @far(
; CHECK: %[[START:.*]] = add i32
; CHECK: phi
; CHECK-NOT: phi i32 [ %[[START]],
; CHECK: add i32 %[[START]], %
; CHECK: ret void
target triple = "spir64-unknown-unknown"
declare spir_func i64 @_Z13get_global_idj(i32)
define spir_kernel void @walk(ptr addrspace(1) %y, i32 %step, i32 %n, i32 %begin) {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %x = trunc i64 %id to i32
  %more = mul nsw i32 %step, 4
  %first = add nsw i32 %begin, %x
  %start = add nsw i32 %first, %more
  br label %loop
loop:
  %at = phi i32 [ %start, %entry ], [ %next, %loop ]
  %k = phi i32 [ 0, %entry ], [ %k.next, %loop ]
  %i = sext i32 %at to i64
  %py = getelementptr inbounds i32, ptr addrspace(1) %y, i64 %i
  store i32 %k, ptr addrspace(1) %py, align 4
  %next = add nsw i32 %at, %step
  %k.next = add nsw i32 %k, 1
  %again = icmp slt i32 %k.next, %n
  br i1 %again, label %loop, label %end
end:
  ret void
}
define spir_kernel void @wraps(ptr addrspace(1) %y, i32 %begin) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %x = trunc i64 %id to i32
  %at = add i32 %begin, %x
  %i = sext i32 %at to i64
  %py = getelementptr inbounds i32, ptr addrspace(1) %y, i64 %i
  store i32 1, ptr addrspace(1) %py, align 4
  ret void
}
define spir_kernel void @ahead(ptr addrspace(1) %y) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %far = add i64 %id, 4
  %x = trunc i64 %far to i32
  %i = sext i32 %x to i64
  %py = getelementptr inbounds i32, ptr addrspace(1) %y, i64 %i
  store i32 1, ptr addrspace(1) %py, align 4
  ret void
}
; One block that comes to the phi by two cases brings one value.
define spir_kernel void @cases(ptr addrspace(1) %y, i32 %which) {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %x = trunc i64 %id to i32
  switch i32 %which, label %other [
    i32 0, label %both
    i32 7, label %both
  ]
other:
  %more = add nsw i32 %x, %which
  store i32 %more, ptr addrspace(1) %y, align 4
  br label %both
both:
  %at = phi i32 [ %x, %entry ], [ %x, %entry ], [ %more, %other ]
  %i = sext i32 %at to i64
  %py = getelementptr inbounds i32, ptr addrspace(1) %y, i64 %i
  store i32 2, ptr addrspace(1) %py, align 4
  ret void
}
; The row is the same for all items of it, also where it is asked for behind a condition that some do not meet.
define spir_kernel void @guarded(ptr addrspace(1) %y, i32 %step, i32 %n, i32 %rows) {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %x = trunc i64 %id to i32
  %in = icmp slt i32 %x, %n
  br i1 %in, label %some, label %end
some:
  %row = call spir_func i64 @_Z13get_global_idj(i32 1)
  %first = trunc i64 %row to i32
  %begin = mul nsw i32 %first, %step
  %start = add nsw i32 %begin, %x
  br label %loop
loop:
  %at = phi i32 [ %start, %some ], [ %next, %loop ]
  %k = phi i32 [ 0, %some ], [ %k.next, %loop ]
  %i = sext i32 %at to i64
  %py = getelementptr inbounds i32, ptr addrspace(1) %y, i64 %i
  store i32 %k, ptr addrspace(1) %py, align 4
  %next = add nsw i32 %at, %step
  %k.next = add nsw i32 %k, 1
  %again = icmp slt i32 %k.next, %rows
  br i1 %again, label %loop, label %end
end:
  ret void
}
; Of a sum that may wrap around what the loop adds is kept apart: the same for all items.
define spir_kernel void @far(ptr addrspace(1) %y, i32 %step, i32 %n, i32 %begin) {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %x = trunc i64 %id to i32
  %start = add i32 %begin, %x
  br label %loop
loop:
  %at = phi i32 [ %start, %entry ], [ %next, %loop ]
  %k = phi i32 [ 0, %entry ], [ %k.next, %loop ]
  %i = zext i32 %at to i64
  %py = getelementptr inbounds i32, ptr addrspace(1) %y, i64 %i
  store i32 %k, ptr addrspace(1) %py, align 4
  %next = add i32 %at, %step
  %k.next = add nsw i32 %k, 1
  %again = icmp slt i32 %k.next, %n
  br i1 %again, label %loop, label %end
end:
  ret void
}
