; SPDX-License-Identifier: Apache-2.0
; A search by halves: what was loaded decides where the next load is. Items in turn take every other branch
; wrongly, so vectors pay although they gather and scatter. A walk of as many operations that knows its way
; keeps the loop over items.
; RUN: sl-opt -mcpu=x86-64-v4
target triple = "spir64-unknown-unknown"
declare spir_func i64 @_Z13get_global_idj(i32)

; CHECK-LABEL: define internal void @search.groups
; CHECK: @llvm.masked.gather.v{{[0-9]+}}f32
; CHECK: ret void
define spir_kernel void @search(ptr addrspace(1) noalias %x, ptr addrspace(1) noalias %y, ptr addrspace(1) noalias %z, i64 %n) {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %q = getelementptr inbounds float, ptr addrspace(1) %y, i64 %id
  %wanted = load float, ptr addrspace(1) %q, align 4
  br label %loop

loop:
  %first = phi i64 [ 0, %entry ], [ %first.next, %loop ]
  %count = phi i64 [ %n, %entry ], [ %count.next, %loop ]
  %half = lshr i64 %count, 1
  %middle = add i64 %first, %half
  %p = getelementptr inbounds float, ptr addrspace(1) %x, i64 %middle
  %v = load float, ptr addrspace(1) %p, align 4
  %less = fcmp olt float %v, %wanted
  %seen = getelementptr inbounds float, ptr addrspace(1) %z, i64 %middle
  store float %v, ptr addrspace(1) %seen, align 4
  %behind = add i64 %middle, 1
  %not = xor i64 %half, -1
  %rest = add i64 %count, %not
  %first.next = select i1 %less, i64 %behind, i64 %first
  %count.next = select i1 %less, i64 %rest, i64 %half
  %done = icmp eq i64 %count.next, 0
  br i1 %done, label %end, label %loop

end:
  %found = trunc i64 %first.next to i32
  %r = getelementptr inbounds i32, ptr addrspace(1) %y, i64 %id
  store i32 %found, ptr addrspace(1) %r, align 4
  ret void
}

; CHECK-LABEL: define internal void @walk.groups
; CHECK-NOT: x float>
; CHECK: ret void
define spir_kernel void @walk(ptr addrspace(1) noalias %x, ptr addrspace(1) noalias %y, ptr addrspace(1) noalias %z, i64 %n) {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %q = getelementptr inbounds float, ptr addrspace(1) %y, i64 %id
  %wanted = load float, ptr addrspace(1) %q, align 4
  %begin = mul i64 %id, %n
  br label %loop

loop:
  %first = phi i64 [ %begin, %entry ], [ %first.next, %loop ]
  %count = phi i64 [ %n, %entry ], [ %count.next, %loop ]
  %found.at = phi i64 [ 0, %entry ], [ %found.next, %loop ]
  %half = lshr i64 %count, 1
  %middle = add i64 %first, %half
  %p = getelementptr inbounds float, ptr addrspace(1) %x, i64 %middle
  %v = load float, ptr addrspace(1) %p, align 4
  %less = fcmp olt float %v, %wanted
  %seen = getelementptr inbounds float, ptr addrspace(1) %z, i64 %middle
  store float %v, ptr addrspace(1) %seen, align 4
  %first.next = add i64 %middle, 1
  %count.next = lshr i64 %count, 2
  %found.next = select i1 %less, i64 %middle, i64 %found.at
  %done = icmp eq i64 %count.next, 0
  br i1 %done, label %end, label %loop

end:
  %found = trunc i64 %found.next to i32
  %r = getelementptr inbounds i32, ptr addrspace(1) %y, i64 %id
  store i32 %found, ptr addrspace(1) %r, align 4
  ret void
}
