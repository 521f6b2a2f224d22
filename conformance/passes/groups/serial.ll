; SPDX-License-Identifier: Apache-2.0
; What has no form for all lanes is done for one after the other: only for those that run, with operands
; and results in memory, where halves lie as floats do. A bit has no address of its own, and goes through
; a register.
; RUN: sl-opt -mcpu=x86-64-v3 -stage=work_group_regions
target triple = "spir64-unknown-unknown"
declare spir_func i64 @_Z13get_global_idj(i32)
declare half @narrow(half) #0
declare i1 @asks(float) #0

; CHECK-LABEL: define internal void @bits.groups(
; CHECK: %[[OLD:.*]] = phi <32 x i1> [ poison, %{{.*}} ], [ %[[NEW:.*]], %lane.run ]
; CHECK: lane.run:
; CHECK: %[[IS:.*]] = call i1 @asks(float %{{.*}})
; CHECK: %[[NEW]] = insertelement <32 x i1> %[[OLD]], i1 %[[IS]], i32
; CHECK-LABEL: define internal void @halves.groups(
; CHECK: %[[SOME:.*]] = bitcast <8 x i1> %{{.*}} to i8
; CHECK: %[[LANES:.*]] = zext i8 %[[SOME]] to i32
; CHECK: %[[LEFT:.*]] = phi i32 [ %[[LANES]], %{{.*}} ], [ %[[LESS:.*]], %lane.run{{[0-9]*}} ]
; CHECK: %[[LANE:.*]] = call i32 @llvm.cttz.i32(i32 %[[LEFT]], i1 true)
; CHECK-NEXT: %[[FROM:.*]] = getelementptr inbounds half, ptr %{{.*}}, i32 %[[LANE]]
; CHECK-NEXT: %[[X:.*]] = load half, ptr %[[FROM]]
; CHECK-NEXT: %[[Y:.*]] = call half @narrow(half %[[X]])
; CHECK-NEXT: %[[TO:.*]] = getelementptr inbounds half, ptr %{{.*}}, i32 %[[LANE]]
; CHECK-NEXT: store half %[[Y]], ptr %[[TO]]
; CHECK-NOT: insertelement <8 x half>
define spir_kernel void @halves(ptr addrspace(1) noalias %x, ptr addrspace(1) noalias %y, ptr addrspace(1) noalias %z) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr half, ptr addrspace(1) %x, i64 %id
  %v = load half, ptr addrspace(1) %p
  %f = fpext half %v to float
  %e1 = call float @llvm.sqrt.f32(float %f)
  %e2 = call float @llvm.sqrt.f32(float %e1)
  %some = fcmp ogt float %e2, 2.0
  br i1 %some, label %call, label %end
call:
  %h = call half @narrow(half %v)
  %q = getelementptr half, ptr addrspace(1) %y, i64 %id
  store half %h, ptr addrspace(1) %q
  br label %end
end:
  %w = getelementptr float, ptr addrspace(1) %z, i64 %id
  store float %e2, ptr addrspace(1) %w
  ret void
}
define spir_kernel void @bits(ptr addrspace(1) noalias %x, ptr addrspace(1) noalias %y) {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr float, ptr addrspace(1) %x, i64 %id
  %v = load float, ptr addrspace(1) %p
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %k1, %loop ]
  %f = phi float [ %v, %entry ], [ %e4, %loop ]
  %e1 = call float @llvm.sqrt.f32(float %f)
  %e2 = call float @llvm.sqrt.f32(float %e1)
  %e3 = call float @llvm.sqrt.f32(float %e2)
  %e4 = call float @llvm.sqrt.f32(float %e3)
  %k1 = add i32 %k, 1
  %more = icmp slt i32 %k1, 9
  br i1 %more, label %loop, label %end
end:
  %is = call i1 @asks(float %e4)
  %w = select i1 %is, float %e4, float 3.0
  %q = getelementptr float, ptr addrspace(1) %y, i64 %id
  store float %w, ptr addrspace(1) %q
  ret void
}
declare float @llvm.sqrt.f32(float)
attributes #0 = { nounwind memory(none) "sl-ready-code" }
