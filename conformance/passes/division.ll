; SPDX-License-Identifier: Apache-2.0
; Divisors that may be zero, or -1 under the smallest number, become one; harmless ones stay.
; RUN: sl-opt -stage=safe_division
; CHECK-LABEL: define {{.*}}@k
; CHECK: %[[D:.*]] = freeze i32 %d
; CHECK: icmp eq i32 %[[D]], 0
; CHECK: icmp eq i32 %{{.*}}, -2147483648
; CHECK: %[[S:.*]] = select i1 %{{.*}}, i32 1, i32 %[[D]]
; CHECK: sdiv i32 %{{.*}}, %[[S]]
; CHECK: %[[V:.*]] = select <2 x i1> %{{.*}}, <2 x i32> splat (i32 1), <2 x i32>
; CHECK-NEXT: urem <2 x i32> %v, %[[V]]
; CHECK-NEXT: sdiv i32 %n, 7
target triple = "spir64-unknown-unknown"
define spir_kernel void @k(ptr addrspace(1) %out, i32 %n, i32 %d, <2 x i32> %v, <2 x i32> %w) {
  %a = sdiv i32 %n, %d
  %b = urem <2 x i32> %v, %w
  %c = sdiv i32 %n, 7
  store i32 %a, ptr addrspace(1) %out
  store <2 x i32> %b, ptr addrspace(1) %out
  store i32 %c, ptr addrspace(1) %out
  ret void
}
