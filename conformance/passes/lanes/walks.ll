; SPDX-License-Identifier: Apache-2.0
; Loops in which each item goes through a row of its own take as many turns at once as elements are loaded
; together; what is over goes one by one. Sums keep their order.
; RUN: sl-opt -mcpu=x86-64-v3
target triple = "spir64-unknown-unknown"
declare spir_func i64 @_Z13get_global_idj(i32)

; All turns of a short row; what the outer loop reads again and again is read in front of it.
; CHECK-LABEL: define internal void @again.groups
; CHECK-COUNT-32: load <4 x i32>
; CHECK: phi <{{8|16|32}} x float>
; CHECK-NOT: load <4 x i32>
; CHECK: ret void
define spir_kernel void @again(ptr addrspace(1) noalias %y, ptr addrspace(1) noalias %x, ptr addrspace(1) noalias %w, i64 %n) {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %row = mul i64 %id, %n
  %begin = getelementptr inbounds float, ptr addrspace(1) %x, i64 %row
  br label %outer

outer:
  %j = phi i64 [ 0, %entry ], [ %nextj, %latch ]
  %kept = phi float [ 0.0, %entry ], [ %more, %latch ]
  %pw = getelementptr inbounds float, ptr addrspace(1) %w, i64 %j
  %vw = load float, ptr addrspace(1) %pw, align 4
  br label %loop

loop:
  %k = phi i64 [ 0, %outer ], [ %next, %loop ]
  %sum = phi float [ %kept, %outer ], [ %more, %loop ]
  %p = getelementptr inbounds float, ptr addrspace(1) %begin, i64 %k
  %v = load float, ptr addrspace(1) %p, align 4
  %a = fmul float %v, %vw
  %b = fadd float %a, %v
  %c = fmul float %b, %a
  %d = fadd float %c, %b
  %e = fmul float %d, %c
  %f = fadd float %e, %d
  %g = fmul float %f, %e
  %h = fadd float %g, %f
  %l = fmul float %h, %g
  %o = fadd float %l, %h
  %q = fmul float %o, %l
  %r = fadd float %q, %o
  %s = fmul float %r, %q
  %t = fadd float %s, %r
  %u = fmul float %t, %s
  %more = fadd float %sum, %u
  %next = add nuw nsw i64 %k, 1
  %done = icmp eq i64 %next, 16
  br i1 %done, label %latch, label %loop

latch:
  %nextj = add nuw nsw i64 %j, 1
  %all = icmp eq i64 %nextj, %n
  br i1 %all, label %end, label %outer

end:
  %py = getelementptr inbounds float, ptr addrspace(1) %y, i64 %id
  store float %more, ptr addrspace(1) %py, align 4
  ret void
}

; Lanes leave at different times: turn by turn.
; CHECK-LABEL: define internal void @apart.groups
; CHECK-NOT: load <4 x i32>
; CHECK: ret void
define spir_kernel void @apart(ptr addrspace(1) noalias %y, ptr addrspace(1) noalias %x, ptr addrspace(1) noalias %w, i64 %n) {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %row = mul i64 %id, %n
  %begin = getelementptr inbounds float, ptr addrspace(1) %x, i64 %row
  %pw = getelementptr inbounds i64, ptr addrspace(1) %w, i64 %id
  %turns = load i64, ptr addrspace(1) %pw, align 8
  br label %loop

loop:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
  %p = getelementptr inbounds float, ptr addrspace(1) %begin, i64 %k
  %v = load float, ptr addrspace(1) %p, align 4
  %a = fmul float %v, %v
  %b = fadd float %a, %v
  %c = fmul float %b, %a
  %more = fadd float %sum, %c
  %next = add nuw nsw i64 %k, 1
  %done = icmp uge i64 %next, %turns
  br i1 %done, label %end, label %loop

end:
  %py = getelementptr inbounds float, ptr addrspace(1) %y, i64 %id
  store float %more, ptr addrspace(1) %py, align 4
  ret void
}

; CHECK-LABEL: define internal void @rows.groups
; CHECK: phi <{{8|16|32}} x float>
; CHECK-COUNT-8: load <4 x i32>
; CHECK-COUNT-4: fadd <{{8|16|32}} x float>
; CHECK: fadd <{{8|16|32}} x float>
; CHECK: ret void
define spir_kernel void @rows(ptr addrspace(1) noalias %y, ptr addrspace(1) noalias %x, i64 %n) {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %row = mul i64 %id, %n
  %begin = getelementptr inbounds float, ptr addrspace(1) %x, i64 %row
  br label %loop

loop:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
  %p = getelementptr inbounds float, ptr addrspace(1) %begin, i64 %k
  %v = load float, ptr addrspace(1) %p, align 4
  %more = fadd float %sum, %v
  %next = add nuw nsw i64 %k, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %end, label %loop

end:
  %py = getelementptr inbounds float, ptr addrspace(1) %y, i64 %id
  store float %more, ptr addrspace(1) %py, align 4
  ret void
}
