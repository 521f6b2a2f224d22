; SPDX-License-Identifier: Apache-2.0
; Both ways of a branch lead to a barrier, so that all items take the same one, whatever it asks: the choice
; knows it as the regions do, and the store behind it goes to neighbours. Without the second barrier items may
; part, and each stores for itself.
; RUN: sl-opt -mcpu=x86-64-v3 -remarks
target triple = "spir64-unknown-unknown"
declare spir_func i64 @_Z13get_global_idj(i32)
declare spir_func void @_Z7barrierj(i32)

; CHECK-DAG: together: 8 items at once
define spir_kernel void @together(ptr addrspace(1) noalias %counts, ptr addrspace(1) noalias %x) {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %counts, i64 %id
  %n = load i32, ptr addrspace(1) %p
  %some = icmp slt i32 0, %n
  br i1 %some, label %yes, label %no
yes:
  call spir_func void @_Z7barrierj(i32 1)
  br label %end
no:
  call spir_func void @_Z7barrierj(i32 1)
  br label %end
end:
  %k = phi i64 [ 2, %yes ], [ 5, %no ]
  %at = add i64 %k, %id
  %q = getelementptr i32, ptr addrspace(1) %x, i64 %at
  store i32 %n, ptr addrspace(1) %q
  ret void
}

; CHECK-DAG: apart: items in turn
define spir_kernel void @apart(ptr addrspace(1) noalias %counts, ptr addrspace(1) noalias %x) {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %counts, i64 %id
  %n = load i32, ptr addrspace(1) %p
  %some = icmp slt i32 0, %n
  br i1 %some, label %yes, label %no
yes:
  call spir_func void @_Z7barrierj(i32 1)
  br label %end
no:
  br label %end
end:
  %k = phi i64 [ 2, %yes ], [ 5, %no ]
  %at = add i64 %k, %id
  %q = getelementptr i32, ptr addrspace(1) %x, i64 %at
  store i32 %n, ptr addrspace(1) %q
  ret void
}
