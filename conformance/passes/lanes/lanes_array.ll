; SPDX-License-Identifier: Apache-2.0
; Private arrays of items in vector form are laid out by lane: what lanes index alike is one load or
; store of a whole row, under masks as well; only indices of their own are gathered, by ints from
; one place.
; RUN: sl-opt -mcpu=x86-64-v4 -stage=work_group_regions
; CHECK-LABEL: define internal void @k.groups
; CHECK: %[[A:[0-9]+]] = alloca [16 x [20 x i32]], align 64
; CHECK-NOT: @llvm.masked.store
; CHECK: getelementptr [64 x i8], ptr %[[A]], i64
; CHECK: store <16 x i32> {{.*}}, align 64
; CHECK: %[[ANY:any[0-9]*]] = icmp ne i16
; CHECK: %[[AT:[0-9]+]] = select i1 %[[ANY]], ptr {{.*}}, ptr %[[A]]
; CHECK: %[[OLD:[0-9]+]] = load <16 x i32>, ptr %[[AT]], align 64
; CHECK: select <16 x i1> {{.*}} <16 x i32> %[[OLD]]
; CHECK: getelementptr i8, ptr %[[A]], <16 x i64>
; CHECK: call <16 x i32> @llvm.masked.gather
target triple = "spir64-unknown-unknown"
declare spir_func i64 @_Z13get_global_idj(i32)
define spir_kernel void @k(ptr addrspace(1) align 4 %y, ptr addrspace(1) align 4 %x) {
entry:
  %a = alloca [20 x i32], align 4
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %px = getelementptr inbounds i32, ptr addrspace(1) %x, i64 %id
  br label %fill
fill:
  %i = phi i64 [ 0, %entry ], [ %next, %some.end ]
  %py = getelementptr inbounds i32, ptr addrspace(1) %px, i64 %i
  %v = load i32, ptr addrspace(1) %py, align 4
  %here = getelementptr inbounds [20 x i32], ptr %a, i64 0, i64 %i
  store i32 %v, ptr %here, align 4
  %odd = trunc i32 %v to i1
  br i1 %odd, label %some, label %some.end
some:
  %back = sub i64 19, %i
  %there = getelementptr inbounds [20 x i32], ptr %a, i64 0, i64 %back
  %twice = mul i32 %v, %v
  store i32 %twice, ptr %there, align 4
  br label %some.end
some.end:
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, 20
  br i1 %more, label %fill, label %done
done:
  %w = load i32, ptr addrspace(1) %px, align 4
  %low = and i32 %w, 15
  %own = zext i32 %low to i64
  %mine = getelementptr inbounds [20 x i32], ptr %a, i64 0, i64 %own
  %r = load i32, ptr %mine, align 4
  %pz = getelementptr inbounds i32, ptr addrspace(1) %y, i64 %id
  store i32 %r, ptr addrspace(1) %pz, align 4
  ret void
}
