; SPDX-License-Identifier: Apache-2.0
; Two objects that were linked declare one pipe in two ways: that is told with both places.
; RUN: not sl-opt
; CHECK: error: 'c' is declared at a.cl:1 and at b.cl:9, but their packets differ in size
target triple = "spir64-unknown-unknown"
@c = external addrspace(2) global [1 x i32]
declare void @__sl_pipe_write(ptr addrspace(2), ptr addrspace(4), i32, i32)
define spir_kernel void @k(ptr addrspace(4) %p) {
  call void @__sl_pipe_write(ptr addrspace(2) @c, ptr addrspace(4) %p, i32 4, i32 4)
  ret void
}
!sl.pipes = !{!0, !1}
!0 = !{!"c", !"channel", i32 8, i32 8, i32 0, i32 0, !"", !"long", !"b.cl", i32 9, i32 0}
!1 = !{!"c", !"channel", i32 4, i32 4, i32 0, i32 0, !"", !"int", !"a.cl", i32 1, i32 0}
