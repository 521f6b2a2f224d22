; SPDX-License-Identifier: Apache-2.0
; A trap ends the launch and not the application: it is a call of the runtime that says why. What stands
; behind it stays, since the runtime comes back.
; RUN: sl-opt -stage=trap_lower
; CHECK: @[[WHY:.*]] = private unnamed_addr constant {{.*}} c"a trap in its code\00"
; CHECK-LABEL: define {{.*}}@traps(
; CHECK: %[[LAUNCH:.*]] = call ptr @sl.wi.12.0()
; CHECK: call void %{{.*}}(ptr %[[LAUNCH]], ptr @[[WHY]])
; CHECK: call void %{{.*}}(ptr %{{.*}}, ptr @
; CHECK: store i32 1
; CHECK-LABEL: define {{.*}}@does_not(
; CHECK-NEXT: store i32 2
; CHECK-NOT: call {{.*}}@llvm.{{.*}}trap
target triple = "spir64-unknown-unknown"
declare void @llvm.trap()
declare void @llvm.debugtrap()
define spir_kernel void @traps(ptr addrspace(1) %x) {
  call void @llvm.trap()
  call void @llvm.debugtrap()
  store i32 1, ptr addrspace(1) %x
  ret void
}
define spir_kernel void @does_not(ptr addrspace(1) %x) {
  store i32 2, ptr addrspace(1) %x
  ret void
}
