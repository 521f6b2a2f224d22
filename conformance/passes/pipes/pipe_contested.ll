; SPDX-License-Identifier: Apache-2.0
; An end that two kernels may have is asked for where they come there, and nowhere else.
; RUN: sl-opt
; CHECK: warning: channel 'c[0]' (and 3 more of the array) may be written by two kernels: by 'right' here, and by 'left' at {{.*}}; whichever comes second ends with an error
; CHECK-NOT: warning
; CHECK: ; kernel left {{.*}} component 0
; CHECK: ; kernel reader {{.*}} component 0
; CHECK: ; kernel right {{.*}} component 0
; CHECK-LABEL: define {{.*}}left
; CHECK: %owner = load i32, ptr
; CHECK: icmp {{eq|ne}} i32 %owner, 1
; CHECK: pipe.claim:
; CHECK-LABEL: define {{.*}}reader
; CHECK-NOT: pipe.claim
; CHECK-LABEL: define {{.*}}right
; CHECK: icmp {{eq|ne}} i32 %owner{{.*}}, 3
target triple = "spir64-unknown-unknown"
@c = external addrspace(2) global [4 x i32]
declare void @__sl_pipe_read(ptr addrspace(2), ptr addrspace(4), i32, i32)
declare void @__sl_pipe_write(ptr addrspace(2), ptr addrspace(4), i32, i32)

define spir_kernel void @left(ptr addrspace(4) %p, i64 %i) {
  %at = getelementptr inbounds [4 x i32], ptr addrspace(2) @c, i64 0, i64 %i
  call void @__sl_pipe_write(ptr addrspace(2) %at, ptr addrspace(4) %p, i32 4, i32 4)
  ret void
}
define spir_kernel void @right(ptr addrspace(4) %p, i64 %i) {
  %at = getelementptr inbounds [4 x i32], ptr addrspace(2) @c, i64 0, i64 %i
  call void @__sl_pipe_write(ptr addrspace(2) %at, ptr addrspace(4) %p, i32 4, i32 4)
  ret void
}
define spir_kernel void @reader(ptr addrspace(4) %p, i64 %i) {
  %at = getelementptr inbounds [4 x i32], ptr addrspace(2) @c, i64 0, i64 %i
  call void @__sl_pipe_read(ptr addrspace(2) %at, ptr addrspace(4) %p, i32 4, i32 4)
  ret void
}
!sl.pipes = !{!0}
!0 = !{!"c", !"channel", i32 4, i32 4, i32 0, i32 0, !"", !"int", !"a.cl", i32 1, i32 1, i32 4}
