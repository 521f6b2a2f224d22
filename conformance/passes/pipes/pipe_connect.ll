; SPDX-License-Identifier: Apache-2.0
; Kernels that a pipe joins are one component, also over several pipes; others are not. An end that no
; kernel has is warned of, once for all elements of an array.
; RUN: sl-opt
; CHECK: a.cl:3: warning: channel 'rest[1]' (and 1 more of the array) is never read; kernel 'lonely' may write it
; CHECK: ; kernel first flags {{.*}} component 0
; CHECK: ; kernel last flags {{.*}} component 0
; CHECK: ; kernel lonely flags {{.*}} component 2
; CHECK: ; kernel middle flags {{.*}} component 0
; CHECK: ; kernel partner flags {{.*}} component 2
target triple = "spir64-unknown-unknown"
@c = external addrspace(2) global i32
@d = external addrspace(2) global i32
@rest = external addrspace(2) global [3 x i32]
declare void @__sl_pipe_read(ptr addrspace(2), ptr addrspace(4), i32, i32)
declare void @__sl_pipe_write(ptr addrspace(2), ptr addrspace(4), i32, i32)

define spir_kernel void @first(ptr addrspace(4) %p) {
  call void @__sl_pipe_write(ptr addrspace(2) @c, ptr addrspace(4) %p, i32 4, i32 4)
  ret void
}
define spir_kernel void @middle(ptr addrspace(4) %p) {
  call void @__sl_pipe_read(ptr addrspace(2) @c, ptr addrspace(4) %p, i32 4, i32 4)
  call void @__sl_pipe_write(ptr addrspace(2) @d, ptr addrspace(4) %p, i32 4, i32 4)
  ret void
}
define spir_kernel void @last(ptr addrspace(4) %p) {
  call void @__sl_pipe_read(ptr addrspace(2) @d, ptr addrspace(4) %p, i32 4, i32 4)
  ret void
}
define spir_kernel void @lonely(ptr addrspace(4) %p, i64 %i) {
  %any = getelementptr [3 x i32], ptr addrspace(2) @rest, i64 0, i64 %i
  call void @__sl_pipe_write(ptr addrspace(2) %any, ptr addrspace(4) %p, i32 4, i32 4)
  ret void
}
define spir_kernel void @partner(ptr addrspace(4) %p) {
  call void @__sl_pipe_read(ptr addrspace(2) @rest, ptr addrspace(4) %p, i32 4, i32 4)
  ret void
}
!sl.pipes = !{!0, !1, !2}
!0 = !{!"c", !"channel", i32 4, i32 4, i32 0, i32 0, !"", !"int", !"a.cl", i32 1, i32 0}
!1 = !{!"d", !"channel", i32 4, i32 4, i32 0, i32 0, !"", !"int", !"a.cl", i32 2, i32 0}
!2 = !{!"rest", !"channel", i32 4, i32 4, i32 0, i32 0, !"", !"int", !"a.cl", i32 3, i32 1, i32 3}
