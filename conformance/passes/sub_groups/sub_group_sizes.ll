; SPDX-License-Identifier: Apache-2.0
; Sub-groups have a power of two of items, 8 to 64: another size is refused, not rounded.
; RUN: not sl-opt
; CHECK-NOT: define
; CHECK: error: kernel 'k': there are no sub-groups of 24 items
; CHECK-NOT: define
target triple = "spir64-unknown-unknown"
define spir_kernel void @least() !intel_reqd_sub_group_size !0 {
  ret void
}
define spir_kernel void @most() !intel_reqd_sub_group_size !1 {
  ret void
}
define spir_kernel void @k() !intel_reqd_sub_group_size !2 {
  ret void
}
!0 = !{i32 8}
!1 = !{i32 64}
!2 = !{i32 24}
