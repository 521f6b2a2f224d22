; SPDX-License-Identifier: Apache-2.0
; Items leave the loop at different times: it runs as long as any of them does, and what an item
; takes along is kept for it. An early return costs a mask.
; RUN: sl-opt -mcpu=x86-64-v4 -passes=default<O2>
; CHECK: ; kernel k flags 4
; CHECK-DAG: phi <16 x i1>
; CHECK-DAG: select <16 x i1>
; CHECK-DAG: icmp {{eq|ne}} i16 {{.*}}, 0
; CHECK-DAG: call void @llvm.masked.store
target triple = "spir64-unknown-unknown"
declare spir_func i64 @_Z13get_global_idj(i32)
define spir_kernel void @k(ptr addrspace(1) %a, ptr addrspace(1) %b, i64 %n) {
entry:
  %x = call spir_func i64 @_Z13get_global_idj(i32 0)
  %some = icmp ult i64 %x, %n
  br i1 %some, label %start, label %end
start:
  %pa = getelementptr i32, ptr addrspace(1) %a, i64 %x
  %first = load i32, ptr addrspace(1) %pa
  br label %head
head:
  %v = phi i32 [ %first, %start ], [ %half, %head ]
  %steps = phi i32 [ 0, %start ], [ %more, %head ]
  %half = lshr i32 %v, 1
  %more = add i32 %steps, 1
  %go = icmp ugt i32 %half, 3
  br i1 %go, label %head, label %out
out:
  %pb = getelementptr i32, ptr addrspace(1) %b, i64 %x
  store i32 %more, ptr addrspace(1) %pb
  br label %end
end:
  ret void
}
