; SPDX-License-Identifier: Apache-2.0
; Of the host's pipes a kernel has one side only; where it may have both, it is told what may be.
; RUN: not sl-opt
; CHECK: error: {{.*}}one end of channel 'c[0]' is the host's, but kernel 'k' may read it here and kernel 'k' may write it at
target triple = "spir64-unknown-unknown"
@c = external addrspace(2) global [4 x i32]
declare void @__sl_pipe_read(ptr addrspace(2), ptr addrspace(4), i32, i32)
declare void @__sl_pipe_write(ptr addrspace(2), ptr addrspace(4), i32, i32)
define spir_kernel void @k(ptr addrspace(4) %p, i64 %i, i64 %j) {
  %to = getelementptr inbounds [4 x i32], ptr addrspace(2) @c, i64 0, i64 %i
  call void @__sl_pipe_write(ptr addrspace(2) %to, ptr addrspace(4) %p, i32 4, i32 4)
  %from = getelementptr inbounds [4 x i32], ptr addrspace(2) @c, i64 0, i64 %j
  call void @__sl_pipe_read(ptr addrspace(2) %from, ptr addrspace(4) %p, i32 4, i32 4)
  ret void
}
!sl.pipes = !{!0}
!0 = !{!"c", !"channel", i32 4, i32 4, i32 0, i32 1, !"", !"int", !"a.cl", i32 1, i32 1, i32 4}
