; SPDX-License-Identifier: Apache-2.0
; The mask of the last items of a row is clean above its lanes: it is not made in eight bits, which would
; leave there what the register held, where an access to eight bytes takes sixteen bits.
; RUN: sl-opt -uniform -mcpu=x86-64-v4 -stage=work_group_regions
target triple = "spir64-unknown-unknown"
declare spir_func i64 @_Z13get_global_idj(i32)
declare spir_func void @_Z7barrierj(i32)

; CHECK-LABEL: define internal void @bytes.groups
; CHECK: %[[BITS:.*]] = lshr i32 255, %{{.*}}
; CHECK-NEXT: %[[CUT:.*]] = trunc i32 %[[BITS]] to i8
; CHECK-NEXT: %mask = bitcast i8 %[[CUT]] to <8 x i1>
; CHECK: call void @llvm.masked.store.v8i8
define spir_kernel void @bytes(ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %c) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr double, ptr addrspace(1) %a, i64 %id
  %v = load double, ptr addrspace(1) %p
  %w = fmul double %v, %v
  store double %w, ptr addrspace(1) %p
  %q = getelementptr i8, ptr addrspace(1) %c, i64 %id
  %old = load i8, ptr addrspace(1) %q
  %new = add i8 %old, 3
  store i8 %new, ptr addrspace(1) %q
  ret void
}

; Where the kernel fixes how long rows are, LLVM does not learn how many items the mask has.
; CHECK-LABEL: define internal void @fixed.groups
; CHECK: %[[GONE:.*]] = call i32 asm "", "=r,0"(i32 {{.*}})
; CHECK-NEXT: lshr i32 65535, %[[GONE]]
define spir_kernel void @fixed(ptr addrspace(1) noalias %a) !reqd_work_group_size !0 {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %y = call spir_func i64 @_Z13get_global_idj(i32 1)
  %row = mul i64 %y, 1000
  %at = add i64 %row, %id
  br label %next
next:
  %k = phi i64 [ 0, %0 ], [ %k1, %next ]
  %p = getelementptr float, ptr addrspace(1) %a, i64 %at
  %v = load float, ptr addrspace(1) %p
  %w = fmul float %v, %v
  store float %w, ptr addrspace(1) %p
  call spir_func void @_Z7barrierj(i32 1)
  %k1 = add i64 %k, 1
  %more = icmp ult i64 %k1, 5
  br i1 %more, label %next, label %end
end:
  ret void
}
!0 = !{i32 12, i32 8, i32 1}
