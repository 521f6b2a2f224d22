; SPDX-License-Identifier: Apache-2.0
; An address that follows from the round's number and an item's place is computed anew behind each barrier: kept in
; the context, nobody would know there that items are neighbours.
; RUN: sl-opt -mcpu=x86-64-v4
target triple = "spir64-unknown-unknown"
declare spir_func i64 @_Z13get_global_idj(i32)
declare spir_func void @_Z7barrierj(i32) convergent

; CHECK-LABEL: define internal void @several.groups
; CHECK-NOT: gather
; CHECK: ret void
define spir_kernel void @several(ptr addrspace(1) %y, ptr addrspace(1) %x, ptr addrspace(3) %t, i32 %wide) {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %px = getelementptr inbounds float, ptr addrspace(1) %x, i64 %id
  %py = getelementptr inbounds float, ptr addrspace(1) %y, i64 %id
  %pt = getelementptr inbounds float, ptr addrspace(3) %t, i64 %id
  br label %next
next:
  %p = phi ptr addrspace(1) [ %px, %entry ], [ %p2, %next ]
  %left = phi i32 [ 40, %entry ], [ %left1, %next ]
  %v = load float, ptr addrspace(1) %p, align 4
  store float %v, ptr addrspace(3) %pt, align 4
  call spir_func void @_Z7barrierj(i32 1) convergent
  %s1 = mul nsw i32 4, %wide
  %w1 = sext i32 %s1 to i64
  %p1 = getelementptr inbounds float, ptr addrspace(1) %p, i64 %w1
  %u = load float, ptr addrspace(1) %p1, align 4
  store float %u, ptr addrspace(1) %py, align 4
  call spir_func void @_Z7barrierj(i32 1) convergent
  %s2 = mul nsw i32 4, %wide
  %w2 = sext i32 %s2 to i64
  %p2 = getelementptr inbounds float, ptr addrspace(1) %p1, i64 %w2
  %left1 = add i32 %left, -1
  %over = icmp eq i32 %left1, 0
  br i1 %over, label %end, label %next
end:
  ret void
}
