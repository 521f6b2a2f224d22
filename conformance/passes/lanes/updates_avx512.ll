; SPDX-License-Identifier: Apache-2.0
; Items that update local memory one by one are eight at once, since there are no more addresses in
; registers: full vectors without a mask, whose bytes come from memory one by one.
; RUN: sl-opt -uniform -remarks -mcpu=x86-64-v4 -passes=default<O2>
; CHECK: 8 items at once
; CHECK-LABEL: @histogram.kernel(
; CHECK-NOT: masked
; CHECK-COUNT-8: load i8
; CHECK-NOT: masked
; CHECK-COUNT-8: store i32
; CHECK: ret void
target triple = "spir64-unknown-unknown"
declare spir_func i64 @_Z12get_local_idj(i32)
declare spir_func i64 @_Z12get_group_idj(i32)
define spir_kernel void @histogram(ptr addrspace(1) align 1 %a, ptr addrspace(3) align 4 %t, i64 %n) !reqd_work_group_size !0 {
entry:
  %l = call spir_func i64 @_Z12get_local_idj(i32 0)
  %g = call spir_func i64 @_Z12get_group_idj(i32 0)
  %first = mul i64 %g, 16384
  br label %next
next:
  %k = phi i64 [ 0, %entry ], [ %k1, %next ]
  %row = add i64 %first, %k
  %at = add i64 %row, %l
  %pa = getelementptr inbounds i8, ptr addrspace(1) %a, i64 %at
  %v = load i8, ptr addrspace(1) %pa, align 1
  %i = zext i8 %v to i64
  %pt = getelementptr inbounds i32, ptr addrspace(3) %t, i64 %i
  %old = atomicrmw add ptr addrspace(3) %pt, i32 1 monotonic
  %k1 = add i64 %k, 256
  %more = icmp ult i64 %k1, %n
  br i1 %more, label %next, label %end
end:
  ret void
}
!0 = !{i32 256, i32 1, i32 1}
