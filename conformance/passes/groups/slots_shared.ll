; SPDX-License-Identifier: Apache-2.0
; What a loop makes of a value for its next round has the value's place, unless that is needed behind it: then there
; are two.
; RUN: sl-opt
; CHECK-DAG: ; kernel sum flags {{.*}} per_item 4
; CHECK-DAG: ; kernel needed flags {{.*}} per_item 12
target triple = "spir64-unknown-unknown"
declare spir_func i64 @_Z12get_local_idj(i32)
declare spir_func void @_Z7barrierj(i32) convergent
define spir_kernel void @sum(ptr addrspace(1) %x, ptr addrspace(3) %t, i32 %n) {
entry:
  %id = call spir_func i64 @_Z12get_local_idj(i32 0)
  %px = getelementptr inbounds float, ptr addrspace(1) %x, i64 %id
  %pt = getelementptr inbounds float, ptr addrspace(3) %t, i64 %id
  br label %next
next:
  %sum = phi float [ 0.0, %entry ], [ %more, %next ]
  %k = phi i32 [ 0, %entry ], [ %k1, %next ]
  %v = load float, ptr addrspace(1) %px, align 4
  store float %v, ptr addrspace(3) %pt, align 4
  call spir_func void @_Z7barrierj(i32 1) convergent
  %q = load float, ptr addrspace(3) %t, align 4
  %more = fadd float %sum, %q
  call spir_func void @_Z7barrierj(i32 1) convergent
  %k1 = add i32 %k, 1
  %over = icmp eq i32 %k1, %n
  br i1 %over, label %end, label %next
end:
  store float %more, ptr addrspace(1) %px, align 4
  ret void
}
define spir_kernel void @needed(ptr addrspace(1) %x, ptr addrspace(3) %t, i32 %n) {
entry:
  %id = call spir_func i64 @_Z12get_local_idj(i32 0)
  %px = getelementptr inbounds float, ptr addrspace(1) %x, i64 %id
  %pt = getelementptr inbounds float, ptr addrspace(3) %t, i64 %id
  br label %next
next:
  %sum = phi float [ 0.0, %entry ], [ %more, %next ]
  %k = phi i32 [ 0, %entry ], [ %k1, %next ]
  %v = load float, ptr addrspace(1) %px, align 4
  store float %v, ptr addrspace(3) %pt, align 4
  call spir_func void @_Z7barrierj(i32 1) convergent
  %q = load float, ptr addrspace(3) %t, align 4
  %more = fadd float %sum, %q
  call spir_func void @_Z7barrierj(i32 1) convergent
  %both = fsub float %sum, %q
  store float %both, ptr addrspace(1) %px, align 4
  %k1 = add i32 %k, 1
  %over = icmp eq i32 %k1, %n
  br i1 %over, label %end, label %next
end:
  store float %more, ptr addrspace(1) %px, align 4
  ret void
}
