; SPDX-License-Identifier: Apache-2.0
; A sum in memory is a value in a second form, for launches whose arguments do not overlap; in the kernel itself
; where the argument says so. Neither if some rounds only store it, another store may lead to the same bytes of it,
; or an atomic is in the loop.
; RUN: sl-opt -mcpu=x86-64-v3 -stage=memory_sums
target triple = "spir64-unknown-unknown"
declare spir_func i64 @_Z13get_global_idj(i32)

; CHECK-LABEL: define {{.*}}@sum(
; CHECK: next:
; CHECK: store float
; CHECK: br i1
; CHECK: ret void
define spir_kernel void @sum(ptr addrspace(1) %s, ptr addrspace(1) %x, i32 %n) {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %ps = getelementptr float, ptr addrspace(1) %s, i64 %id
  br label %next
next:
  %k = phi i32 [ 0, %entry ], [ %k1, %next ]
  %kl = zext i32 %k to i64
  %px = getelementptr float, ptr addrspace(1) %x, i64 %kl
  %v = load float, ptr addrspace(1) %px
  %old = load float, ptr addrspace(1) %ps
  %new = fadd float %old, %v
  store float %new, ptr addrspace(1) %ps
  %k1 = add nuw nsw i32 %k, 1
  %more = icmp slt i32 %k1, %n
  br i1 %more, label %next, label %end
end:
  ret void
}

; A loop that comes behind a branch, and whose address is made in it.
; CHECK-LABEL: define {{.*}}@behind_branch(
; CHECK: next:
; CHECK: phi float
; CHECK-NOT: store float
; CHECK: br i1
; CHECK: store float
; CHECK: ret void
define spir_kernel void @behind_branch(ptr addrspace(1) noalias %s, ptr addrspace(1) %x, i64 %n) {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %some = icmp slt i64 %id, 100
  br i1 %some, label %next, label %end
next:
  %k = phi i64 [ 0, %entry ], [ %k1, %next ]
  %at = add nsw i64 %id, 7
  %ps = getelementptr float, ptr addrspace(1) %s, i64 %at
  %px = getelementptr float, ptr addrspace(1) %x, i64 %k
  %v = load float, ptr addrspace(1) %px
  %old = load float, ptr addrspace(1) %ps
  %new = fadd float %old, %v
  store float %new, ptr addrspace(1) %ps
  %k1 = add nuw nsw i64 %k, 1
  %more = icmp slt i64 %k1, 100
  br i1 %more, label %next, label %end
end:
  ret void
}

; What is added lies in the group's own memory, to which no argument leads.
; CHECK-LABEL: define {{.*}}@tile(
; CHECK: load float
; CHECK: next:
; CHECK: phi float
; CHECK-NOT: store float
; CHECK: br i1
; CHECK: store float
; CHECK: ret void
@part = internal addrspace(3) global [64 x float] poison
define spir_kernel void @tile(ptr addrspace(1) %s) {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %ps = getelementptr float, ptr addrspace(1) %s, i64 %id
  br label %next
next:
  %k = phi i64 [ 0, %entry ], [ %k1, %next ]
  %px = getelementptr float, ptr addrspace(3) @part, i64 %k
  %v = load float, ptr addrspace(3) %px
  %old = load float, ptr addrspace(1) %ps
  %new = fadd float %old, %v
  store float %new, ptr addrspace(1) %ps
  %k1 = add nuw nsw i64 %k, 1
  %more = icmp slt i64 %k1, 64
  br i1 %more, label %next, label %end
end:
  ret void
}

; CHECK-LABEL: define {{.*}}@restricted(
; CHECK: load float
; CHECK: next:
; CHECK: phi float
; CHECK-NOT: store float
; CHECK: br i1
; CHECK: store float
; CHECK: ret void
define spir_kernel void @restricted(ptr addrspace(1) noalias %s, ptr addrspace(1) %x, i32 %n) {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %ps = getelementptr float, ptr addrspace(1) %s, i64 %id
  br label %next
next:
  %k = phi i32 [ 0, %entry ], [ %k1, %next ]
  %kl = zext i32 %k to i64
  %px = getelementptr float, ptr addrspace(1) %x, i64 %kl
  %v = load float, ptr addrspace(1) %px
  %old = load float, ptr addrspace(1) %ps
  %new = fadd float %old, %v
  store float %new, ptr addrspace(1) %ps
  %k1 = add nuw nsw i32 %k, 1
  %more = icmp slt i32 %k1, %n
  br i1 %more, label %next, label %end
end:
  ret void
}

; CHECK-LABEL: define {{.*}}@some_rounds(
define spir_kernel void @some_rounds(ptr addrspace(1) %s, ptr addrspace(1) %x, i32 %n) {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %ps = getelementptr float, ptr addrspace(1) %s, i64 %id
  br label %next
next:
  %k = phi i32 [ 0, %entry ], [ %k1, %again ]
  %kl = zext i32 %k to i64
  %px = getelementptr float, ptr addrspace(1) %x, i64 %kl
  %v = load float, ptr addrspace(1) %px
  %adds = fcmp ogt float %v, 0.0
  br i1 %adds, label %add, label %again
add:
  %old = load float, ptr addrspace(1) %ps
  %new = fadd float %old, %v
  store float %new, ptr addrspace(1) %ps
  br label %again
again:
  %k1 = add nuw nsw i32 %k, 1
  %more = icmp slt i32 %k1, %n
  br i1 %more, label %next, label %end
end:
  ret void
}

; What else is loaded may be that place, but nothing else is stored: the sum is a value that is stored each time.
; CHECK-LABEL: define {{.*}}@same(
; CHECK: load float
; CHECK: next:
; CHECK: phi float
; CHECK: load float
; CHECK-NOT: load float
; CHECK: store float
; CHECK: br i1
; CHECK: ret void
define spir_kernel void @same(ptr addrspace(1) %s, ptr addrspace(1) %x, i32 %n) {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %ps = getelementptr float, ptr addrspace(1) %s, i64 %id
  br label %next
next:
  %k = phi i32 [ 0, %entry ], [ %k1, %next ]
  %kl = zext i32 %k to i64
  %px = getelementptr float, ptr addrspace(1) %s, i64 %kl
  %v = load float, ptr addrspace(1) %px
  %old = load float, ptr addrspace(1) %ps
  %new = fadd float %old, %v
  store float %new, ptr addrspace(1) %ps
  %k1 = add nuw nsw i32 %k, 1
  %more = icmp slt i32 %k1, %n
  br i1 %more, label %next, label %end
end:
  ret void
}

; CHECK-LABEL: define {{.*}}@with_atomic(
define spir_kernel void @with_atomic(ptr addrspace(1) %s, ptr addrspace(1) %x, i32 %n) {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %ps = getelementptr i32, ptr addrspace(1) %s, i64 %id
  br label %next
next:
  %k = phi i32 [ 0, %entry ], [ %k1, %next ]
  %v = atomicrmw add ptr addrspace(1) %x, i32 1 seq_cst
  %old = load i32, ptr addrspace(1) %ps
  %new = add i32 %old, %v
  store i32 %new, ptr addrspace(1) %ps
  %k1 = add nuw nsw i32 %k, 1
  %more = icmp slt i32 %k1, %n
  br i1 %more, label %next, label %end
end:
  ret void
}

; Fields of a structure are places of their own.
; CHECK-LABEL: define {{.*}}@fields(
; CHECK: load float
; CHECK: load float
; CHECK: next:
; CHECK: phi float
; CHECK: phi float
; CHECK-NOT: store float
; CHECK: br i1
; CHECK: store float
; CHECK: store float
; CHECK: ret void
define spir_kernel void @fields(ptr addrspace(1) noalias %s, ptr addrspace(1) %x, i32 %n) {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  br label %next
next:
  %k = phi i32 [ 0, %entry ], [ %k1, %next ]
  %kl = zext i32 %k to i64
  %px = getelementptr float, ptr addrspace(1) %x, i64 %kl
  %v = load float, ptr addrspace(1) %px
  %ps = getelementptr { float, float }, ptr addrspace(1) %s, i64 %id
  %old = load float, ptr addrspace(1) %ps
  %new = fadd float %old, %v
  store float %new, ptr addrspace(1) %ps
  %pt = getelementptr i8, ptr addrspace(1) %ps, i64 4
  %old2 = load float, ptr addrspace(1) %pt
  %new2 = fmul float %old2, %v
  store float %new2, ptr addrspace(1) %pt
  %k1 = add nuw nsw i32 %k, 1
  %more = icmp slt i32 %k1, %n
  br i1 %more, label %next, label %end
end:
  ret void
}

; Two bytes further a float shares two bytes with the first.
; CHECK-LABEL: define {{.*}}@sharing(
; CHECK: next:
; CHECK: store float
; CHECK: store float
; CHECK: br i1
; CHECK: ret void
define spir_kernel void @sharing(ptr addrspace(1) noalias %s, ptr addrspace(1) %x, i32 %n) {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %ps = getelementptr { float, float }, ptr addrspace(1) %s, i64 %id
  %pt = getelementptr i8, ptr addrspace(1) %ps, i64 2
  br label %next
next:
  %k = phi i32 [ 0, %entry ], [ %k1, %next ]
  %kl = zext i32 %k to i64
  %px = getelementptr float, ptr addrspace(1) %x, i64 %kl
  %v = load float, ptr addrspace(1) %px
  %old = load float, ptr addrspace(1) %ps
  %new = fadd float %old, %v
  store float %new, ptr addrspace(1) %ps
  %old2 = load float, ptr addrspace(1) %pt, align 2
  %new2 = fmul float %old2, %v
  store float %new2, ptr addrspace(1) %pt, align 2
  %k1 = add nuw nsw i32 %k, 1
  %more = icmp slt i32 %k1, %n
  br i1 %more, label %next, label %end
end:
  ret void
}

; Components of a vector, stored one by one and loaded as one: each is a value of its own.
; CHECK-LABEL: define {{.*}}@components(
; CHECK: next:
; CHECK: phi float
; CHECK: phi float
; CHECK-NOT: store float
; CHECK: br i1
; CHECK: store float
; CHECK: store float
; CHECK: ret void
define spir_kernel void @components(ptr addrspace(1) noalias %s, ptr addrspace(1) %x) {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %ps = getelementptr <4 x float>, ptr addrspace(1) %s, i64 %id
  br label %next
next:
  %k = phi i64 [ 0, %entry ], [ %k1, %next ]
  %px = getelementptr float, ptr addrspace(1) %x, i64 %k
  %v = load float, ptr addrspace(1) %px
  %whole = load <4 x float>, ptr addrspace(1) %ps
  %w = extractelement <4 x float> %whole, i64 3
  %w1 = fadd float %w, %v
  %pw = getelementptr i8, ptr addrspace(1) %ps, i64 12
  store float %w1, ptr addrspace(1) %pw
  %again = load <4 x float>, ptr addrspace(1) %ps
  %a = extractelement <4 x float> %again, i64 0
  %a1 = fmul float %a, %v
  store float %a1, ptr addrspace(1) %ps
  %k1 = add nuw nsw i64 %k, 1
  %more = icmp slt i64 %k1, 100
  br i1 %more, label %next, label %end
end:
  ret void
}

; Not if all of the vector is read too.
; CHECK-LABEL: define {{.*}}@components_and_whole(
; CHECK: next:
; CHECK: load <4 x float>
; CHECK: store float
; CHECK: br i1
; CHECK: ret void
define spir_kernel void @components_and_whole(ptr addrspace(1) noalias %s, ptr addrspace(1) noalias %x) {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %ps = getelementptr <4 x float>, ptr addrspace(1) %s, i64 %id
  br label %next
next:
  %k = phi i64 [ 0, %entry ], [ %k1, %next ]
  %px = getelementptr <4 x float>, ptr addrspace(1) %x, i64 %k
  %whole = load <4 x float>, ptr addrspace(1) %ps
  %w = extractelement <4 x float> %whole, i64 3
  %w1 = fadd float %w, 1.0
  %pw = getelementptr i8, ptr addrspace(1) %ps, i64 12
  store float %w1, ptr addrspace(1) %pw
  %again = load <4 x float>, ptr addrspace(1) %ps
  store <4 x float> %again, ptr addrspace(1) %px
  %k1 = add nuw nsw i64 %k, 1
  %more = icmp slt i64 %k1, 100
  br i1 %more, label %next, label %end
end:
  ret void
}

; CHECK-NOT: define {{.*}}.apart(
; CHECK-LABEL: define {{.*}}@sum.apart(
; CHECK: load float
; CHECK: next:
; CHECK: phi float
; CHECK-NOT: store float
; CHECK: br i1
; CHECK: store float
; CHECK: ret void
; CHECK-NOT: define {{.*}}.apart(
