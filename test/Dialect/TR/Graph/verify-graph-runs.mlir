// SPDX-License-Identifier: Apache-2.0
//
// Channels of tensors in a program: what the pipeline makes passes, and each damage is found.
// RUN: tr-opt %s --tr-graph-pipeline -o %t && tr-opt %t --tr-verify-graph -o %t.same && diff %t %t.same
// RUN: sed '/"1.1.conv.output" region/s/offset [0-9]*/offset 0/' %t | not tr-opt --tr-verify-graph 2>&1 | FileCheck %s --check-prefix=OFFSET
// RUN: sed '/"1.1.conv.output" region/s/slot [0-9]*/slot 512/' %t | not tr-opt --tr-verify-graph 2>&1 | FileCheck %s --check-prefix=OFFSET
// OFFSET: error: {{.*}}tensor' op parent: expected the region, element type, offset and slot of the parent
// RUN: sed '/"1.1.conv.output" region/s/parent [0-9]*/parent 1000/' %t | not tr-opt --tr-verify-graph 2>&1 | FileCheck %s --check-prefix=PARENT
// PARENT: error: {{.*}}tensor' op parent: expected one of {{[0-9]+}} tensors, but got 1000
// RUN: sed '/"1.1.conv.output" region/s/from 4/from 5/' %t | not tr-opt --tr-verify-graph 2>&1 | FileCheck %s --check-prefix=CHANNELS
// CHANNELS: error: {{.*}}tensor' op expected channels of '{{.*}}' of shape array<i64: {{.*}}>, but got array<i64: {{.*}}>

// The input of a gap may be channels, its output may not.
// RUN: sed -E 's/(compute "gap_fwd" \[)([0-9]+), [0-9]+/\1\2, RUN/' %t > %t.gap
// RUN: sed -nE 's/.*tensor ([0-9]+) "1.1.conv.output" .*/\1/p' %t > %t.run
// RUN: %python -c "import sys; print(open(sys.argv[1]).read().replace('RUN', open(sys.argv[2]).read().strip()))" %t.gap %t.run > %t.whole
// RUN: not tr-opt %t.whole --tr-verify-graph 2>&1 | FileCheck %s --check-prefix=WHOLE
// WHOLE: error: {{.*}}compute' op (gap_fwd), y: expected a whole tensor, but '1.1.conv.output' is a run of the channels of another one

// Branches that would write the same channels.
// RUN: sed '/"1.1.conv.output" region/s/from 4/from 3/' %t | not tr-opt --tr-verify-graph 2>&1 | FileCheck %s --check-prefix=OVERLAP
// OVERLAP: error: {{.*}}expected operands in different places, but x ('0.conv.output') and y ('1.1.conv.output') overlap

// Every edge is missed when it is gone, those between a run and its parent among them.
// RUN: %python %S/Inputs/remove_edges.py < %t > %t.programs 2> %t.checks
// RUN: not tr-opt %t.programs --split-input-file --tr-verify-graph -o %t.none 2>&1 | FileCheck %t.checks
tr.arch.network @side classes 3 {
^bb0(%x: tensor<?x8x8x3xf32>):
  %0 = tr.arch.conv %x ["0.conv"] <out = 4, kernel = [1, 1]> first : tensor<?x8x8x3xf32> -> tensor<?x8x8x4xf32>
  %1 = tr.arch.concat %0 ["1"] : tensor<?x8x8x4xf32> -> tensor<?x8x8x7xf32> {
  ^bb0(%a: tensor<?x8x8x4xf32>):
    tr.arch.yield %a : tensor<?x8x8x4xf32>
  }, {
  ^bb0(%a: tensor<?x8x8x4xf32>):
    %2 = tr.arch.conv %a ["1.1.conv"] <out = 3, kernel = [1, 1]> : tensor<?x8x8x4xf32> -> tensor<?x8x8x3xf32>
    tr.arch.yield %2 : tensor<?x8x8x3xf32>
  }
  %3 = tr.arch.gap_fc %1 ["2.fc"] out 3 bias true : tensor<?x8x8x7xf32> -> tensor<?x1x1x3xf32>
  %4 = tr.arch.softmax_ce %3 ["loss"] classes 3 : tensor<?x1x1x3xf32> -> tensor<?x1x1x3xf32>
  tr.arch.yield %4 : tensor<?x1x1x3xf32>
}
