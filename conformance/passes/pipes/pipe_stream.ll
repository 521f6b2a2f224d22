; SPDX-License-Identifier: Apache-2.0
; Index and limit of both ends stay in registers: between test and publication nothing is read of a
; ring, and the slots of a program-scope pipe have a constant address and mask.
; RUN: sl-opt -passes=default<O2>
; CHECK: ; kernel relay flags 32
; CHECK: @sluice.rings = internal global [2 x
; CHECK-LABEL: define {{.*}}@relay.kernel(
; CHECK: phi i64
; CHECK: pipe.fast{{[a-z0-9.]*}}:
; CHECK-NOT: load i64
; CHECK: and i64 {{.*}}, 252
; CHECK-NOT: load i64
; CHECK: store atomic i64 {{.*}}, ptr @sluice.rings monotonic
; CHECK: pipe.slow{{[a-z0-9.]*}}:
; CHECK: call i32 {{.*}}(ptr {{.*}}, ptr {{.*}}@sluice.rings, ptr {{.*}}@sluice.sites
; CHECK: load i64
; CHECK: pipe.done{{[a-z0-9.]*}}:
target triple = "spir64-unknown-unknown"
@c = external addrspace(2) global i32
@d = external addrspace(2) global i32
declare void @__sl_pipe_read(ptr addrspace(2), ptr addrspace(4), i32, i32)
declare void @__sl_pipe_write(ptr addrspace(2), ptr addrspace(4), i32, i32)

define spir_kernel void @producer(i32 %n) {
entry:
  %packet = alloca i32, align 4
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %i1, %body ]
  %more = icmp slt i32 %i, %n
  br i1 %more, label %body, label %end
body:
  store i32 %i, ptr %packet
  %p = addrspacecast ptr %packet to ptr addrspace(4)
  call void @__sl_pipe_write(ptr addrspace(2) @c, ptr addrspace(4) %p, i32 4, i32 4)
  %i1 = add nsw i32 %i, 1
  br label %head
end:
  ret void
}
define spir_kernel void @relay(i32 %n) {
entry:
  %packet = alloca i32, align 4
  %packet2 = alloca i32, align 4
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %i1, %body ]
  %more = icmp slt i32 %i, %n
  br i1 %more, label %body, label %end
body:
  %p = addrspacecast ptr %packet to ptr addrspace(4)
  call void @__sl_pipe_read(ptr addrspace(2) @c, ptr addrspace(4) %p, i32 4, i32 4)
  %v = load i32, ptr %packet
  %v1 = add i32 %v, 1
  store i32 %v1, ptr %packet2
  %p2 = addrspacecast ptr %packet2 to ptr addrspace(4)
  call void @__sl_pipe_write(ptr addrspace(2) @d, ptr addrspace(4) %p2, i32 4, i32 4)
  %i1 = add nsw i32 %i, 1
  br label %head
end:
  ret void
}
define spir_kernel void @consumer(i32 %n, ptr addrspace(1) %out) {
entry:
  %packet = alloca i32, align 4
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %i1, %body ]
  %s = phi i64 [ 0, %entry ], [ %s1, %body ]
  %more = icmp slt i32 %i, %n
  br i1 %more, label %body, label %end
body:
  %p = addrspacecast ptr %packet to ptr addrspace(4)
  call void @__sl_pipe_read(ptr addrspace(2) @d, ptr addrspace(4) %p, i32 4, i32 4)
  %v = load i32, ptr %packet
  %w = sext i32 %v to i64
  %s1 = add i64 %s, %w
  %i1 = add nsw i32 %i, 1
  br label %head
end:
  store i64 %s, ptr addrspace(1) %out
  ret void
}
!sl.pipes = !{!0, !1}
!0 = !{!"c", !"channel", i32 4, i32 4, i32 64, i32 0, !"", !"int", !"s.cl", i32 1, i32 0}
!1 = !{!"d", !"channel", i32 4, i32 4, i32 1024, i32 0, !"", !"int", !"s.cl", i32 2, i32 0}
