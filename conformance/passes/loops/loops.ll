; SPDX-License-Identifier: Apache-2.0
; No more loops around an item than the kernel asks for: ids that stay whole need no segments, a
; kernel of one dimension has one loop over rows, a task none. Full vectors have
; a loop, the rest of a row, which fills none, has none; with a question before each.
; RUN: sl-opt -mcpu=x86-64-v4
target triple = "spir64-unknown-unknown"
declare spir_func i64 @_Z13get_global_idj(i32)

; CHECK-LABEL: define internal void @part.groups
; CHECK: {{^}}z:
; CHECK: %segment = phi
; CHECK: {{^}}y:
; CHECK: {{^}}x:
; CHECK: %gid.low = phi i32
; CHECK-COUNT-3: br i1
; CHECK-NOT: br i1
; CHECK: ret void
define spir_kernel void @part(ptr addrspace(1) %a, i32 %w) {
  %x = call spir_func i64 @_Z13get_global_idj(i32 0)
  %y = call spir_func i64 @_Z13get_global_idj(i32 1)
  %i = trunc i64 %x to i32
  %j = trunc i64 %y to i32
  %r = mul nsw i32 %j, %w
  %n = add nsw i32 %r, %i
  %at = sext i32 %n to i64
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %at
  store i32 1, ptr addrspace(1) %p
  ret void
}

; CHECK-LABEL: define internal void @task.groups
; CHECK-NOT: phi
; CHECK-NOT: br i1
; CHECK: ret void
define spir_kernel void @task(ptr addrspace(1) %a) "sl-max-global-work-dim"="0" {
  %x = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %x
  store i32 1, ptr addrspace(1) %p
  ret void
}

; CHECK-LABEL: define internal void @whole.groups
; CHECK: {{^}}rows:
; CHECK-NOT: segment
; CHECK-NOT: {{^}}y:
; CHECK-NOT: sext
; CHECK: {{^}}x:
; CHECK-COUNT-2: br i1
; CHECK-NOT: br i1
; CHECK: ret void
define spir_kernel void @whole(ptr addrspace(1) %a) {
  %x = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %x
  store i32 1, ptr addrspace(1) %p
  ret void
}
