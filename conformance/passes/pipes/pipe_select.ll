; SPDX-License-Identifier: Apache-2.0
; Connections are static: an operand that may be either of two pipes is refused.
; RUN: not sl-opt
; CHECK: error: {{.*}}kernel 'k': which pipe this is must be known when the program is built
target triple = "spir64-unknown-unknown"
@c = external addrspace(2) global [1 x i32]
@d = external addrspace(2) global [1 x i32]
declare void @__sl_pipe_write(ptr addrspace(2), ptr addrspace(4), i32, i32)
define spir_kernel void @k(ptr addrspace(4) %p, i1 %which) {
  %pipe = select i1 %which, ptr addrspace(2) @c, ptr addrspace(2) @d
  call void @__sl_pipe_write(ptr addrspace(2) %pipe, ptr addrspace(4) %p, i32 4, i32 4)
  ret void
}
!sl.pipes = !{!0, !1}
!0 = !{!"c", !"channel", i32 4, i32 4, i32 0, i32 0, !"", !"int", !"a.cl", i32 1, i32 0}
!1 = !{!"d", !"channel", i32 4, i32 4, i32 0, i32 0, !"", !"int", !"a.cl", i32 1, i32 0}
