; SPDX-License-Identifier: Apache-2.0
; A kernel that asks for no id is meant to be one item, though it does not say so: its loop is left to LLVM, which
; computes several rounds at once. Without a loop, or where an atomic gives each item something of its own, items
; go together.
; RUN: sl-opt -mcpu=x86-64-v3 -remarks
target triple = "spir64-unknown-unknown"

; CHECK-DAG: task: no vector form: all items do the same
define spir_kernel void @task(ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %b, i32 %n) {
entry:
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr float, ptr addrspace(1) %a, i32 %k
  %x = load float, ptr addrspace(1) %p
  %y = fmul float %x, %x
  %q = getelementptr float, ptr addrspace(1) %b, i32 %k
  store float %y, ptr addrspace(1) %q
  %next = add nsw i32 %k, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %end
end:
  ret void
}

; CHECK-DAG: counted: {{[0-9]+}} items at once
define spir_kernel void @counted(ptr addrspace(1) noalias %counter, ptr addrspace(1) noalias %b, i32 %n) {
entry:
  %mine = atomicrmw add ptr addrspace(1) %counter, i32 1 monotonic
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi i32 [ %mine, %entry ], [ %more, %loop ]
  %turned = mul i32 %sum, 1664525
  %more = add i32 %turned, 1013904223
  %next = add nsw i32 %k, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %end
end:
  %q = getelementptr i32, ptr addrspace(1) %b, i32 %mine
  store i32 %more, ptr addrspace(1) %q
  ret void
}

; CHECK-DAG: straight: {{[0-9]+}} items at once
define spir_kernel void @straight(ptr addrspace(1) noalias %b, i32 %n) {
  store i32 %n, ptr addrspace(1) %b
  ret void
}
