; SPDX-License-Identifier: Apache-2.0
; Kernels without loops of their own, called ones included, are marked for a shorter code generation.
; RUN: sl-opt -mcpu=x86-64
target triple = "spir64-unknown-unknown"
declare spir_func i64 @_Z13get_global_idj(i32)

; CHECK: define internal void @calls.kernel({{.*}}) #[[LOOPS:[0-9]+]]
; CHECK: define internal void @loops.kernel({{.*}}) #[[LOOPS]]
; CHECK: define internal void @straight.kernel({{.*}}) #[[PLAIN:[0-9]+]]
; CHECK-DAG: attributes #[[PLAIN]] = {{.*}}"sl-plain"
; CHECK-DAG: attributes #[[LOOPS]] = { nounwind }
define spir_kernel void @straight(ptr addrspace(1) %a) {
  %x = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %x
  store i32 1, ptr addrspace(1) %p
  ret void
}

define spir_kernel void @loops(ptr addrspace(1) %a, i64 %n) {
entry:
  br label %next
next:
  %i = phi i64 [ 0, %entry ], [ %j, %next ]
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %i
  %v = load volatile i32, ptr addrspace(1) %p
  %j = add i64 %i, 1
  %more = icmp ult i64 %j, %n
  br i1 %more, label %next, label %end
end:
  ret void
}

define spir_func i32 @called(i32 %n) noinline {
  ret i32 %n
}

define spir_kernel void @calls(ptr addrspace(1) %a) {
  %v = call spir_func i32 @called(i32 1)
  store i32 %v, ptr addrspace(1) %a
  ret void
}
