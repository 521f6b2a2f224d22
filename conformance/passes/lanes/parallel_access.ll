; SPDX-License-Identifier: Apache-2.0
; Plain accesses of global, constant and local memory may be made in any order by the items; so may those
; through a generic pointer that was made of such a one. Private memory, what a generic pointer may be
; anything of, volatile and atomic accesses are not named. Constant memory does not change besides.
; RUN: sl-opt -stage=parallel_access
; CHECK-LABEL: define {{.*}}@plain(
; CHECK: load i32, ptr addrspace(1) %g, align 4, !llvm.access.group ![[ALL:[0-9]+]]{{$}}
; CHECK-NEXT: load i32, ptr addrspace(2) %c, align 4, !invariant.load ![[NEVER:[0-9]+]], !llvm.access.group ![[ALL]]{{$}}
; CHECK-NEXT: add
; CHECK-NEXT: store i32 %s, ptr addrspace(3) %l, align 4, !llvm.access.group ![[ALL]]{{$}}
; CHECK-NEXT: addrspacecast
; CHECK-NEXT: getelementptr
; CHECK-NEXT: store i32 %s, ptr addrspace(4) %next, align 4, !llvm.access.group ![[ALL]]{{$}}
; CHECK-LABEL: define {{.*}}@ordered(
; CHECK-NOT: !llvm.access.group
; CHECK-NOT: !invariant.load
; CHECK: ![[ALL]] = distinct !{}
; CHECK: ![[NEVER]] = !{}
target triple = "spir64-unknown-unknown"
define spir_kernel void @plain(ptr addrspace(1) %g, ptr addrspace(2) %c, ptr addrspace(3) %l) {
  %a = load i32, ptr addrspace(1) %g
  %b = load i32, ptr addrspace(2) %c
  %s = add i32 %a, %b
  store i32 %s, ptr addrspace(3) %l
  %any = addrspacecast ptr addrspace(1) %g to ptr addrspace(4)
  %next = getelementptr i32, ptr addrspace(4) %any, i64 1
  store i32 %s, ptr addrspace(4) %next
  ret void
}
define spir_kernel void @ordered(ptr addrspace(1) %g, ptr addrspace(4) %any) {
  %own = alloca i32
  %a = load volatile i32, ptr addrspace(1) %g
  store i32 %a, ptr %own
  %b = load atomic i32, ptr addrspace(1) %g monotonic, align 4
  store i32 %b, ptr addrspace(4) %any
  %mine = addrspacecast ptr %own to ptr addrspace(4)
  store i32 %b, ptr addrspace(4) %mine
  ret void
}
