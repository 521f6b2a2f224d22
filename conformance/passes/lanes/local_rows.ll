; SPDX-License-Identifier: Apache-2.0
; Local memory that has rows for four items, and each item looks into its own: groups have four, and so do vectors. Not
; if only some items look there.
; RUN: sl-opt -mcpu=x86-64-v4
; CHECK-LABEL: define internal void @each.groups(
; CHECK-NOT: <16 x
; CHECK: xor <4 x i32>
; CHECK-NOT: <16 x
; CHECK: ret void
; CHECK-LABEL: define internal void @some.groups(
; CHECK: xor <16 x i32>
; CHECK: ret void
target triple = "spir64-unknown-unknown"
@tables = internal addrspace(3) global [4 x [256 x i32]] undef, align 16
@others = internal addrspace(3) global [4 x [256 x i32]] undef, align 16
declare spir_func i64 @_Z13get_global_idj(i32)
declare spir_func i64 @_Z12get_local_idj(i32)
define spir_kernel void @each(ptr addrspace(1) %a, ptr addrspace(1) %o, i32 %n) {
entry:
  %x = call spir_func i64 @_Z13get_global_idj(i32 0)
  %l = call spir_func i64 @_Z12get_local_idj(i32 0)
  %pa = getelementptr i32, ptr addrspace(1) %a, i64 %x
  %v = load i32, ptr addrspace(1) %pa
  %mine = getelementptr [4 x [256 x i32]], ptr addrspace(3) @tables, i64 0, i64 %l
  br label %next
next:
  %k = phi i32 [ 0, %entry ], [ %k1, %next ]
  %p = phi i32 [ %v, %entry ], [ %q, %next ]
  %c0 = mul i32 %p, -1640531535
  %cx0 = xor i32 %c0, 5
  %c1 = mul i32 %cx0, -1640531535
  %cx1 = xor i32 %c1, 6
  %c2 = mul i32 %cx1, -1640531535
  %cx2 = xor i32 %c2, 7
  %c3 = mul i32 %cx2, -1640531535
  %cx3 = xor i32 %c3, 8
  %c4 = mul i32 %cx3, -1640531535
  %cx4 = xor i32 %c4, 9
  %c5 = mul i32 %cx4, -1640531535
  %cx5 = xor i32 %c5, 10
  %c6 = mul i32 %cx5, -1640531535
  %cx6 = xor i32 %c6, 11
  %c7 = mul i32 %cx6, -1640531535
  %cx7 = xor i32 %c7, 12
  %c8 = mul i32 %cx7, -1640531535
  %cx8 = xor i32 %c8, 13
  %c9 = mul i32 %cx8, -1640531535
  %cx9 = xor i32 %c9, 14
  %k64 = zext i32 %k to i64
  %there = getelementptr i32, ptr addrspace(3) %mine, i64 %k64
  %t = load i32, ptr addrspace(3) %there
  %q = xor i32 %cx9, %t
  store i32 %k, ptr addrspace(3) %there
  %k1 = add nuw nsw i32 %k, 1
  %more = icmp ult i32 %k1, %n
  br i1 %more, label %next, label %end
end:
  %po = getelementptr i32, ptr addrspace(1) %o, i64 %x
  store i32 %q, ptr addrspace(1) %po
  ret void
}
define spir_kernel void @some(ptr addrspace(1) %a, ptr addrspace(1) %o, i32 %n) {
entry:
  %x = call spir_func i64 @_Z13get_global_idj(i32 0)
  %l = call spir_func i64 @_Z12get_local_idj(i32 0)
  %pa = getelementptr i32, ptr addrspace(1) %a, i64 %x
  %v = load i32, ptr addrspace(1) %pa
  %few = icmp ult i64 %l, 4
  br i1 %few, label %within, label %end
within:
  %mine = getelementptr [4 x [256 x i32]], ptr addrspace(3) @others, i64 0, i64 %l, i64 3
  %t = load i32, ptr addrspace(3) %mine
  store i32 %n, ptr addrspace(3) %mine
  br label %end
end:
  %s = phi i32 [ 7, %entry ], [ %t, %within ]
  %c0 = mul i32 %v, -1640531535
  %cx0 = xor i32 %c0, 5
  %c1 = mul i32 %cx0, -1640531535
  %cx1 = xor i32 %c1, 6
  %c2 = mul i32 %cx1, -1640531535
  %cx2 = xor i32 %c2, 7
  %c3 = mul i32 %cx2, -1640531535
  %cx3 = xor i32 %c3, 8
  %c4 = mul i32 %cx3, -1640531535
  %cx4 = xor i32 %c4, 9
  %c5 = mul i32 %cx4, -1640531535
  %cx5 = xor i32 %c5, 10
  %c6 = mul i32 %cx5, -1640531535
  %cx6 = xor i32 %c6, 11
  %c7 = mul i32 %cx6, -1640531535
  %cx7 = xor i32 %c7, 12
  %c8 = mul i32 %cx7, -1640531535
  %cx8 = xor i32 %c8, 13
  %c9 = mul i32 %cx8, -1640531535
  %cx9 = xor i32 %c9, 14
  %q = xor i32 %cx9, %s
  %po = getelementptr i32, ptr addrspace(1) %o, i64 %x
  store i32 %q, ptr addrspace(1) %po
  ret void
}
