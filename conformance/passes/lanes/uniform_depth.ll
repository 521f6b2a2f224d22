; SPDX-License-Identifier: Apache-2.0
; What is the same for all items behind a barrier is found out in one pass over it, however often its
; values are used: with a chain of thirty this would otherwise not end.
; RUN: sl-opt -mcpu=x86-64-v4
; CHECK: define internal void @chain.groups
target triple = "spir64-unknown-unknown"
declare spir_func i64 @_Z12get_local_idj(i32)
declare spir_func void @_Z7barrierj(i32)
define spir_kernel void @chain(ptr addrspace(3) align 4 %t, i32 %n) {
entry:
  %id = call spir_func i64 @_Z12get_local_idj(i32 0)
  %l = trunc i64 %id to i32
  %p = getelementptr inbounds i32, ptr addrspace(3) %t, i64 %id
  br label %head
head:
  %k = phi i32 [ 0, %entry ], [ %next, %end ]
  call spir_func void @_Z7barrierj(i32 1)
  %x0 = add i32 %n, %k
  %s0 = mul i32 %x0, %x0
  %x1 = xor i32 %s0, %x0
  %s1 = mul i32 %x1, %x1
  %x2 = xor i32 %s1, %x1
  %s2 = mul i32 %x2, %x2
  %x3 = xor i32 %s2, %x2
  %s3 = mul i32 %x3, %x3
  %x4 = xor i32 %s3, %x3
  %s4 = mul i32 %x4, %x4
  %x5 = xor i32 %s4, %x4
  %s5 = mul i32 %x5, %x5
  %x6 = xor i32 %s5, %x5
  %s6 = mul i32 %x6, %x6
  %x7 = xor i32 %s6, %x6
  %s7 = mul i32 %x7, %x7
  %x8 = xor i32 %s7, %x7
  %s8 = mul i32 %x8, %x8
  %x9 = xor i32 %s8, %x8
  %s9 = mul i32 %x9, %x9
  %x10 = xor i32 %s9, %x9
  %s10 = mul i32 %x10, %x10
  %x11 = xor i32 %s10, %x10
  %s11 = mul i32 %x11, %x11
  %x12 = xor i32 %s11, %x11
  %s12 = mul i32 %x12, %x12
  %x13 = xor i32 %s12, %x12
  %s13 = mul i32 %x13, %x13
  %x14 = xor i32 %s13, %x13
  %s14 = mul i32 %x14, %x14
  %x15 = xor i32 %s14, %x14
  %s15 = mul i32 %x15, %x15
  %x16 = xor i32 %s15, %x15
  %s16 = mul i32 %x16, %x16
  %x17 = xor i32 %s16, %x16
  %s17 = mul i32 %x17, %x17
  %x18 = xor i32 %s17, %x17
  %s18 = mul i32 %x18, %x18
  %x19 = xor i32 %s18, %x18
  %s19 = mul i32 %x19, %x19
  %x20 = xor i32 %s19, %x19
  %s20 = mul i32 %x20, %x20
  %x21 = xor i32 %s20, %x20
  %s21 = mul i32 %x21, %x21
  %x22 = xor i32 %s21, %x21
  %s22 = mul i32 %x22, %x22
  %x23 = xor i32 %s22, %x22
  %s23 = mul i32 %x23, %x23
  %x24 = xor i32 %s23, %x23
  %s24 = mul i32 %x24, %x24
  %x25 = xor i32 %s24, %x24
  %s25 = mul i32 %x25, %x25
  %x26 = xor i32 %s25, %x25
  %s26 = mul i32 %x26, %x26
  %x27 = xor i32 %s26, %x26
  %s27 = mul i32 %x27, %x27
  %x28 = xor i32 %s27, %x27
  %s28 = mul i32 %x28, %x28
  %x29 = xor i32 %s28, %x28
  %s29 = mul i32 %x29, %x29
  %x30 = xor i32 %s29, %x29
  %mine = icmp ult i32 %l, %x30
  br i1 %mine, label %some, label %end
some:
  store i32 %k, ptr addrspace(3) %p, align 4
  br label %end
end:
  call spir_func void @_Z7barrierj(i32 1)
  %next = add nuw nsw i32 %k, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %head, label %out
out:
  ret void
}
