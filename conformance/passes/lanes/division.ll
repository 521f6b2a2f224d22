; SPDX-License-Identifier: Apache-2.0
; Divisors that may be 0 become 1, those that may be -1 under signed numbers too, whatever is divided; quotients by -1
; are negated, and a rest needs nothing more. Harmless ones stay.
; RUN: sl-opt -stage=safe_division
; CHECK-LABEL: define {{.*}}@k
; CHECK: %[[D:.*]] = freeze i32 %d
; CHECK: %[[MORE:.*]] = add i32 %[[D]], 1
; CHECK: %[[BAD:.*]] = icmp ult i32 %[[MORE]], 2
; CHECK: %[[S:.*]] = select i1 %[[BAD]], i32 1, i32 %[[D]]
; CHECK: %[[Q:.*]] = sdiv i32 %n, %[[S]]
; CHECK: %[[MINUS:.*]] = icmp eq i32 %[[D]], -1
; CHECK: %[[NEG:.*]] = sub i32 0, %[[Q]]
; CHECK: %[[R:.*]] = select i1 %[[MINUS]], i32 %[[NEG]], i32 %[[Q]]
; CHECK: %[[V:.*]] = select <2 x i1> %{{.*}}, <2 x i32> splat (i32 1), <2 x i32>
; CHECK-NEXT: urem <2 x i32> %v, %[[V]]
; CHECK-NEXT: sdiv i32 %n, 7
; CHECK: srem i32 %n, %divisor
; CHECK-NEXT: store i32 %[[R]]
target triple = "spir64-unknown-unknown"
define spir_kernel void @k(ptr addrspace(1) %out, i32 %n, i32 %d, <2 x i32> %v, <2 x i32> %w) {
  %a = sdiv i32 %n, %d
  %b = urem <2 x i32> %v, %w
  %c = sdiv i32 %n, 7
  %e = srem i32 %n, %d
  store i32 %a, ptr addrspace(1) %out
  store <2 x i32> %b, ptr addrspace(1) %out
  store i32 %c, ptr addrspace(1) %out
  store i32 %e, ptr addrspace(1) %out
  ret void
}
