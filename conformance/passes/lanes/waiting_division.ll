; SPDX-License-Identifier: Apache-2.0
; Item by item a loop waits for each division if the next one needs what it gave, by a value or by memory; many items
; wait at once, so that they go in vectors though each reads a row of its own.
; RUN: sl-opt -mcpu=x86-64-v4
; CHECK-LABEL: define internal void @sweep.groups(
; CHECK: fdiv <16 x float>
; CHECK: ret void
target triple = "spir64-unknown-unknown"
declare spir_func i64 @_Z13get_global_idj(i32)
define spir_kernel void @sweep(ptr addrspace(1) %a, ptr addrspace(1) %b, ptr addrspace(1) %c, ptr addrspace(1) %d, ptr addrspace(1) %e, ptr addrspace(1) %x, ptr addrspace(1) %w, i64 %items) {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %row = mul i64 %id, 128
  br label %next
next:
  %k = phi i64 [ 1, %entry ], [ %k1, %next ]
  %kept = phi float [ 0.0, %entry ], [ %new, %next ]
  %at = add i64 %row, %k
  %pa = getelementptr float, ptr addrspace(1) %a, i64 %at
  %va = load float, ptr addrspace(1) %pa
  %pb = getelementptr float, ptr addrspace(1) %b, i64 %at
  %vb = load float, ptr addrspace(1) %pb
  %pd = getelementptr float, ptr addrspace(1) %d, i64 %at
  %vd = load float, ptr addrspace(1) %pd
  %pc = getelementptr float, ptr addrspace(1) %c, i64 %at
  %vc = load float, ptr addrspace(1) %pc
  %pe = getelementptr float, ptr addrspace(1) %e, i64 %at
  %ve = load float, ptr addrspace(1) %pe
  %line = mul i64 %k, %items
  %mine = add i64 %line, %id
  %pw = getelementptr float, ptr addrspace(1) %w, i64 %mine
  %vw = load float, ptr addrspace(1) %pw
  %aw = fmul float %va, %vw
  %q = fadd float %aw, %vb
  %t = fdiv float 1.0, %q
  %ak = fmul float %va, %kept
  %rest = fsub float %vd, %ak
  %new = fmul float %rest, %t
  %px = getelementptr float, ptr addrspace(1) %x, i64 %at
  store float %new, ptr addrspace(1) %px
  %k1 = add nuw nsw i64 %k, 1
  %line1 = mul i64 %k1, %items
  %mine1 = add i64 %line1, %id
  %pw1 = getelementptr float, ptr addrspace(1) %w, i64 %mine1
  %ce = fmul float %vc, %ve
  %at1 = fmul float %ce, %t
  store float %at1, ptr addrspace(1) %pw1
  %on = icmp ult i64 %k1, 127
  br i1 %on, label %next, label %end
end:
  ret void
}
