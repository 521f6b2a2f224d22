; SPDX-License-Identifier: Apache-2.0
; Items of which y is known to be the same are asked whether they are in a row: the core's version for rows says so,
; and the one for items anywhere is called if not. What is only stored, or meets others element by element on its way
; there, comes in memory's order (8 in the shape) and is not put together; what somebody wants by channels does not. So it
; is where the places that it goes to are neighbours unless an index wraps around.
; RUN: sl-opt -mcpu=x86-64-v4 -stage=work_group_regions
target triple = "spir64-unknown-unknown"
declare spir_func i64 @_Z13get_global_idj(i32)
define internal <4 x float> @__sl_image_read(ptr %image, i32 %sampler, <4 x float> %at, i32 %shape) noinline memory(none) {
  ret <4 x float> %at
}
declare void @__sl_image_read.lanes16(ptr, i32, ptr, i32)
declare i1 @__sl_image_read.row.lanes16(ptr, i32, ptr, i32, ptr)
declare void @__sl_image_read.colors.lanes16(ptr, i32, ptr, i32, ptr)
; CHECK-LABEL: define internal void @anywhere.groups(
; CHECK-NOT: .colors.
; CHECK: call {{.*}} @__sl_image_read.lanes16.12.2(
; CHECK-LABEL: define internal void @channels.groups(
; CHECK: call {{.*}} @__sl_image_read.colors.lanes16.12.2(
; CHECK-LABEL: define internal void @stored.groups(
; CHECK: %[[ALL:.*]] = call {{.*}} @[[ROW:__sl_image_read.colors.lanes16.12.a]](ptr %0, i32 18, i32 2,
; CHECK: %[[TWICE:.*]] = fmul <64 x float>
; CHECK-NEXT: store <64 x float> %[[TWICE]],
; CHECK: define internal {{.*}} @[[ROW]](
; CHECK: %[[DONE:.*]] = call i1 @__sl_image_read.row.lanes16(ptr %0, i32 18, ptr %[[BLOCK:.*]], i32 10, ptr %[[PLACE:.*]])
; CHECK-NEXT: br i1 %[[DONE]], label %row, label %anywhere
; CHECK: row:
; CHECK-NEXT: call void @__sl_image_read.colors.lanes16(ptr %0, i32 18, ptr %[[BLOCK]], i32 10, ptr %[[PLACE]])
; CHECK-NEXT: load <16 x i32>, ptr %[[BLOCK]]
; CHECK: anywhere:
; CHECK-NEXT: call {{.*}} @__sl_image_read.lanes16.12.2(ptr %0, i32 %1, i32 %2, <16 x i32> %3, <16 x i32> %4, <16 x i32> %5)
; CHECK: shufflevector <16 x i32> %{{.*}}, <16 x i32> %{{.*}}, <16 x i32> <i32 0, i32 16, i32 1, i32 17, i32 4, i32 20,
; CHECK-LABEL: define internal void @wraps.groups(
; CHECK: call {{.*}} @__sl_image_read.colors.lanes16.12.a(
; CHECK: near:
; CHECK: store <64 x float>
; CHECK: each:
; CHECK: store <4 x float>
define spir_kernel void @stored(ptr addrspace(1) %image, float %y, ptr addrspace(1) noalias %out) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %i = addrspacecast ptr addrspace(1) %image to ptr
  %n = trunc i64 %id to i32
  %f = sitofp i32 %n to float
  %x = insertelement <2 x float> poison, float %f, i32 0
  %xy = insertelement <2 x float> %x, float %y, i32 1
  %half = fadd <2 x float> %xy, splat (float 5.0e-01)
  %at = shufflevector <2 x float> %half, <2 x float> <float 0.0, float poison>, <4 x i32> <i32 0, i32 1, i32 2, i32 2>
  %c = call <4 x float> @__sl_image_read(ptr %i, i32 18, <4 x float> %at, i32 2)
  %twice = fmul <4 x float> %c, splat (float 2.0)
  %q = getelementptr <4 x float>, ptr addrspace(1) %out, i64 %id
  store <4 x float> %twice, ptr addrspace(1) %q
  ret void
}
define spir_kernel void @channels(ptr addrspace(1) %image, float %y, ptr addrspace(1) noalias %out) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %i = addrspacecast ptr addrspace(1) %image to ptr
  %n = trunc i64 %id to i32
  %f = sitofp i32 %n to float
  %x = insertelement <4 x float> zeroinitializer, float %f, i32 0
  %at = insertelement <4 x float> %x, float %y, i32 1
  %c = call <4 x float> @__sl_image_read(ptr %i, i32 18, <4 x float> %at, i32 2)
  %r = extractelement <4 x float> %c, i32 1
  %q = getelementptr float, ptr addrspace(1) %out, i64 %id
  store float %r, ptr addrspace(1) %q
  ret void
}
define spir_kernel void @anywhere(ptr addrspace(1) %image, ptr addrspace(1) noalias %out) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %i = addrspacecast ptr addrspace(1) %image to ptr
  %n = trunc i64 %id to i32
  %f = sitofp i32 %n to float
  %x = insertelement <4 x float> zeroinitializer, float %f, i32 0
  %at = insertelement <4 x float> %x, float %f, i32 1
  %c = call <4 x float> @__sl_image_read(ptr %i, i32 18, <4 x float> %at, i32 2)
  %q = getelementptr <4 x float>, ptr addrspace(1) %out, i64 %id
  store <4 x float> %c, ptr addrspace(1) %q
  ret void
}
define spir_kernel void @wraps(ptr addrspace(1) %image, float %y, ptr addrspace(1) noalias %out, i32 %from) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %i = addrspacecast ptr addrspace(1) %image to ptr
  %n = trunc i64 %id to i32
  %f = sitofp i32 %n to float
  %x = insertelement <2 x float> poison, float %f, i32 0
  %xy = insertelement <2 x float> %x, float %y, i32 1
  %half = fadd <2 x float> %xy, splat (float 5.0e-01)
  %at = shufflevector <2 x float> %half, <2 x float> <float 0.0, float poison>, <4 x i32> <i32 0, i32 1, i32 2, i32 2>
  %c = call <4 x float> @__sl_image_read(ptr %i, i32 18, <4 x float> %at, i32 2)
  %twice = fmul <4 x float> %c, splat (float 2.0)
  %at.out = add i32 %from, %n
  %place = sext i32 %at.out to i64
  %q = getelementptr <4 x float>, ptr addrspace(1) %out, i64 %place
  store <4 x float> %twice, ptr addrspace(1) %q
  ret void
}
