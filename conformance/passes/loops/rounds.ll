; SPDX-License-Identifier: Apache-2.0
; Where items meet in a loop, what grows by a constant in each round is said by the round's number: neither the
; pointer nor the index is a value of each item's that waits in memory. The same for what an argument says: the flags
; of how it is computed go, since it is needed before the first addition now. Without a barrier they stay as they are, but for what begins with one of two by the item's place. What a loop says that
; asks first whether there is a round is not carried on either.
; RUN: sl-opt -mcpu=x86-64-v4 -stage=simplify
; CHECK-LABEL: @meets(
; CHECK: [[ROUND:%[0-9a-z.]+]] = phi i64 [ 0, %entry ]
; CHECK-NOT: phi ptr
; CHECK-NOT: phi i32 [ %
; CHECK: [[BYTES:%[0-9a-z.]+]] = shl {{.*}}i64 [[ROUND]], 12
; CHECK: getelementptr i8, ptr %{{[0-9a-z.]+}}, i64 [[BYTES]]
; CHECK: call void @sl.barrier()
; CHECK: ret void
; CHECK-LABEL: @planes(
; CHECK: %stride = add i32 %wide, 8
; CHECK: [[PLANE:%[0-9a-z.]+]] = phi i64 [ 0, %entry ]
; CHECK-NOT: phi ptr
; CHECK-NOT: phi i32 [ %
; CHECK: mul i64 [[PLANE]], %far
; CHECK: call void @sl.barrier()
; CHECK: ret void
; CHECK-LABEL: @several(
; CHECK: [[STEP:%[0-9a-z.]+]] = shl {{.*}}i32 %wide, 2
; CHECK: phi i64 [ 0, %entry ]
; CHECK-NOT: phi ptr
; CHECK: call void @sl.barrier()
; CHECK: ret void
; CHECK-LABEL: @by_item(
; CHECK: phi i32 [ %0, %entry ], [ %j1
; CHECK: ret void
; CHECK-LABEL: @alone(
; CHECK: phi ptr
; CHECK: ret void
; CHECK-LABEL: @asks(
; CHECK: phi i64 [ 0,
; CHECK-NOT: phi i64 [ %
; CHECK-NOT: phi i32 [ %
; CHECK: call void @sl.barrier()
; CHECK: ret void
; CHECK-LABEL: @border(
; CHECK: %round = phi i64 [ 0,
; CHECK-NOT: phi i64 [ %
; CHECK: ret void
target triple = "spir64-unknown-unknown"
declare spir_func i64 @_Z13get_global_idj(i32)
declare spir_func void @_Z7barrierj(i32) convergent
define spir_kernel void @meets(ptr addrspace(1) %y, ptr addrspace(1) %x, ptr addrspace(3) %t) {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %low = trunc i64 %id to i32
  %px = getelementptr inbounds float, ptr addrspace(1) %x, i64 %id
  %pt = getelementptr inbounds float, ptr addrspace(3) %t, i64 %id
  br label %next
next:
  %p = phi ptr addrspace(1) [ %px, %entry ], [ %p1, %next ]
  %j = phi i32 [ %low, %entry ], [ %j1, %next ]
  %left = phi i32 [ 40, %entry ], [ %left1, %next ]
  %v = load float, ptr addrspace(1) %p, align 4
  store float %v, ptr addrspace(3) %pt, align 4
  call spir_func void @_Z7barrierj(i32 1) convergent
  %at = sext i32 %j to i64
  %pq = getelementptr inbounds float, ptr addrspace(3) %t, i64 %at
  %q = load float, ptr addrspace(3) %pq, align 4
  %py = getelementptr inbounds float, ptr addrspace(1) %y, i64 %at
  store float %q, ptr addrspace(1) %py, align 4
  call spir_func void @_Z7barrierj(i32 1) convergent
  %p1 = getelementptr i8, ptr addrspace(1) %p, i64 4096
  %j1 = add i32 %j, 16
  %left1 = add i32 %left, -1
  %over = icmp eq i32 %left1, 0
  br i1 %over, label %end, label %next
end:
  ret void
}
define spir_kernel void @planes(ptr addrspace(1) %y, ptr addrspace(1) %x, ptr addrspace(3) %t, i32 %wide, i32 %n) {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %low = trunc i64 %id to i32
  %px = getelementptr inbounds float, ptr addrspace(1) %x, i64 %id
  %pt = getelementptr inbounds float, ptr addrspace(3) %t, i64 %id
  %stride = add nsw i32 %wide, 8
  %far = sext i32 %stride to i64
  br label %next
next:
  %p = phi ptr addrspace(1) [ %px, %entry ], [ %p1, %next ]
  %j = phi i32 [ %low, %entry ], [ %j1, %next ]
  %k = phi i32 [ 0, %entry ], [ %k1, %next ]
  %v = load float, ptr addrspace(1) %p, align 4
  store float %v, ptr addrspace(3) %pt, align 4
  call spir_func void @_Z7barrierj(i32 1) convergent
  %at = sext i32 %j to i64
  %pq = getelementptr inbounds float, ptr addrspace(3) %t, i64 %at
  %q = load float, ptr addrspace(3) %pq, align 4
  %py = getelementptr inbounds float, ptr addrspace(1) %y, i64 %at
  store float %q, ptr addrspace(1) %py, align 4
  call spir_func void @_Z7barrierj(i32 1) convergent
  %p1 = getelementptr float, ptr addrspace(1) %p, i64 %far
  %j1 = add nsw i32 %j, %stride
  %k1 = add i32 %k, 1
  %over = icmp eq i32 %k1, %n
  br i1 %over, label %end, label %next
end:
  ret void
}
define spir_kernel void @several(ptr addrspace(1) %y, ptr addrspace(1) %x, ptr addrspace(3) %t, i32 %wide) {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %px = getelementptr inbounds float, ptr addrspace(1) %x, i64 %id
  %py = getelementptr inbounds float, ptr addrspace(1) %y, i64 %id
  %pt = getelementptr inbounds float, ptr addrspace(3) %t, i64 %id
  br label %next
next:
  %p = phi ptr addrspace(1) [ %px, %entry ], [ %p2, %next ]
  %left = phi i32 [ 40, %entry ], [ %left1, %next ]
  %v = load float, ptr addrspace(1) %p, align 4
  store float %v, ptr addrspace(3) %pt, align 4
  call spir_func void @_Z7barrierj(i32 1) convergent
  %s1 = mul nsw i32 4, %wide
  %w1 = sext i32 %s1 to i64
  %p1 = getelementptr inbounds float, ptr addrspace(1) %p, i64 %w1
  %u = load float, ptr addrspace(1) %p1, align 4
  store float %u, ptr addrspace(1) %py, align 4
  call spir_func void @_Z7barrierj(i32 1) convergent
  %s2 = mul nsw i32 4, %wide
  %w2 = sext i32 %s2 to i64
  %p2 = getelementptr inbounds float, ptr addrspace(1) %p1, i64 %w2
  %left1 = add i32 %left, -1
  %over = icmp eq i32 %left1, 0
  br i1 %over, label %end, label %next
end:
  ret void
}
define spir_kernel void @by_item(ptr addrspace(1) %y, ptr addrspace(3) %t, i32 %n) {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %low = trunc i64 %id to i32
  br label %next
next:
  %j = phi i32 [ %low, %entry ], [ %j1, %next ]
  %k = phi i32 [ 0, %entry ], [ %k1, %next ]
  %at = sext i32 %j to i64
  %pq = getelementptr inbounds i32, ptr addrspace(3) %t, i64 %at
  store i32 %j, ptr addrspace(3) %pq, align 4
  call spir_func void @_Z7barrierj(i32 1) convergent
  %j1 = add i32 %j, %low
  %k1 = add i32 %k, 1
  %over = icmp eq i32 %k1, %n
  br i1 %over, label %end, label %next
end:
  ret void
}
define spir_kernel void @alone(ptr addrspace(1) %y, ptr addrspace(1) %x) {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %px = getelementptr inbounds float, ptr addrspace(1) %x, i64 %id
  br label %next
next:
  %p = phi ptr addrspace(1) [ %px, %entry ], [ %p1, %next ]
  %s = phi float [ 0.0, %entry ], [ %s1, %next ]
  %left = phi i32 [ 4000, %entry ], [ %left1, %next ]
  %v = load float, ptr addrspace(1) %p, align 4
  %s1 = fadd float %s, %v
  %p1 = getelementptr i8, ptr addrspace(1) %p, i64 4096
  %left1 = add i32 %left, -1
  %over = icmp eq i32 %left1, 0
  br i1 %over, label %end, label %next
end:
  %py = getelementptr inbounds float, ptr addrspace(1) %y, i64 %id
  store float %s1, ptr addrspace(1) %py, align 4
  ret void
}
define spir_kernel void @asks(ptr addrspace(1) %y, ptr addrspace(1) %x, ptr addrspace(3) %t, i32 %pitch, i32 %n) {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %low = trunc i64 %id to i32
  %pt = getelementptr inbounds float, ptr addrspace(3) %t, i64 %id
  br label %head
head:
  %j = phi i32 [ %low, %entry ], [ %j1, %next ]
  %z = phi i32 [ 0, %entry ], [ %z1, %next ]
  %more = icmp slt i32 %z, %n
  br i1 %more, label %next, label %end
next:
  %at = sext i32 %j to i64
  %px = getelementptr inbounds float, ptr addrspace(1) %x, i64 %at
  %v = load float, ptr addrspace(1) %px, align 4
  store float %v, ptr addrspace(3) %pt, align 4
  call spir_func void @_Z7barrierj(i32 1) convergent
  %q = load float, ptr addrspace(3) %t, align 4
  %k = sub nsw i32 %j, 1
  %before = sext i32 %k to i64
  %py = getelementptr inbounds float, ptr addrspace(1) %y, i64 %before
  store float %q, ptr addrspace(1) %py, align 4
  call spir_func void @_Z7barrierj(i32 1) convergent
  %j1 = add nsw i32 %j, %pitch
  %z1 = add nsw i32 %z, 1
  br label %head
end:
  ret void
}
define spir_kernel void @border(ptr addrspace(1) %y, ptr addrspace(1) %x, i32 %plane, i32 %n) {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %c = trunc i64 %id to i32
  %first = icmp eq i32 %c, 9
  %left = add nsw i32 %c, -1
  %w = select i1 %first, i32 %c, i32 %left
  %from = sext i32 %w to i64
  %far = sext i32 %plane to i64
  br label %next
next:
  %j = phi i64 [ %from, %entry ], [ %j1, %next ]
  %s = phi float [ 0.0, %entry ], [ %s1, %next ]
  %k = phi i32 [ 0, %entry ], [ %k1, %next ]
  %px = getelementptr inbounds float, ptr addrspace(1) %x, i64 %j
  %v = load float, ptr addrspace(1) %px, align 4
  %s1 = fadd float %s, %v
  %j1 = add nsw i64 %j, %far
  %k1 = add i32 %k, 1
  %over = icmp eq i32 %k1, %n
  br i1 %over, label %end, label %next
end:
  %py = getelementptr inbounds float, ptr addrspace(1) %y, i64 %id
  store float %s1, ptr addrspace(1) %py, align 4
  ret void
}
; The step is made where the round begins, and goes in front of the loop; what counts the rounds stays.
; CHECK-LABEL: define {{.*}} @made_inside(
; CHECK: %round = phi i64
; CHECK: mul {{.*}}i64 %round, %far
define spir_kernel void @made_inside(ptr addrspace(1) %y, ptr addrspace(1) %x, i32 %step, i32 %n) {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %c = trunc i64 %id to i32
  %first = icmp eq i32 %c, 0
  %left = add i32 %c, -1
  %w = select i1 %first, i32 %c, i32 %left
  %from = zext i32 %w to i64
  br label %next
next:
  %j = phi i64 [ %from, %entry ], [ %j1, %next ]
  %s = phi float [ 0.0, %entry ], [ %s1, %next ]
  %k = phi i32 [ 0, %entry ], [ %k1, %next ]
  %far = zext i32 %step to i64
  %j1 = add nuw nsw i64 %j, %far
  %px = getelementptr inbounds float, ptr addrspace(1) %x, i64 %j1
  %v = load float, ptr addrspace(1) %px, align 4
  %s1 = fadd float %s, %v
  %k1 = add i32 %k, 1
  %over = icmp eq i32 %k1, %n
  br i1 %over, label %end, label %next
end:
  %py = getelementptr inbounds float, ptr addrspace(1) %y, i64 %id
  store float %s1, ptr addrspace(1) %py, align 4
  ret void
}
