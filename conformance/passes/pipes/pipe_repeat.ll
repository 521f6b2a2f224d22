; SPDX-License-Identifier: Apache-2.0
; An autorun kernel is restarted by a jump past the loads of what it keeps in registers. Only a run that
; used no pipe ends for the device to see; each operation says that there was one. What the host starts
; ends as it is.
; RUN: sl-opt -O0 -stage=pipe_expand
target triple = "spir64-unknown-unknown"
@c = external addrspace(2) global i32
@d = external addrspace(2) global i32
@flag = internal addrspace(1) global i32 0
declare void @__sl_pipe_read(ptr addrspace(2), ptr addrspace(4), i32, i32)
declare void @__sl_pipe_write(ptr addrspace(2), ptr addrspace(4), i32, i32)

; CHECK-LABEL: define internal void @hosted.groups(
; CHECK-NOT: %used
; CHECK: ret void
; CHECK-LABEL: define internal void @relay.groups(
; CHECK: %used = alloca i1
; CHECK: store i64 %{{.*}}, ptr %index
; CHECK: store i64 %{{.*}}, ptr %limit
; CHECK: br label %again
; CHECK: again:
; CHECK-NOT: alloca
; CHECK: store i1 false, ptr %used
; CHECK-NOT: store i64 {{.*}}, ptr %limit
; CHECK: br i1
; CHECK: store i1 true, ptr %used
; CHECK: pipe.fast
; CHECK: store i1 true, ptr %used
; CHECK: pipe.fast
; CHECK: %[[MORE:.*]] = load i1, ptr %used
; CHECK-NEXT: br i1 %[[MORE]], label %again, label %out
; CHECK: out:
; CHECK-NEXT: ret void
define spir_kernel void @relay() #0 {
  %packet = alloca i32
  %p = addrspacecast ptr %packet to ptr addrspace(4)
  %now = load volatile i32, ptr addrspace(1) @flag
  %some = icmp sgt i32 %now, 0
  br i1 %some, label %move, label %end
move:
  call void @__sl_pipe_read(ptr addrspace(2) @c, ptr addrspace(4) %p, i32 4, i32 4)
  call void @__sl_pipe_write(ptr addrspace(2) @d, ptr addrspace(4) %p, i32 4, i32 4)
  br label %end
end:
  ret void
}
define spir_kernel void @hosted(ptr addrspace(4) %p) {
  call void @__sl_pipe_write(ptr addrspace(2) @c, ptr addrspace(4) %p, i32 4, i32 4)
  ret void
}
attributes #0 = { "sl-autorun" }
!sl.pipes = !{!0, !1}
!0 = !{!"c", !"channel", i32 4, i32 4, i32 64, i32 0, !"", !"int", !"a.cl", i32 1, i32 0}
!1 = !{!"d", !"channel", i32 4, i32 4, i32 64, i32 0, !"", !"int", !"a.cl", i32 2, i32 0}
