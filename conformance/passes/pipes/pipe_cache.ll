; SPDX-License-Identifier: Apache-2.0
; Index and limit of an end are variables of the function, and one pair is for all operations on it; but
; not where the function could change the end under another name: writing to any element of an array
; keeps none of its ends for writing, and of two arguments whose packets are equally large one may be the
; other.
; RUN: sl-opt -O0 -stage=pipe_expand
target triple = "spir64-unknown-unknown"
@c = external addrspace(2) global [4 x i32]
@d = external addrspace(2) global i32
declare void @__sl_pipe_read(ptr addrspace(2), ptr addrspace(4), i32, i32)
declare void @__sl_pipe_write(ptr addrspace(2), ptr addrspace(4), i32, i32)
declare i32 @__read_pipe_2(ptr addrspace(1), ptr addrspace(4), i32, i32)

; CHECK-LABEL: define internal void @any.groups(
; CHECK-NOT: %index
; CHECK: ret void
; CHECK-LABEL: define internal void @both.groups(
; CHECK-COUNT-2: %index{{[0-9]*}} = alloca i64
; CHECK-NOT: %index{{[0-9]*}} = alloca i64
; CHECK: br label %x

; Calls of the runtime read all ends anew: who ran meanwhile may have moved them.
; CHECK: pipe.slow{{[0-9]*}}:
; CHECK: call i32 %{{.*}}(ptr %{{.*}}, ptr {{.*}}@sluice.rings
; CHECK-DAG: store i64 %{{.*}}, ptr %index,
; CHECK-DAG: store i64 %{{.*}}, ptr %limit,
; CHECK-DAG: store i64 %{{.*}}, ptr %index1,
; CHECK-DAG: store i64 %{{.*}}, ptr %limit2,
; CHECK: br label %pipe.done
; CHECK-LABEL: define internal void @equal.groups(
; CHECK-NOT: %index
; CHECK: ret void
; CHECK-LABEL: define internal void @other.groups(
; CHECK-COUNT-2: %index{{[0-9]*}} = alloca i64
; CHECK: ret void
define spir_kernel void @both(ptr addrspace(4) %p) {
  call void @__sl_pipe_read(ptr addrspace(2) @c, ptr addrspace(4) %p, i32 4, i32 4)
  call void @__sl_pipe_write(ptr addrspace(2) @d, ptr addrspace(4) %p, i32 4, i32 4)
  call void @__sl_pipe_read(ptr addrspace(2) @c, ptr addrspace(4) %p, i32 4, i32 4)
  ret void
}
define spir_kernel void @any(ptr addrspace(4) %p, i64 %i) {
  %far = getelementptr [4 x i32], ptr addrspace(2) @c, i64 0, i64 1
  %some = getelementptr [4 x i32], ptr addrspace(2) @c, i64 0, i64 %i
  call void @__sl_pipe_write(ptr addrspace(2) %far, ptr addrspace(4) %p, i32 4, i32 4)
  call void @__sl_pipe_write(ptr addrspace(2) %some, ptr addrspace(4) %p, i32 4, i32 4)
  ret void
}
define spir_kernel void @equal(ptr addrspace(1) %a, ptr addrspace(1) %b, ptr addrspace(4) %p) !kernel_arg_type_qual !2 {
  %1 = call i32 @__read_pipe_2(ptr addrspace(1) %a, ptr addrspace(4) %p, i32 4, i32 4)
  %2 = call i32 @__read_pipe_2(ptr addrspace(1) %b, ptr addrspace(4) %p, i32 4, i32 4)
  ret void
}
define spir_kernel void @other(ptr addrspace(1) %a, ptr addrspace(1) %b, ptr addrspace(4) %p) !kernel_arg_type_qual !2 {
  %1 = call i32 @__read_pipe_2(ptr addrspace(1) %a, ptr addrspace(4) %p, i32 4, i32 4)
  %2 = call i32 @__read_pipe_2(ptr addrspace(1) %b, ptr addrspace(4) %p, i32 8, i32 8)
  ret void
}
!sl.pipes = !{!0, !1}
!0 = !{!"c", !"channel", i32 4, i32 4, i32 64, i32 0, !"", !"int", !"a.cl", i32 1, i32 1, i32 4}
!1 = !{!"d", !"channel", i32 4, i32 4, i32 64, i32 0, !"", !"int", !"a.cl", i32 2, i32 0}
!2 = !{!"pipe", !"pipe", !""}
