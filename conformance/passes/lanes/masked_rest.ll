; SPDX-License-Identifier: Apache-2.0
; Without registers for masks the items that fill no vector run under a mask where a loop goes over
; neighbours, since one takes as long there as all of them; in turn where it stores in each round.
; Items that feed back what they made are together though their loads are apart.
; RUN: sl-opt -mcpu=x86-64-v3
target triple = "spir64-unknown-unknown"
declare spir_func i64 @_Z13get_global_idj(i32)

; CHECK-LABEL: define internal void @feedback.groups
; CHECK: phi <{{[0-9]+}} x float>
; CHECK: ret void
define spir_kernel void @feedback(ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %o, i64 %n) {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %row = mul i64 %id, 256
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %k1, %loop ]
  %y = phi float [ 0.0, %entry ], [ %t, %loop ]
  %z = phi float [ 0.0, %entry ], [ %y, %loop ]
  %at = add i64 %row, %k
  %p = getelementptr float, ptr addrspace(1) %a, i64 %at
  %x = load float, ptr addrspace(1) %p
  %y1 = fmul float %y, 0.5
  %z1 = fmul float %z, 0.25
  %s = fadd float %x, %y1
  %t = fsub float %s, %z1
  %q = getelementptr float, ptr addrspace(1) %o, i64 %at
  store float %t, ptr addrspace(1) %q
  %k1 = add i64 %k, 1
  %more = icmp ult i64 %k1, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; CHECK-LABEL: define internal void @filter.groups
; CHECK: rest:
; CHECK: call {{.*}}mask
; CHECK: ret void
define spir_kernel void @filter(ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %o, i64 %n) {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %k1, %loop ]
  %y = phi float [ 0.0, %entry ], [ %t, %loop ]
  %at = add i64 %id, %k
  %p = getelementptr float, ptr addrspace(1) %a, i64 %at
  %x = load float, ptr addrspace(1) %p
  %t = fadd float %x, %y
  %k1 = add i64 %k, 1
  %more = icmp ult i64 %k1, %n
  br i1 %more, label %loop, label %end
end:
  %q = getelementptr float, ptr addrspace(1) %o, i64 %id
  store float %t, ptr addrspace(1) %q
  ret void
}

; CHECK-LABEL: define internal void @stores.groups
; CHECK-NOT: call {{.*}}mask
; CHECK: ret void
define spir_kernel void @stores(ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %o, i64 %n) {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %k1, %loop ]
  %y = phi float [ 0.0, %entry ], [ %t, %loop ]
  %row = mul i64 %k, 4096
  %at = add i64 %row, %id
  %p = getelementptr float, ptr addrspace(1) %a, i64 %at
  %x = load float, ptr addrspace(1) %p
  %t = fadd float %x, %y
  %q = getelementptr float, ptr addrspace(1) %o, i64 %at
  store float %t, ptr addrspace(1) %q
  %k1 = add i64 %k, 1
  %more = icmp ult i64 %k1, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}
