; SPDX-License-Identifier: Apache-2.0
; An index of an array of pipes that may be outside is asked for at each dimension; one that cannot
; be, by a mask or by its loop, costs nothing.
; RUN: sl-opt
; CHECK: c":0:0: index 2 of channel 'c[2][4]' is outside of the array\00"
; CHECK: define {{.*}} @open.groups
; CHECK: icmp ult i64 %1, 4
; CHECK: unreachable
; CHECK: define {{.*}} @proven.groups
; CHECK-NOT: unreachable
; CHECK: define {{.*}} @unrolled.groups
; CHECK-NOT: unreachable
; CHECK: define {{.*}} @unrolled.kernel
target triple = "spir64-unknown-unknown"
@c = external addrspace(2) global [2 x [4 x [1 x i32]]]
@d = external addrspace(2) global [4 x [1 x i32]]
@e = external addrspace(2) global [4 x [1 x i32]]
declare void @__sl_pipe_write(ptr addrspace(2), ptr addrspace(4), i32, i32)

define spir_kernel void @open(ptr addrspace(4) %p, i64 %i) {
  %row = getelementptr inbounds [2 x [4 x [1 x i32]]], ptr addrspace(2) @c, i64 0, i64 1
  %any = getelementptr inbounds [4 x [1 x i32]], ptr addrspace(2) %row, i64 0, i64 %i
  call void @__sl_pipe_write(ptr addrspace(2) %any, ptr addrspace(4) %p, i32 4, i32 4)
  ret void
}
define spir_kernel void @proven(ptr addrspace(4) %p, i64 %i) {
  %low = and i64 %i, 3
  %any = getelementptr inbounds [4 x [1 x i32]], ptr addrspace(2) @d, i64 0, i64 %low
  call void @__sl_pipe_write(ptr addrspace(2) %any, ptr addrspace(4) %p, i32 4, i32 4)
  ret void
}
define spir_kernel void @unrolled(ptr addrspace(4) %p) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %any = getelementptr inbounds [4 x [1 x i32]], ptr addrspace(2) @e, i64 0, i64 %i
  call void @__sl_pipe_write(ptr addrspace(2) %any, ptr addrspace(4) %p, i32 4, i32 4)
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, 4
  br i1 %more, label %loop, label %end
end:
  ret void
}
!sl.pipes = !{!0, !1, !2}
!0 = !{!"c", !"channel", i32 4, i32 4, i32 0, i32 0, !"", !"int", !"a.cl", i32 1, i32 2, i32 2, i32 4}
!1 = !{!"d", !"channel", i32 4, i32 4, i32 0, i32 0, !"", !"int", !"a.cl", i32 2, i32 1, i32 4}
!2 = !{!"e", !"channel", i32 4, i32 4, i32 0, i32 0, !"", !"int", !"a.cl", i32 3, i32 1, i32 4}
