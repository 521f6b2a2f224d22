; SPDX-License-Identifier: Apache-2.0
; Rows 2 KiB apart: the nearest cache has room for a line of sixteen of them, so that no more items
; go together.
; RUN: sl-opt -mcpu=x86-64-v3 -passes=default<O2>
; CHECK: fadd <16 x float>
; CHECK-NOT: <32 x float>
target triple = "spir64-unknown-unknown"
declare spir_func i64 @_Z13get_global_idj(i32)
define spir_kernel void @k(ptr addrspace(1) %a, ptr addrspace(1) %b) {
entry:
  %x = call spir_func i64 @_Z13get_global_idj(i32 0)
  %from = shl i64 %x, 9
  br label %head
head:
  %k = phi i64 [ 0, %entry ], [ %next, %head ]
  %s = phi float [ 0.0, %entry ], [ %sum, %head ]
  %at = add i64 %from, %k
  %pa = getelementptr float, ptr addrspace(1) %a, i64 %at
  %v = load float, ptr addrspace(1) %pa
  %sum = fadd float %s, %v
  %next = add nuw nsw i64 %k, 1
  %done = icmp eq i64 %next, 512
  br i1 %done, label %out, label %head
out:
  %pb = getelementptr float, ptr addrspace(1) %b, i64 %x
  store float %sum, ptr addrspace(1) %pb
  ret void
}
