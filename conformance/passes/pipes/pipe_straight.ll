; SPDX-License-Identifier: Apache-2.0
; A task without branches does all its work in the first block: what is kept of its pipes is loaded in
; front of the first operation, behind the variables.
; RUN: sl-opt -O0 -uniform -stage=pipe_expand
target triple = "spir64-unknown-unknown"
@c = external addrspace(2) global [2 x i32]
declare void @__sl_pipe_read(ptr addrspace(2), ptr addrspace(4), i32, i32)
declare void @__sl_pipe_write(ptr addrspace(2), ptr addrspace(4), i32, i32)
declare i32 @__read_pipe_2(ptr addrspace(1), ptr addrspace(4), i32, i32)

; CHECK-LABEL: define internal void @argument.groups(
; CHECK: alloca i64
; CHECK-NOT: br
; CHECK: %slots = load ptr
; CHECK: %mask = load i64
; CHECK: store i64 %{{.*}}, ptr %index
; CHECK: store i64 %{{.*}}, ptr %limit
; CHECK: icmp eq i64
; CHECK: pipe.slow
; CHECK-LABEL: define internal void @task.groups(
; CHECK: alloca i64
; CHECK-NOT: br
; CHECK: %[[HEAD:.*]] = load i64, ptr @sluice.rings
; CHECK: store i64 %[[HEAD]], ptr %index
; CHECK: store i64 %{{.*}}, ptr %limit
; CHECK: %[[NOW:.*]] = load i64, ptr %index
; CHECK: %[[LIMIT:.*]] = load i64, ptr %limit
; CHECK: icmp eq i64 %[[NOW]], %[[LIMIT]]
; CHECK: pipe.fast
define spir_kernel void @task(ptr addrspace(4) %p) #0 {
  %far = getelementptr [2 x i32], ptr addrspace(2) @c, i64 0, i64 1
  call void @__sl_pipe_read(ptr addrspace(2) @c, ptr addrspace(4) %p, i32 4, i32 4)
  call void @__sl_pipe_write(ptr addrspace(2) %far, ptr addrspace(4) %p, i32 4, i32 4)
  ret void
}
define spir_kernel void @argument(ptr addrspace(1) %a, ptr addrspace(4) %p) #0 !kernel_arg_type_qual !1 {
  %1 = call i32 @__read_pipe_2(ptr addrspace(1) %a, ptr addrspace(4) %p, i32 4, i32 4)
  ret void
}
attributes #0 = { "sl-max-global-work-dim"="0" }
!sl.pipes = !{!0}
!0 = !{!"c", !"channel", i32 4, i32 4, i32 64, i32 0, !"", !"int", !"a.cl", i32 1, i32 1, i32 2}
!1 = !{!"pipe", !""}
