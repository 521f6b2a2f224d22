; SPDX-License-Identifier: Apache-2.0
; On the emulated FPGA: functions of whole work-groups have room for a number of each item of the largest group there is
; and one more, and the kernel takes no larger groups; other kernels of the module any.
; RUN: sl-opt -mcpu=x86-64-v3 -stage=local_memory
; CHECK: kernel other {{.*}} local 0 {{.*}} stack {{[0-9]+$}}
; CHECK: kernel sum {{.*}} local 524296 {{.*}} most 65536{{$}}
target triple = "spir64-unknown-unknown"
declare ptr addrspace(3) @__sl_group_scratch()
declare spir_func i64 @_Z12get_local_idj(i32)

define spir_kernel void @sum(ptr addrspace(1) %o) {
  %l = call spir_func i64 @_Z12get_local_idj(i32 0)
  %t = call ptr addrspace(3) @__sl_group_scratch()
  %p = getelementptr i64, ptr addrspace(3) %t, i64 %l
  store i64 %l, ptr addrspace(3) %p, align 8
  ret void
}

define spir_kernel void @other(ptr addrspace(1) %o) {
  %l = call spir_func i64 @_Z12get_local_idj(i32 0)
  %p = getelementptr i64, ptr addrspace(1) %o, i64 %l
  store i64 %l, ptr addrspace(1) %p, align 8
  ret void
}
