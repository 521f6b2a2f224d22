; SPDX-License-Identifier: Apache-2.0
; Reads and writes of one image are done for all lanes at once by the core's version for so many items, in
; a copy for the sampler, where it is known, and shape that calls with the same ones share: vectors come
; and go in registers. A write takes who there is. Items with an image each call the core's function.
; RUN: sl-opt -mcpu=x86-64-v3 -stage=work_group_regions
target triple = "spir64-unknown-unknown"
declare spir_func i64 @_Z13get_global_idj(i32)
define internal <4 x float> @__sl_image_read(ptr %image, i32 %sampler, <4 x float> %at, i32 %shape) noinline memory(none) {
  ret <4 x float> %at
}
declare void @__sl_image_read.lanes8(ptr, i32, ptr, i32)
declare void @__sl_image_write.lanes8(ptr, i32, ptr, i32)
; CHECK-LABEL: define internal void @own.groups(
; CHECK-NOT: .lanes8
; CHECK: call <4 x float> @__sl_image_read(
; CHECK-LABEL: define internal void @reads.groups(
; CHECK: %[[ALL:.*]] = call { <8 x i32>, <8 x i32>, <8 x i32>, <8 x i32> } @[[COPY:__sl_image_read.lanes8.*.2]](ptr %0, i32 %1, i32 2, <8 x i32> %{{.*}}, <8 x i32> zeroinitializer, <8 x i32> zeroinitializer)
; CHECK: extractvalue {{.*}} %[[ALL]], 1
; CHECK: rest:
; CHECK: call <4 x float> @__sl_image_read(ptr %0
; CHECK: define internal {{.*}} @[[COPY]](
; CHECK: call void @__sl_image_read.lanes8(ptr %0, i32 %1, ptr %[[BLOCK:.*]], i32 2)
; CHECK-NEXT: load <8 x i32>, ptr %[[BLOCK]]
; CHECK-LABEL: define internal void @writes.groups(
; CHECK: call void @__sl_image_write.lanes8.0.1(ptr %0, i32 0, i32 1, {{.*}}, <8 x i32> splat (i32 -1))
define spir_kernel void @reads(ptr addrspace(1) %image, i32 %sampler, ptr addrspace(1) noalias %y) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %i = addrspacecast ptr addrspace(1) %image to ptr
  %n = trunc i64 %id to i32
  %f = uitofp i32 %n to float
  %at = insertelement <4 x float> zeroinitializer, float %f, i32 0
  %c = call <4 x float> @__sl_image_read(ptr %i, i32 %sampler, <4 x float> %at, i32 2)
  %r = extractelement <4 x float> %c, i32 1
  %q = getelementptr float, ptr addrspace(1) %y, i64 %id
  store float %r, ptr addrspace(1) %q
  ret void
}
define internal void @__sl_image_write(ptr %image, <4 x i32> %at, <4 x float> %color, i32 %shape) noinline {
  store volatile <4 x float> %color, ptr %image
  ret void
}
define spir_kernel void @writes(ptr addrspace(1) %image, i32 %n, ptr addrspace(1) noalias %y) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %i = addrspacecast ptr addrspace(1) %image to ptr
  %k = trunc i64 %id to i32
  %at = insertelement <4 x i32> zeroinitializer, i32 %k, i32 0
  %q = getelementptr float, ptr addrspace(1) %y, i64 %id
  %v = load float, ptr addrspace(1) %q
  %color = insertelement <4 x float> zeroinitializer, float %v, i32 0
  %some = icmp slt i32 %k, %n
  br i1 %some, label %in, label %out
in:
  call void @__sl_image_write(ptr %i, <4 x i32> %at, <4 x float> %color, i32 1)
  br label %out
out:
  ret void
}
define spir_kernel void @own(ptr addrspace(1) %images, i32 %sampler, ptr addrspace(1) noalias %y) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr [64 x i8], ptr addrspace(1) %images, i64 %id
  %i = addrspacecast ptr addrspace(1) %p to ptr
  %c = call <4 x float> @__sl_image_read(ptr %i, i32 %sampler, <4 x float> zeroinitializer, i32 2)
  %r = extractelement <4 x float> %c, i32 1
  %q = getelementptr float, ptr addrspace(1) %y, i64 %id
  store float %r, ptr addrspace(1) %q
  ret void
}
