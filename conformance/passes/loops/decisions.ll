; SPDX-License-Identifier: Apache-2.0
; A loop that decides the same in each round becomes a loop for each way, unless more than a little stands beside these.
; RUN: sl-opt -mcpu=x86-64-v4 -stage=simplify
; CHECK-LABEL: @ways(
; CHECK: switch i32 {{.*}}
; CHECK: phi i32
; CHECK: mul i32
; CHECK: br i1
; CHECK: phi i32
; CHECK: lshr i32
; CHECK: br i1
; CHECK-NOT: switch
; CHECK: ret void
; CHECK-LABEL: @inside(
; CHECK: switch i32 {{.*}}
; CHECK: phi i32
; CHECK: mul i32
; CHECK: br i1
; CHECK: phi i32
; CHECK: lshr i32
; CHECK: br i1
; CHECK-NOT: switch
; CHECK: ret void
; CHECK-LABEL: @beside(
; CHECK: phi i32
; CHECK-NOT: br i1
; CHECK: urem i32
; CHECK: br i1
; CHECK-NOT: urem
; CHECK: ret void
target triple = "spir64-unknown-unknown"
declare spir_func i64 @_Z13get_global_idj(i32)
define spir_kernel void @ways(ptr addrspace(1) %x, i32 %n) {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %px = getelementptr inbounds i32, ptr addrspace(1) %x, i64 %id
  %v = load i32, ptr addrspace(1) %px, align 4
  %way = and i32 %v, 3
  br label %next
next:
  %k = phi i32 [ 0, %entry ], [ %k1, %over ]
  %a = phi i32 [ %v, %entry ], [ %b, %over ]
  switch i32 %way, label %over [
    i32 0, label %first
    i32 2, label %second
  ]
first:
  %a3 = mul i32 %a, 3
  %a4 = add i32 %a3, 1
  br label %over
second:
  %half = lshr i32 %a, 3
  %mixed = xor i32 %half, %a
  br label %over
over:
  %b = phi i32 [ %a, %next ], [ %a4, %first ], [ %mixed, %second ]
  %k1 = add i32 %k, 1
  %done = icmp uge i32 %k1, %n
  br i1 %done, label %end, label %next
end:
  store i32 %b, ptr addrspace(1) %px, align 4
  ret void
}
define spir_kernel void @inside(ptr addrspace(1) %x, i32 %n) {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %px = getelementptr inbounds i32, ptr addrspace(1) %x, i64 %id
  %v = load i32, ptr addrspace(1) %px, align 4
  br label %next
next:
  %k = phi i32 [ 0, %entry ], [ %k1, %over ]
  %a = phi i32 [ %v, %entry ], [ %b, %over ]
  %way = and i32 %v, 3
  switch i32 %way, label %over [
    i32 0, label %first
    i32 2, label %second
  ]
first:
  %a3 = mul i32 %a, 3
  %a4 = add i32 %a3, 1
  br label %over
second:
  %half = lshr i32 %a, 3
  %mixed = xor i32 %half, %a
  br label %over
over:
  %b = phi i32 [ %a, %next ], [ %a4, %first ], [ %mixed, %second ]
  %k1 = add i32 %k, 1
  %done = icmp uge i32 %k1, %n
  br i1 %done, label %end, label %next
end:
  store i32 %b, ptr addrspace(1) %px, align 4
  ret void
}
define spir_kernel void @beside(ptr addrspace(1) %x, i32 %n) {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %px = getelementptr inbounds i32, ptr addrspace(1) %x, i64 %id
  %v = load i32, ptr addrspace(1) %px, align 4
  %bit = and i32 %v, 1
  %odd = icmp ne i32 %bit, 0
  br label %next
next:
  %k = phi i32 [ 0, %entry ], [ %k1, %over ]
  %a = phi i32 [ %v, %entry ], [ %b, %over ]
  %a0 = mul i32 %a, 31
  %a1 = add i32 %a0, %k
  %a2 = lshr i32 %a1, 4
  %a3 = xor i32 %a1, %a2
  %a4 = mul i32 %a3, %a1
  %a5 = lshr i32 %a4, 9
  %a6 = add i32 %a5, %a4
  %a7 = mul i32 %a6, %a6
  %a8 = urem i32 %a7, 77
  br i1 %odd, label %first, label %over
first:
  %c = mul i32 %a8, %v
  br label %over
over:
  %b = phi i32 [ %a8, %next ], [ %c, %first ]
  %k1 = add i32 %k, 1
  %done = icmp uge i32 %k1, %n
  br i1 %done, label %end, label %next
end:
  store i32 %b, ptr addrspace(1) %px, align 4
  ret void
}
