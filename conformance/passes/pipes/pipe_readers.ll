; SPDX-License-Identifier: Apache-2.0
; A pipe has one reader. Two compute units of one kernel that read the same element are two, and are
; told what would give each its own; that one kernel reads in two places is no matter.
; RUN: not sl-opt
; CHECK-NOT: 'c'
; CHECK: error: {{.*}}channel 'd[0]' is read by two compute units of one kernel: by 'k.1' here, and by 'k' at {{.*}}; an index made of get_compute_id() gives each its own
target triple = "spir64-unknown-unknown"
@c = external addrspace(2) global i32
@d = external addrspace(2) global [2 x i32]
declare void @__sl_pipe_read(ptr addrspace(2), ptr addrspace(4), i32, i32)
declare void @__sl_pipe_write(ptr addrspace(2), ptr addrspace(4), i32, i32)

define spir_kernel void @a(ptr addrspace(4) %p) {
  call void @__sl_pipe_read(ptr addrspace(2) @c, ptr addrspace(4) %p, i32 4, i32 4)
  call void @__sl_pipe_read(ptr addrspace(2) @c, ptr addrspace(4) %p, i32 4, i32 4)
  call void @__sl_pipe_write(ptr addrspace(2) @c, ptr addrspace(4) %p, i32 4, i32 4)
  ret void
}
define spir_kernel void @k() #0 {
  %packet = alloca i32
  %p = addrspacecast ptr %packet to ptr addrspace(4)
  call void @__sl_pipe_read(ptr addrspace(2) @d, ptr addrspace(4) %p, i32 4, i32 4)
  ret void
}
!sl.pipes = !{!0, !1}
!0 = !{!"c", !"channel", i32 4, i32 4, i32 0, i32 0, !"", !"int", !"a.cl", i32 1, i32 0}
!1 = !{!"d", !"channel", i32 4, i32 4, i32 0, i32 0, !"", !"int", !"a.cl", i32 2, i32 1, i32 2}
attributes #0 = { "sl-autorun" "sl-num-compute-units"="2,1,1" }
