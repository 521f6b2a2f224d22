; SPDX-License-Identifier: Apache-2.0
; Loops with deep pipes get a second version without checks, whose indices are published at its end;
; loops whose pipes hold few packets, that read a pipe twice, look at memory that others change, or
; call anything do not.
; RUN: sl-opt
; CHECK-LABEL: define {{.*}}@relay.groups(
; CHECK: %there
; CHECK: icmp ugt i64 {{.*}}, 7
; CHECK: batch.begin:
; CHECK: %left = zext i32
; CHECK: batch{{[0-9]*}}:
; CHECK-NOT: store atomic
; CHECK: load i32, ptr %slot{{.*}} !alias.scope [[C:![0-9]+]], !noalias [[D:![0-9]+]]
; CHECK-NOT: store atomic
; CHECK: store i32 {{.*}}, ptr %slot{{.*}} !alias.scope [[D]], !noalias [[C]]
; CHECK-NOT: store atomic
; CHECK: br label %batch.again
; CHECK: batch.end{{[0-9]*}}:
; CHECK: store atomic i64
; CHECK: store atomic i64
; CHECK: br i1 %last
; CHECK-LABEL: define {{.*}}@shallow.groups(
; CHECK-NOT: batch.begin
; CHECK-LABEL: define {{.*}}@spin.groups(
; CHECK: batch.begin:
; CHECK-LABEL: define {{.*}}@twice.groups(
; CHECK-NOT: batch.begin
; CHECK-LABEL: define {{.*}}@watches.groups(
; CHECK-NOT: batch.begin
target triple = "spir64-unknown-unknown"
@c = external addrspace(2) global i32
@d = external addrspace(2) global i32
@e = external addrspace(2) global i32
@f = external addrspace(2) global i32
@g = external addrspace(2) global i32
@h = external addrspace(2) global i32
declare void @__sl_pipe_read(ptr addrspace(2), ptr addrspace(4), i32, i32)
declare void @__sl_pipe_write(ptr addrspace(2), ptr addrspace(4), i32, i32)
declare i32 @__sl_pipe_read_nb(ptr addrspace(2), ptr addrspace(4), i32, i32)

define spir_kernel void @relay(i32 %n, ptr addrspace(1) %o) {
entry:
  %packet = alloca i32, align 4
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %i1, %next ]
  %more = icmp slt i32 %i, %n
  br i1 %more, label %body, label %end
body:
  %p = addrspacecast ptr %packet to ptr addrspace(4)
  call void @__sl_pipe_read(ptr addrspace(2) @c, ptr addrspace(4) %p, i32 4, i32 4)
  %v = load i32, ptr %packet
  %v1 = add i32 %v, 1
  store i32 %v1, ptr %packet
  call void @__sl_pipe_write(ptr addrspace(2) @d, ptr addrspace(4) %p, i32 4, i32 4)
  br label %next
next:
  %i1 = add nsw i32 %i, 1
  br label %head
end:
  ret void
}

define spir_kernel void @spin(i32 %n, ptr addrspace(1) %o) {
entry:
  %packet = alloca i32, align 4
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %i1, %next ]
  %more = icmp slt i32 %i, %n
  br i1 %more, label %body, label %end
body:
  %p = addrspacecast ptr %packet to ptr addrspace(4)
  br label %again
again:
  %rc = call i32 @__sl_pipe_read_nb(ptr addrspace(2) @e, ptr addrspace(4) %p, i32 4, i32 4)
  %ok = icmp eq i32 %rc, 0
  br i1 %ok, label %got, label %again
got:
  %v = load i32, ptr %packet
  %a = getelementptr i32, ptr addrspace(1) %o, i32 %i
  store i32 %v, ptr addrspace(1) %a
  br label %next
next:
  %i1 = add nsw i32 %i, 1
  br label %head
end:
  ret void
}

define spir_kernel void @shallow(i32 %n, ptr addrspace(1) %o) {
entry:
  %packet = alloca i32, align 4
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %i1, %next ]
  %more = icmp slt i32 %i, %n
  br i1 %more, label %body, label %end
body:
  %p = addrspacecast ptr %packet to ptr addrspace(4)
  call void @__sl_pipe_read(ptr addrspace(2) @f, ptr addrspace(4) %p, i32 4, i32 4)
  %v = load i32, ptr %packet
  %a = getelementptr i32, ptr addrspace(1) %o, i32 %i
  store i32 %v, ptr addrspace(1) %a
  br label %next
next:
  %i1 = add nsw i32 %i, 1
  br label %head
end:
  ret void
}

define spir_kernel void @twice(i32 %n, ptr addrspace(1) %o) {
entry:
  %packet = alloca i32, align 4
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %i1, %next ]
  %more = icmp slt i32 %i, %n
  br i1 %more, label %body, label %end
body:
  %p = addrspacecast ptr %packet to ptr addrspace(4)
  call void @__sl_pipe_read(ptr addrspace(2) @g, ptr addrspace(4) %p, i32 4, i32 4)
  call void @__sl_pipe_read(ptr addrspace(2) @g, ptr addrspace(4) %p, i32 4, i32 4)
  %v = load i32, ptr %packet
  %a = getelementptr i32, ptr addrspace(1) %o, i32 %i
  store i32 %v, ptr addrspace(1) %a
  br label %next
next:
  %i1 = add nsw i32 %i, 1
  br label %head
end:
  ret void
}

define spir_kernel void @watches(i32 %n, ptr addrspace(1) %o) {
entry:
  %packet = alloca i32, align 4
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %i1, %next ]
  %more = icmp slt i32 %i, %n
  br i1 %more, label %body, label %end
body:
  %p = addrspacecast ptr %packet to ptr addrspace(4)
  call void @__sl_pipe_read(ptr addrspace(2) @h, ptr addrspace(4) %p, i32 4, i32 4)
  %v = load i32, ptr %packet
  %a = getelementptr i32, ptr addrspace(1) %o, i32 %i
  store i32 %v, ptr addrspace(1) %a
  %w = load atomic i32, ptr addrspace(1) %o monotonic, align 4
  br label %next
next:
  %i1 = add nsw i32 %i, 1
  br label %head
end:
  ret void
}
!sl.pipes = !{!0, !1, !2, !3, !4, !5}
!0 = !{!"c", !"channel", i32 4, i32 4, i32 64, i32 0, !"", !"int", !"s.cl", i32 1, i32 0}
!1 = !{!"d", !"channel", i32 4, i32 4, i32 1024, i32 0, !"", !"int", !"s.cl", i32 2, i32 0}
!2 = !{!"e", !"channel", i32 4, i32 4, i32 256, i32 0, !"", !"int", !"s.cl", i32 3, i32 0}
!3 = !{!"f", !"channel", i32 4, i32 4, i32 31, i32 0, !"", !"int", !"s.cl", i32 4, i32 0}
!4 = !{!"g", !"channel", i32 4, i32 4, i32 256, i32 0, !"", !"int", !"s.cl", i32 5, i32 0}
!5 = !{!"h", !"channel", i32 4, i32 4, i32 256, i32 0, !"", !"int", !"s.cl", i32 6, i32 0}
