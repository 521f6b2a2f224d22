; SPDX-License-Identifier: Apache-2.0
; An autorun kernel of 2 by 3 compute units is six kernels, each with its own constant ids; the first
; index counts fastest. The attribute on a kernel that the host starts says nothing, and its ids are 0.
; RUN: sl-opt -stage=compute_units
; CHECK: ; kernel hosted flags
; CHECK-NEXT: ; argument
; CHECK-NEXT: ; kernel k flags
; CHECK-NEXT: ; kernel k.1 flags
; CHECK-NEXT: ; kernel k.2 flags
; CHECK-NEXT: ; kernel k.3 flags
; CHECK-NEXT: ; kernel k.4 flags
; CHECK-NEXT: ; kernel k.5 flags
; CHECK-NOT: ; kernel
; CHECK-LABEL: define {{.*}}@k()
; CHECK: store volatile i32 0,
; CHECK: store volatile i32 0,
; CHECK: store volatile i32 0,
; CHECK-LABEL: define {{.*}}@hosted(
; CHECK: store i32 0,
; CHECK-LABEL: define {{.*}}@k.1()
; CHECK: store volatile i32 1,
; CHECK: store volatile i32 0,
; CHECK: store volatile i32 0,
; CHECK-LABEL: define {{.*}}@k.2()
; CHECK: store volatile i32 0,
; CHECK: store volatile i32 1,
; CHECK: store volatile i32 0,
; CHECK-LABEL: define {{.*}}@k.5()
; CHECK: store volatile i32 1,
; CHECK: store volatile i32 2,
; CHECK: store volatile i32 0,
; CHECK-NOT: @__sl_compute_id(
target triple = "spir64-unknown-unknown"
@x = internal addrspace(1) global i32 0
declare spir_func i32 @__sl_compute_id(i32)

define spir_kernel void @k() #0 {
  %x0 = call spir_func i32 @__sl_compute_id(i32 0)
  store volatile i32 %x0, ptr addrspace(1) @x
  %y = call spir_func i32 @__sl_compute_id(i32 1)
  store volatile i32 %y, ptr addrspace(1) @x
  %z = call spir_func i32 @__sl_compute_id(i32 2)
  store volatile i32 %z, ptr addrspace(1) @x
  ret void
}
define spir_kernel void @hosted(ptr addrspace(1) %y) #1 {
  %x0 = call spir_func i32 @__sl_compute_id(i32 0)
  store i32 %x0, ptr addrspace(1) %y
  ret void
}
attributes #0 = { "sl-autorun" "sl-num-compute-units"="2,3,1" }
attributes #1 = { "sl-num-compute-units"="4,1,1" }
