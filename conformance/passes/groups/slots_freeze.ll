; SPDX-License-Identifier: Apache-2.0
; What depends on ids and sizes is computed anew behind a barrier, be they frozen or not.
; RUN: sl-opt -mcpu=x86-64-v3
; CHECK: kernel k {{.*}}per_item 0
target triple = "spir64-unknown-unknown"
declare spir_func i64 @_Z12get_local_idj(i32)
declare spir_func i64 @_Z14get_local_sizej(i32)
declare spir_func i64 @_Z13get_global_idj(i32)
declare spir_func void @_Z7barrierj(i32) convergent

define spir_kernel void @k(ptr addrspace(1) %y, ptr addrspace(3) %t, i32 %n) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %l = call spir_func i64 @_Z12get_local_idj(i32 0)
  %s = call spir_func i64 @_Z14get_local_sizej(i32 0)
  %size = freeze i64 %s
  %count = freeze i32 %n
  %more = sext i32 %count to i64
  %rest = sub i64 %size, %l
  %at = sub i64 %rest, %more
  %from = getelementptr float, ptr addrspace(3) %t, i64 %l
  %to = getelementptr float, ptr addrspace(3) %t, i64 %at
  store float 1.0, ptr addrspace(3) %from, align 4
  call spir_func void @_Z7barrierj(i32 1) convergent
  %v = load float, ptr addrspace(3) %to, align 4
  %py = getelementptr inbounds float, ptr addrspace(1) %y, i64 %id
  store float %v, ptr addrspace(1) %py, align 4
  ret void
}
