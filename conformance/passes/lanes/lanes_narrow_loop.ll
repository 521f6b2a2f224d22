; SPDX-License-Identifier: Apache-2.0
; A loop over bytes decides how many items go at once, not the one int that comes out of it: there is room
; for the bytes of 64 in a register.
; RUN: sl-opt -mcpu=x86-64-v4
target triple = "spir64-unknown-unknown"
declare spir_func i64 @_Z13get_global_idj(i32)

; CHECK-LABEL: define internal void @bytes.groups
; CHECK: xor <64 x i8>
; CHECK: zext <64 x i8> %{{.*}} to <64 x i32>
; CHECK: ret void
define spir_kernel void @bytes(ptr addrspace(1) %a, ptr addrspace(1) %o, i64 %n) {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %pa = getelementptr i8, ptr addrspace(1) %a, i64 %id
  br label %next
next:
  %k = phi i64 [ 0, %entry ], [ %k1, %next ]
  %x = phi i8 [ 1, %entry ], [ %z, %next ]
  %pk = getelementptr i8, ptr addrspace(1) %pa, i64 %k
  %v = load i8, ptr addrspace(1) %pk
  %y = xor i8 %x, %v
  %w = mul i8 %v, 5
  %z = add i8 %y, %w
  %k1 = add nuw i64 %k, 1
  %more = icmp ult i64 %k1, %n
  br i1 %more, label %next, label %end
end:
  %po = getelementptr i32, ptr addrspace(1) %o, i64 %id
  %wide = zext i8 %z to i32
  store i32 %wide, ptr addrspace(1) %po
  ret void
}
