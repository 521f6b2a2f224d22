; SPDX-License-Identifier: Apache-2.0
; What LLVM's optimiser proves to be no way, as a store to a null pointer, becomes a trap as well: without
; code the kernel would run on into what lies behind it. What is a trap already gets no other.
; RUN: sl-opt -passes=default<O2> -then=dead_ends
target triple = "spir64-unknown-unknown"
declare void @llvm.trap()

; CHECK: @[[END:.*]] = {{.*}} c"it came to a place that its code says is never reached\00"
; CHECK-LABEL: define dso_local void @null.kernel(ptr {{.*}}%0, ptr {{.*}}%1, ptr
; CHECK: call void %{{.*}}(ptr %1, ptr {{.*}}@[[END]])
; CHECK-NEXT: unreachable
define spir_kernel void @null(ptr addrspace(1) %x, i32 %n) {
  store i32 1, ptr addrspace(1) null
  ret void
}

; CHECK-LABEL: define dso_local void @once.kernel(
; CHECK: load ptr
; CHECK-NOT: load ptr
; CHECK: load ptr
; CHECK: call void %{{.*}}(ptr %1, ptr {{.*}}@
; CHECK-NEXT: unreachable
define spir_kernel void @once(ptr addrspace(1) %x, i32 %n) {
  call void @llvm.trap()
  unreachable
}
