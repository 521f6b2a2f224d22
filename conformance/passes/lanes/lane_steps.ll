; SPDX-License-Identifier: Apache-2.0
; A row for each item, rows far apart by a step that is known when the kernel runs: the lanes' rows
; are taken apart before the loop, in which each lane is read from its row and the place that all
; have in theirs. Addresses of lanes are not a vector there.
; RUN: sl-opt -mcpu=x86-64-v3 -passes=default<O2>
; CHECK-LABEL: @k.kernel(
; CHECK-NOT: x ptr>
; CHECK-COUNT-32: insertelement <32 x i8>
; CHECK-NOT: x ptr>
; CHECK: ret void
target triple = "spir64-unknown-unknown"
declare spir_func i64 @_Z13get_global_idj(i32)
define spir_kernel void @k(ptr addrspace(1) align 1 %y, ptr addrspace(1) align 1 %x, i64 %n) {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %row = mul i64 %id, %n
  %px = getelementptr inbounds { i16, [16 x i8] }, ptr addrspace(1) %x, i64 %row
  br label %block
block:
  %b = phi i64 [ 0, %entry ], [ %next, %block ]
  %s = phi i8 [ 0, %entry ], [ %t, %block ]
  %pb = getelementptr inbounds { i16, [16 x i8] }, ptr addrspace(1) %px, i64 %b
  %pq = getelementptr inbounds i8, ptr addrspace(1) %pb, i64 5
  %q = load i8, ptr addrspace(1) %pq, align 1
  %d = shl i8 %s, 1
  %t = xor i8 %d, %q
  %next = add nuw i64 %b, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %block, label %done
done:
  %pz = getelementptr inbounds i8, ptr addrspace(1) %y, i64 %id
  store i8 %t, ptr addrspace(1) %pz, align 1
  ret void
}
