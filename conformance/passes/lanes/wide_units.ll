; SPDX-License-Identifier: Apache-2.0
; Machines that begin two operations on their largest registers per cycle: code that waits for itself takes
; four registers per value, in loops that some lanes leave too; two where there would be no registers for
; numbers that are known in a cycle, or where eight chains fill the loop as well, or as many sums; one where a
; loop that lanes leave divides, or rows are short, or lanes go through rows of their own: each has a cache line
; then, and the more lanes the fewer of them stay; or a loop of integers asks two things at once: masks of
; several registers are put together and taken apart for each `and`. Two where lanes leave a loop one by one
; that asks memory whether to go on; one where a loop of integers does much in a round that does not wait.
; RUN: sl-opt -mcpu=x86-64-v4 -wide-units
target triple = "spir64-unknown-unknown"
declare spir_func i64 @_Z13get_global_idj(i32)
declare spir_func i64 @_Z12get_local_idj(i32)

; CHECK-LABEL: define internal void @divides.groups
; CHECK: <16 x float>
; CHECK: ret void
define spir_kernel void @divides(ptr addrspace(1) %a, ptr addrspace(1) %o) {
entry:
  %x = call spir_func i64 @_Z13get_global_idj(i32 0)
  %pa = getelementptr float, ptr addrspace(1) %a, i64 %x
  %v = load float, ptr addrspace(1) %pa
  br label %next
next:
  %k = phi i32 [ 0, %entry ], [ %k1, %next ]
  %p = phi float [ %v, %entry ], [ %q, %next ]
  %c0 = fmul float %p, %v
  %c1 = fadd float %c0, %v
  %c2 = fmul float %c1, %v
  %c3 = fadd float %c2, %v
  %c4 = fmul float %c3, %v
  %c5 = fadd float %c4, %v
  %c6 = fmul float %c5, %v
  %c7 = fadd float %c6, %v
  %c8 = fmul float %c7, %v
  %c9 = fadd float %c8, %v
  %c10 = fmul float %c9, %v
  %c11 = fadd float %c10, %v
  %c12 = fmul float %c11, %v
  %c13 = fadd float %c12, %v
  %c14 = fmul float %c13, %v
  %c15 = fadd float %c14, %v
  %c16 = fmul float %c15, %v
  %c17 = fadd float %c16, %v
  %q = fdiv float 1.0, %c17
  %k1 = add i32 %k, 1
  %more = fcmp olt float %q, 4.0
  br i1 %more, label %next, label %end
end:
  %po = getelementptr float, ptr addrspace(1) %o, i64 %x
  store float %q, ptr addrspace(1) %po
  ret void
}

; Eight sums that do not wait for each other: two registers per value, which stay in registers.
; CHECK-LABEL: define internal void @eight_sums.groups
; CHECK-NOT: <64 x float>
; CHECK: fadd <32 x float>
; CHECK-NOT: <64 x float>
; CHECK: ret void
define spir_kernel void @eight_sums(ptr addrspace(1) %a, ptr addrspace(1) %b, ptr addrspace(1) %o, i64 %n) {
entry:
  %x = call spir_func i64 @_Z13get_global_idj(i32 0)
  br label %next
next:
  %k = phi i64 [ 0, %entry ], [ %k1, %next ]
  %s0 = phi float [ 0.0, %entry ], [ %t0, %next ]
  %s1 = phi float [ 0.0, %entry ], [ %t1, %next ]
  %s2 = phi float [ 0.0, %entry ], [ %t2, %next ]
  %s3 = phi float [ 0.0, %entry ], [ %t3, %next ]
  %s4 = phi float [ 0.0, %entry ], [ %t4, %next ]
  %s5 = phi float [ 0.0, %entry ], [ %t5, %next ]
  %s6 = phi float [ 0.0, %entry ], [ %t6, %next ]
  %s7 = phi float [ 0.0, %entry ], [ %t7, %next ]
  %row = mul i64 %k, %n
  %at = add i64 %row, %x
  %pb = getelementptr float, ptr addrspace(1) %b, i64 %at
  %v = load float, ptr addrspace(1) %pb
  %i0 = add i64 %row, 0
  %pa0 = getelementptr float, ptr addrspace(1) %a, i64 %i0
  %w0 = load float, ptr addrspace(1) %pa0
  %m0 = fmul float %w0, %v
  %t0 = fadd float %s0, %m0
  %i1 = add i64 %row, 1
  %pa1 = getelementptr float, ptr addrspace(1) %a, i64 %i1
  %w1 = load float, ptr addrspace(1) %pa1
  %m1 = fmul float %w1, %v
  %t1 = fadd float %s1, %m1
  %i2 = add i64 %row, 2
  %pa2 = getelementptr float, ptr addrspace(1) %a, i64 %i2
  %w2 = load float, ptr addrspace(1) %pa2
  %m2 = fmul float %w2, %v
  %t2 = fadd float %s2, %m2
  %i3 = add i64 %row, 3
  %pa3 = getelementptr float, ptr addrspace(1) %a, i64 %i3
  %w3 = load float, ptr addrspace(1) %pa3
  %m3 = fmul float %w3, %v
  %t3 = fadd float %s3, %m3
  %i4 = add i64 %row, 4
  %pa4 = getelementptr float, ptr addrspace(1) %a, i64 %i4
  %w4 = load float, ptr addrspace(1) %pa4
  %m4 = fmul float %w4, %v
  %t4 = fadd float %s4, %m4
  %i5 = add i64 %row, 5
  %pa5 = getelementptr float, ptr addrspace(1) %a, i64 %i5
  %w5 = load float, ptr addrspace(1) %pa5
  %m5 = fmul float %w5, %v
  %t5 = fadd float %s5, %m5
  %i6 = add i64 %row, 6
  %pa6 = getelementptr float, ptr addrspace(1) %a, i64 %i6
  %w6 = load float, ptr addrspace(1) %pa6
  %m6 = fmul float %w6, %v
  %t6 = fadd float %s6, %m6
  %i7 = add i64 %row, 7
  %pa7 = getelementptr float, ptr addrspace(1) %a, i64 %i7
  %w7 = load float, ptr addrspace(1) %pa7
  %m7 = fmul float %w7, %v
  %t7 = fadd float %s7, %m7
  %k1 = add i64 %k, 1
  %more = icmp ult i64 %k1, %n
  br i1 %more, label %next, label %end
end:
  %j0 = mul i64 %n, 0
  %q0 = add i64 %j0, %x
  %po0 = getelementptr float, ptr addrspace(1) %o, i64 %q0
  store float %t0, ptr addrspace(1) %po0
  %j1 = mul i64 %n, 1
  %q1 = add i64 %j1, %x
  %po1 = getelementptr float, ptr addrspace(1) %o, i64 %q1
  store float %t1, ptr addrspace(1) %po1
  %j2 = mul i64 %n, 2
  %q2 = add i64 %j2, %x
  %po2 = getelementptr float, ptr addrspace(1) %o, i64 %q2
  store float %t2, ptr addrspace(1) %po2
  %j3 = mul i64 %n, 3
  %q3 = add i64 %j3, %x
  %po3 = getelementptr float, ptr addrspace(1) %o, i64 %q3
  store float %t3, ptr addrspace(1) %po3
  %j4 = mul i64 %n, 4
  %q4 = add i64 %j4, %x
  %po4 = getelementptr float, ptr addrspace(1) %o, i64 %q4
  store float %t4, ptr addrspace(1) %po4
  %j5 = mul i64 %n, 5
  %q5 = add i64 %j5, %x
  %po5 = getelementptr float, ptr addrspace(1) %o, i64 %q5
  store float %t5, ptr addrspace(1) %po5
  %j6 = mul i64 %n, 6
  %q6 = add i64 %j6, %x
  %po6 = getelementptr float, ptr addrspace(1) %o, i64 %q6
  store float %t6, ptr addrspace(1) %po6
  %j7 = mul i64 %n, 7
  %q7 = add i64 %j7, %x
  %po7 = getelementptr float, ptr addrspace(1) %o, i64 %q7
  store float %t7, ptr addrspace(1) %po7
  ret void
}

; Straight code that waits for products of words has two, without many of them one.
; CHECK-LABEL: define internal void @few_products.groups
; CHECK: mul <16 x i32>
; CHECK: ret void
define spir_kernel void @few_products(ptr addrspace(1) %a, ptr addrspace(1) %o) {
  %x = call spir_func i64 @_Z13get_global_idj(i32 0)
  %pa = getelementptr i32, ptr addrspace(1) %a, i64 %x
  %v = load i32, ptr addrspace(1) %pa
  %m0 = mul i32 %v, 19
  %s0 = xor i32 %m0, 7
  %m1 = mul i32 %s0, %v
  %s1 = xor i32 %m1, 7
  %m2 = mul i32 %s1, %v
  %po = getelementptr i32, ptr addrspace(1) %o, i64 %x
  store i32 %m2, ptr addrspace(1) %po
  ret void
}

; CHECK-LABEL: define internal void @full.groups
; CHECK: <32 x float>
; CHECK: ret void
define spir_kernel void @full(ptr addrspace(1) %a, ptr addrspace(1) %o) {
entry:
  %x = call spir_func i64 @_Z13get_global_idj(i32 0)
  %pa = getelementptr float, ptr addrspace(1) %a, i64 %x
  %v = load float, ptr addrspace(1) %pa
  br label %next
next:
  %k = phi i32 [ 0, %entry ], [ %k1, %next ]
  %p0 = phi float [ 0.0, %entry ], [ %q0, %next ]
  %p1 = phi float [ 1.0, %entry ], [ %q1, %next ]
  %p2 = phi float [ 2.0, %entry ], [ %q2, %next ]
  %p3 = phi float [ 3.0, %entry ], [ %q3, %next ]
  %p4 = phi float [ 4.0, %entry ], [ %q4, %next ]
  %p5 = phi float [ 5.0, %entry ], [ %q5, %next ]
  %p6 = phi float [ 6.0, %entry ], [ %q6, %next ]
  %p7 = phi float [ 7.0, %entry ], [ %q7, %next ]
  %m0 = fmul float %p0, %v
  %q0 = fadd float %m0, %v
  %m1 = fmul float %p1, %v
  %q1 = fadd float %m1, %v
  %m2 = fmul float %p2, %v
  %q2 = fadd float %m2, %v
  %m3 = fmul float %p3, %v
  %q3 = fadd float %m3, %v
  %m4 = fmul float %p4, %v
  %q4 = fadd float %m4, %v
  %m5 = fmul float %p5, %v
  %q5 = fadd float %m5, %v
  %m6 = fmul float %p6, %v
  %q6 = fadd float %m6, %v
  %m7 = fmul float %p7, %v
  %q7 = fadd float %m7, %v
  %k1 = add i32 %k, 1
  %more = icmp ult i32 %k1, 100
  br i1 %more, label %next, label %end
end:
  %s1 = fadd float %q0, %q1
  %s2 = fadd float %s1, %q2
  %s3 = fadd float %s2, %q3
  %s4 = fadd float %s3, %q4
  %s5 = fadd float %s4, %q5
  %s6 = fadd float %s5, %q6
  %s7 = fadd float %s6, %q7
  %po = getelementptr float, ptr addrspace(1) %o, i64 %x
  store float %s7, ptr addrspace(1) %po
  ret void
}

; CHECK-LABEL: define internal void @goes_on.groups
; CHECK: <32 x i32>
; CHECK: ret void
define spir_kernel void @goes_on(ptr addrspace(1) %a, ptr addrspace(1) %o) {
entry:
  %x = call spir_func i64 @_Z13get_global_idj(i32 0)
  %pc = getelementptr i32, ptr addrspace(1) %a, i64 %x
  %c = load i32, ptr addrspace(1) %pc
  br label %next
next:
  %k = phi i32 [ 0, %entry ], [ %k1, %next ]
  %k64 = zext i32 %k to i64
  %here = add i64 %x, %k64
  %ph = getelementptr i32, ptr addrspace(1) %a, i64 %here
  %h = load i32, ptr addrspace(1) %ph
  %t = xor i32 %h, %c
  %k1 = add nuw nsw i32 %k, 1
  %more = icmp ult i32 %t, 1000
  br i1 %more, label %next, label %end
end:
  %po = getelementptr i32, ptr addrspace(1) %o, i64 %x
  store i32 %k, ptr addrspace(1) %po
  ret void
}

; CHECK-LABEL: define internal void @leaves.groups
; CHECK: <64 x float>
; CHECK: ret void
define spir_kernel void @leaves(ptr addrspace(1) %a, ptr addrspace(1) %o) {
entry:
  %x = call spir_func i64 @_Z13get_global_idj(i32 0)
  %pa = getelementptr float, ptr addrspace(1) %a, i64 %x
  %v = load float, ptr addrspace(1) %pa
  br label %next
next:
  %k = phi i32 [ 0, %entry ], [ %k1, %next ]
  %p = phi float [ %v, %entry ], [ %q, %next ]
  %c0 = fmul float %p, %v
  %c1 = fadd float %c0, %v
  %c2 = fmul float %c1, %v
  %c3 = fadd float %c2, %v
  %c4 = fmul float %c3, %v
  %c5 = fadd float %c4, %v
  %c6 = fmul float %c5, %v
  %c7 = fadd float %c6, %v
  %c8 = fmul float %c7, %v
  %c9 = fadd float %c8, %v
  %c10 = fmul float %c9, %v
  %c11 = fadd float %c10, %v
  %c12 = fmul float %c11, %v
  %c13 = fadd float %c12, %v
  %c14 = fmul float %c13, %v
  %c15 = fadd float %c14, %v
  %c16 = fmul float %c15, %v
  %c17 = fadd float %c16, %v
  %q = fadd float %c17, 1.0
  %k1 = add i32 %k, 1
  %more = fcmp olt float %q, 4.0
  br i1 %more, label %next, label %end
end:
  %po = getelementptr float, ptr addrspace(1) %o, i64 %x
  store float %q, ptr addrspace(1) %po
  ret void
}

; CHECK-LABEL: define internal void @many_numbers.groups
; CHECK: <32 x i32>
; CHECK: ret void
define spir_kernel void @many_numbers(ptr addrspace(1) %a, ptr addrspace(1) %o) {
entry:
  %x = call spir_func i64 @_Z13get_global_idj(i32 0)
  %pa = getelementptr i32, ptr addrspace(1) %a, i64 %x
  %v = load i32, ptr addrspace(1) %pa
  br label %next
next:
  %k = phi i32 [ 0, %entry ], [ %k1, %next ]
  %p0 = phi i32 [ 1, %entry ], [ %q0, %next ]
  %p1 = phi i32 [ 2, %entry ], [ %q1, %next ]
  %p2 = phi i32 [ 3, %entry ], [ %q2, %next ]
  %p3 = phi i32 [ 4, %entry ], [ %q3, %next ]
  %p4 = phi i32 [ 5, %entry ], [ %q4, %next ]
  %p5 = phi i32 [ 6, %entry ], [ %q5, %next ]
  %p6 = phi i32 [ 7, %entry ], [ %q6, %next ]
  %p7 = phi i32 [ 8, %entry ], [ %q7, %next ]
  %p8 = phi i32 [ 9, %entry ], [ %q8, %next ]
  %p9 = phi i32 [ 10, %entry ], [ %q9, %next ]
  %p10 = phi i32 [ 11, %entry ], [ %q10, %next ]
  %p11 = phi i32 [ 12, %entry ], [ %q11, %next ]
  %q0 = xor i32 %p1, %v
  %q1 = xor i32 %p2, %p1
  %q2 = xor i32 %p3, %p2
  %q3 = xor i32 %p4, %p3
  %q4 = xor i32 %p5, %p4
  %q5 = xor i32 %p6, %p5
  %q6 = xor i32 %p7, %p6
  %q7 = xor i32 %p8, %p7
  %q8 = xor i32 %p9, %p8
  %q9 = xor i32 %p10, %p9
  %q10 = xor i32 %p11, %p10
  %q11 = xor i32 %p0, %p11
  %k1 = add i32 %k, 1
  %more = icmp ult i32 %k1, 64
  br i1 %more, label %next, label %end
end:
  %po = getelementptr i32, ptr addrspace(1) %o, i64 %x
  store i32 %q0, ptr addrspace(1) %po
  ret void
}

; CHECK-LABEL: define internal void @much_to_do.groups
; CHECK: <16 x i32>
; CHECK-NOT: <32 x i32>
; CHECK: ret void
define spir_kernel void @much_to_do(ptr addrspace(1) %a, ptr addrspace(1) %o, i32 %n) {
entry:
  %x = call spir_func i64 @_Z13get_global_idj(i32 0)
  br label %next
next:
  %k = phi i32 [ 0, %entry ], [ %k1, %next ]
  %best = phi i32 [ -1, %entry ], [ %less, %next ]
  %k64 = zext i32 %k to i64
  %here = add i64 %x, %k64
  %ph = getelementptr i32, ptr addrspace(1) %a, i64 %here
  %v = load i32, ptr addrspace(1) %ph
  %m0 = mul i32 %v, -1640531535
  %s0 = lshr i32 %m0, 15
  %x0 = xor i32 %m0, %s0
  %m1 = mul i32 %x0, -1640531535
  %s1 = lshr i32 %m1, 15
  %x1 = xor i32 %m1, %s1
  %m2 = mul i32 %x1, -1640531535
  %s2 = lshr i32 %m2, 15
  %x2 = xor i32 %m2, %s2
  %m3 = mul i32 %x2, -1640531535
  %s3 = lshr i32 %m3, 15
  %x3 = xor i32 %m3, %s3
  %m4 = mul i32 %x3, -1640531535
  %s4 = lshr i32 %m4, 15
  %x4 = xor i32 %m4, %s4
  %smaller = icmp ult i32 %x4, %best
  %less = select i1 %smaller, i32 %x4, i32 %best
  %k1 = add nuw nsw i32 %k, 1
  %more = icmp ult i32 %k1, %n
  br i1 %more, label %next, label %end
end:
  %po = getelementptr i32, ptr addrspace(1) %o, i64 %x
  store i32 %less, ptr addrspace(1) %po
  ret void
}

; CHECK-LABEL: define internal void @products.groups
; CHECK: mul <32 x i32>
; CHECK: ret void
define spir_kernel void @products(ptr addrspace(1) %a, ptr addrspace(1) %o) {
  %x = call spir_func i64 @_Z13get_global_idj(i32 0)
  %pa = getelementptr i32, ptr addrspace(1) %a, i64 %x
  %v = load i32, ptr addrspace(1) %pa
  %m0 = mul i32 %v, 19
  %s0 = xor i32 %m0, 7
  %m1 = mul i32 %s0, %v
  %s1 = xor i32 %m1, 7
  %m2 = mul i32 %s1, %v
  %s2 = xor i32 %m2, 7
  %m3 = mul i32 %s2, %v
  %po = getelementptr i32, ptr addrspace(1) %o, i64 %x
  store i32 %m3, ptr addrspace(1) %po
  ret void
}

; CHECK-LABEL: define internal void @short_rows.groups
; CHECK: <16 x float>
; CHECK: ret void
define spir_kernel void @short_rows(ptr addrspace(1) %a, ptr addrspace(1) %o) {
entry:
  %x = call spir_func i64 @_Z12get_local_idj(i32 0)
  %pa = getelementptr float, ptr addrspace(1) %a, i64 %x
  %v = load float, ptr addrspace(1) %pa
  br label %next
next:
  %k = phi i32 [ 0, %entry ], [ %k1, %next ]
  %p = phi float [ %v, %entry ], [ %q, %next ]
  %c0 = fmul float %p, %v
  %c1 = fadd float %c0, %v
  %c2 = fmul float %c1, %v
  %c3 = fadd float %c2, %v
  %c4 = fmul float %c3, %v
  %c5 = fadd float %c4, %v
  %c6 = fmul float %c5, %v
  %c7 = fadd float %c6, %v
  %c8 = fmul float %c7, %v
  %c9 = fadd float %c8, %v
  %c10 = fmul float %c9, %v
  %c11 = fadd float %c10, %v
  %c12 = fmul float %c11, %v
  %c13 = fadd float %c12, %v
  %c14 = fmul float %c13, %v
  %c15 = fadd float %c14, %v
  %c16 = fmul float %c15, %v
  %c17 = fadd float %c16, %v
  %q = fadd float %c17, 1.0
  %k1 = add i32 %k, 1
  %more = icmp ult i32 %k1, 64
  br i1 %more, label %next, label %end
end:
  %po = getelementptr float, ptr addrspace(1) %o, i64 %x
  store float %q, ptr addrspace(1) %po
  ret void
}

; CHECK-LABEL: define internal void @waits.groups
; CHECK: <64 x float>
; CHECK: ret void
define spir_kernel void @waits(ptr addrspace(1) %a, ptr addrspace(1) %o) {
entry:
  %x = call spir_func i64 @_Z13get_global_idj(i32 0)
  %pa = getelementptr float, ptr addrspace(1) %a, i64 %x
  %v = load float, ptr addrspace(1) %pa
  br label %next
next:
  %k = phi i32 [ 0, %entry ], [ %k1, %next ]
  %p = phi float [ %v, %entry ], [ %q, %next ]
  %c0 = fmul float %p, %v
  %c1 = fadd float %c0, %v
  %c2 = fmul float %c1, %v
  %c3 = fadd float %c2, %v
  %c4 = fmul float %c3, %v
  %c5 = fadd float %c4, %v
  %c6 = fmul float %c5, %v
  %c7 = fadd float %c6, %v
  %c8 = fmul float %c7, %v
  %c9 = fadd float %c8, %v
  %c10 = fmul float %c9, %v
  %c11 = fadd float %c10, %v
  %c12 = fmul float %c11, %v
  %c13 = fadd float %c12, %v
  %c14 = fmul float %c13, %v
  %c15 = fadd float %c14, %v
  %c16 = fmul float %c15, %v
  %c17 = fadd float %c16, %v
  %q = fadd float %c17, 1.0
  %k1 = add i32 %k, 1
  %more = icmp ult i32 %k1, 64
  br i1 %more, label %next, label %end
end:
  %po = getelementptr float, ptr addrspace(1) %o, i64 %x
  store float %q, ptr addrspace(1) %po
  ret void
}

; CHECK-LABEL: define internal void @walks_rows.groups
; CHECK: phi <16 x float>
; CHECK: ret void
define spir_kernel void @walks_rows(ptr addrspace(1) %a, ptr addrspace(1) %o, i64 %m) {
entry:
  %x = call spir_func i64 @_Z13get_global_idj(i32 0)
  %row = mul i64 %x, %m
  br label %next
next:
  %k = phi i64 [ 0, %entry ], [ %k1, %next ]
  %p = phi float [ 0.0, %entry ], [ %q, %next ]
  %at = add i64 %row, %k
  %pa = getelementptr float, ptr addrspace(1) %a, i64 %at
  %v = load float, ptr addrspace(1) %pa
  %c0 = fmul float %p, %v
  %c1 = fadd float %c0, %v
  %c2 = fmul float %c1, %v
  %c3 = fadd float %c2, %v
  %c4 = fmul float %c3, %v
  %c5 = fadd float %c4, %v
  %c6 = fmul float %c5, %v
  %q = fadd float %c6, %v
  %k1 = add i64 %k, 1
  %more = icmp ult i64 %k1, %m
  br i1 %more, label %next, label %end
end:
  %po = getelementptr float, ptr addrspace(1) %o, i64 %x
  store float %q, ptr addrspace(1) %po
  ret void
}

; CHECK-LABEL: define internal void @wants_one.groups
; CHECK: add <64 x i32>
; CHECK: ret void
define spir_kernel void @wants_one(ptr addrspace(1) %a, ptr addrspace(1) %o, i64 %n) {
entry:
  %x = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %x
  %v = load i32, ptr addrspace(1) %p
  br label %next
next:
  %k = phi i64 [ 0, %entry ], [ %k1, %next ]
  %c = phi i32 [ 0, %entry ], [ %c1, %next ]
  %q = getelementptr i32, ptr addrspace(1) %a, i64 %k
  %w = load i32, ptr addrspace(1) %q
  %less = icmp slt i32 %w, %v
  %one = zext i1 %less to i32
  %c1 = add i32 %c, %one
  %k1 = add i64 %k, 1
  %more = icmp ult i64 %k1, %n
  br i1 %more, label %next, label %end
end:
  %r = getelementptr i32, ptr addrspace(1) %o, i64 %x
  store i32 %c1, ptr addrspace(1) %r
  ret void
}

; CHECK-LABEL: define internal void @wants_two.groups
; CHECK-NOT: <64 x i32>
; CHECK: add <32 x i32>
; CHECK: ret void
define spir_kernel void @wants_two(ptr addrspace(1) %a, ptr addrspace(1) %o, i64 %n) {
entry:
  %x = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %x
  %v = load i32, ptr addrspace(1) %p
  br label %next
next:
  %k = phi i64 [ 0, %entry ], [ %k1, %next ]
  %c = phi i32 [ 0, %entry ], [ %c1, %next ]
  %q = getelementptr i32, ptr addrspace(1) %a, i64 %k
  %w = load i32, ptr addrspace(1) %q
  %less = icmp slt i32 %w, %v
  %before = icmp slt i64 %k, %x
  %both = and i1 %less, %before
  %one = zext i1 %both to i32
  %c1 = add i32 %c, %one
  %k1 = add i64 %k, 1
  %more = icmp ult i64 %k1, %n
  br i1 %more, label %next, label %end
end:
  %r = getelementptr i32, ptr addrspace(1) %o, i64 %x
  store i32 %c1, ptr addrspace(1) %r
  ret void
}
