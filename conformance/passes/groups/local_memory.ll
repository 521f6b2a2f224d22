; SPDX-License-Identifier: Apache-2.0
; Local variables become offsets into the group's local memory: each kernel has room for what it uses,
; once, aligned as asked for. What another kernel uses, or nobody, takes none.
; RUN: sl-opt -stage=local_memory
target triple = "spir64-unknown-unknown"
; CHECK: ; kernel none flags 0 local 0
; CHECK: ; kernel one flags 0 local 400
; CHECK: ; kernel two flags 0 local 64
; CHECK-NOT: @unused
; CHECK-NOT: global <8 x float>

; CHECK-LABEL: define {{.*}}@two(
; CHECK-DAG: getelementptr inbounds i8, ptr %{{.*}}, i64 0
; CHECK-DAG: %[[W:.*]] = getelementptr inbounds i8, ptr %{{.*}}, i64 32
; CHECK-DAG: %[[WIDE:.*]] = addrspacecast ptr %[[W]] to ptr addrspace(3)
; CHECK: store <8 x float> zeroinitializer, ptr addrspace(3) %[[WIDE]], align 32
; CHECK: ret void
; CHECK-LABEL: define {{.*}}@one(
; CHECK: getelementptr inbounds i8, ptr %{{.*}}, i64 0
; CHECK: getelementptr i8, ptr addrspace(3) %{{.*}}, i64 40
; CHECK-LABEL: define {{.*}}@none(
; CHECK-NOT: sl.wi
; CHECK: ret void
@bytes = internal addrspace(3) global [5 x i8] undef, align 1
@wide = internal addrspace(3) global <8 x float> undef, align 32
@other = internal addrspace(3) global [100 x i32] undef, align 4
@unused = internal addrspace(3) global [1000 x i32] undef, align 4

define spir_kernel void @two(i64 %i) {
  %p = getelementptr i8, ptr addrspace(3) @bytes, i64 %i
  store i8 1, ptr addrspace(3) %p
  store <8 x float> zeroinitializer, ptr addrspace(3) @wide
  store i8 2, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @bytes, i64 3)
  ret void
}
define spir_kernel void @one() {
  store i32 1, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @other, i64 40)
  ret void
}
define spir_kernel void @none(ptr addrspace(3) %p) {
  store i32 1, ptr addrspace(3) %p
  ret void
}
