; SPDX-License-Identifier: Apache-2.0
; A loop that items leave one by one, and all that are left after so many rounds: the count is one
; truth value that a branch asks, where masks are no registers of their own.
; RUN: sl-opt -mcpu=x86-64-v3 -passes=default<O2>
; CHECK: select i1 {{.*}}, <16 x i32> zeroinitializer, <16 x i32>
target triple = "spir64-unknown-unknown"
declare spir_func i64 @_Z13get_global_idj(i32)
define spir_kernel void @k(ptr addrspace(1) %a, ptr addrspace(1) %b) {
entry:
  %x = call spir_func i64 @_Z13get_global_idj(i32 0)
  %pa = getelementptr float, ptr addrspace(1) %a, i64 %x
  %first = load float, ptr addrspace(1) %pa
  br label %head
head:
  %v = phi float [ %first, %entry ], [ %square, %next ]
  %steps = phi i32 [ 0, %entry ], [ %more, %next ]
  %square = fmul float %v, %v
  %go = fcmp olt float %square, 4.0
  br i1 %go, label %next, label %out
next:
  %more = add nuw nsw i32 %steps, 1
  %done = icmp eq i32 %more, 100
  br i1 %done, label %out, label %head
out:
  %result = phi i32 [ %steps, %head ], [ 100, %next ]
  %pb = getelementptr i32, ptr addrspace(1) %b, i64 %x
  store i32 %result, ptr addrspace(1) %pb
  ret void
}
