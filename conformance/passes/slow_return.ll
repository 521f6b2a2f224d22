; SPDX-License-Identifier: Apache-2.0
; A loop whose turns may gather what the turn before scattered runs for items in turn; one that scatters
; elsewhere in vectors.
; RUN: sl-opt -mcpu=x86-64-v4
target triple = "spir64-unknown-unknown"
declare spir_func i64 @_Z13get_global_idj(i32)

; CHECK-LABEL: define internal void @elsewhere.groups
; CHECK: @llvm.masked.gather.v16f32
; CHECK: @llvm.masked.scatter.v16f32
; CHECK: ret void
define spir_kernel void @elsewhere(ptr addrspace(1) noalias %x, ptr addrspace(1) noalias %y, i64 %n, i64 %m) {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %row = mul i64 %id, %n
  %begin = getelementptr inbounds float, ptr addrspace(1) %x, i64 %row
  %to.row = getelementptr inbounds float, ptr addrspace(1) %y, i64 %row
  br label %loop

loop:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr inbounds float, ptr addrspace(1) %begin, i64 %k
  %v = load float, ptr addrspace(1) %p, align 4
  %a = fmul float %v, %v
  %b = fadd float %a, %v
  %c = fmul float %b, %a
  %d = fadd float %c, %b
  %e = fmul float %d, %c
  %f = fadd float %e, %d
  %g = fmul float %f, %e
  %h = fadd float %g, %f
  %i = fmul float %h, %g
  %at = add i64 %k, %m
  %q = getelementptr inbounds float, ptr addrspace(1) %to.row, i64 %at
  store float %i, ptr addrspace(1) %q, align 4
  %next = add nuw nsw i64 %k, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %end, label %loop

end:
  ret void
}

; CHECK-LABEL: define internal void @in_place.groups
; CHECK-NOT: x float>
; CHECK: ret void
define spir_kernel void @in_place(ptr addrspace(1) noalias %x, ptr addrspace(1) noalias %y, i64 %n, i64 %m) {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %row = mul i64 %id, %n
  %begin = getelementptr inbounds float, ptr addrspace(1) %x, i64 %row
  %to.row = getelementptr inbounds float, ptr addrspace(1) %x, i64 %row
  br label %loop

loop:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr inbounds float, ptr addrspace(1) %begin, i64 %k
  %v = load float, ptr addrspace(1) %p, align 4
  %a = fmul float %v, %v
  %b = fadd float %a, %v
  %c = fmul float %b, %a
  %d = fadd float %c, %b
  %e = fmul float %d, %c
  %f = fadd float %e, %d
  %g = fmul float %f, %e
  %h = fadd float %g, %f
  %i = fmul float %h, %g
  %at = add i64 %k, %m
  %q = getelementptr inbounds float, ptr addrspace(1) %to.row, i64 %at
  store float %i, ptr addrspace(1) %q, align 4
  %next = add nuw nsw i64 %k, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %end, label %loop

end:
  ret void
}
