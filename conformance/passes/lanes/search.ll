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

; Two sorted lists gone through side by side: each step waits for what the last one's loads say, though nothing branches.
; CHECK-LABEL: define internal void @zip.groups
; CHECK: @llvm.masked.gather.v16i32
; CHECK: ret void
define spir_kernel void @zip(ptr addrspace(1) noalias %x, ptr addrspace(1) noalias %ends, ptr addrspace(1) noalias %o) {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %pe = getelementptr inbounds i32, ptr addrspace(1) %ends, i64 %id
  %a0 = load i32, ptr addrspace(1) %pe, align 4
  %pn = getelementptr inbounds i32, ptr addrspace(1) %pe, i64 1
  %b0 = load i32, ptr addrspace(1) %pn, align 4
  %pm = getelementptr inbounds i32, ptr addrspace(1) %pe, i64 2
  %end = load i32, ptr addrspace(1) %pm, align 4
  br label %head

head:
  %a = phi i32 [ %a0, %entry ], [ %a.next, %step ]
  %b = phi i32 [ %b0, %entry ], [ %b.next, %step ]
  %same = phi i32 [ 0, %entry ], [ %same.next, %step ]
  %a.in = icmp slt i32 %a, %b0
  %b.in = icmp slt i32 %b, %end
  %in = select i1 %a.in, i1 %b.in, i1 false
  br i1 %in, label %step, label %done

step:
  %a.wide = sext i32 %a to i64
  %b.wide = sext i32 %b to i64
  %pa = getelementptr inbounds i32, ptr addrspace(1) %x, i64 %a.wide
  %pb = getelementptr inbounds i32, ptr addrspace(1) %x, i64 %b.wide
  %va = load i32, ptr addrspace(1) %pa, align 4
  %vb = load i32, ptr addrspace(1) %pb, align 4
  %is = icmp eq i32 %va, %vb
  %is.word = zext i1 %is to i32
  %same.next = add i32 %same, %is.word
  %below = icmp sle i32 %va, %vb
  %below.word = zext i1 %below to i32
  %a.next = add nsw i32 %a, %below.word
  %above = icmp sle i32 %vb, %va
  %above.word = zext i1 %above to i32
  %b.next = add nsw i32 %b, %above.word
  br label %head

done:
  %po = getelementptr inbounds i32, ptr addrspace(1) %o, i64 %id
  store i32 %same, ptr addrspace(1) %po, align 4
  ret void
}
