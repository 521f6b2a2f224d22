; SPDX-License-Identifier: Apache-2.0
; A loop that two edges of one block lead to keeps its counters: a value that comes along one of them would be missed along
; the other, and what makes the switch simpler did not end.
; RUN: sl-opt -mcpu=x86-64-v4 -stage=simplify
; CHECK-LABEL: @k(
; CHECK: call void @sl.barrier()
; CHECK: ret void
target triple = "spir64-unknown-unknown"
declare spir_func i64 @_Z13get_global_idj(i32)
declare spir_func void @_Z7barrierj(i32) convergent
define spir_kernel void @k(ptr addrspace(1) %y, i32 %n, i32 %s) convergent {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %x = and i32 %n, 1
  switch i32 %x, label %end [ i32 1, label %next
                              i32 2, label %next ]
next:
  %k = phi i32 [ %s, %entry ], [ %s, %entry ], [ %k1, %next ]
  %z = zext i32 %k to i64
  %p = getelementptr inbounds i32, ptr addrspace(1) %y, i64 %z
  store i32 %k, ptr addrspace(1) %p
  call spir_func void @_Z7barrierj(i32 1) convergent
  %k1 = add i32 %k, 4
  %c = icmp ult i32 %k1, 100
  br i1 %c, label %next, label %end
end:
  ret void
}
