// RUN: tr-opt %s --tr-arch-to-graph --allow-unregistered-dialect --split-input-file --verify-diagnostics

tr.arch.network @no_loss classes 3 {
^bb0(%x: tensor<?x1x1x7xf32>):
  %0 = tr.arch.fc %x ["0.fc"] out 3 bias true : tensor<?x1x1x7xf32> -> tensor<?x1x1x3xf32>
  // expected-error @below {{expected tr.arch.softmax_ce as the last layer; --tr-arch-normalize-softmax-ce puts one}}
  tr.arch.yield %0 : tensor<?x1x1x3xf32>
}

// -----

tr.arch.network @loss_in_the_middle classes 3 {
^bb0(%x: tensor<?x1x1x3xf32>):
  %0 = tr.arch.identity %x ["0"] : tensor<?x1x1x3xf32> -> tensor<?x1x1x3xf32>
  // expected-error @below {{softmax_ce layer '1': expected the loss to be the last layer}}
  %1 = tr.arch.softmax_ce %0 ["1"] classes 3 : tensor<?x1x1x3xf32> -> tensor<?x1x1x3xf32>
  %2 = tr.arch.softmax_ce %1 ["loss"] classes 3 : tensor<?x1x1x3xf32> -> tensor<?x1x1x3xf32>
  tr.arch.yield %2 : tensor<?x1x1x3xf32>
}

// -----

tr.arch.network @loss_not_yielded classes 3 {
^bb0(%x: tensor<?x1x1x3xf32>):
  %0 = tr.arch.identity %x ["0"] : tensor<?x1x1x3xf32> -> tensor<?x1x1x3xf32>
  %1 = tr.arch.softmax_ce %0 ["loss"] classes 3 : tensor<?x1x1x3xf32> -> tensor<?x1x1x3xf32>
  // expected-error @below {{expected tr.arch.softmax_ce as the last layer}}
  tr.arch.yield %0 : tensor<?x1x1x3xf32>
}

// -----

// expected-error @below {{network 'unknown_extents': expected images of known height, width and channels, but got 'tensor<?x?x?x3xf32>'}}
tr.arch.network @unknown_extents classes 3 {
^bb0(%x: tensor<?x?x?x3xf32>):
  %0 = tr.arch.softmax_ce %x ["loss"] classes 3 : tensor<?x?x?x3xf32> -> tensor<?x?x?x3xf32>
  tr.arch.yield %0 : tensor<?x?x?x3xf32>
}

// -----

tr.arch.network @unused classes 3 {
^bb0(%x: tensor<?x1x1x3xf32>):
  %0 = tr.arch.identity %x ["0"] : tensor<?x1x1x3xf32> -> tensor<?x1x1x3xf32>
  // expected-error @below {{fc layer '1.fc': expected a layer that something reads, but got none}}
  %1 = tr.arch.fc %0 ["1.fc"] out 5 bias false : tensor<?x1x1x3xf32> -> tensor<?x1x1x5xf32>
  %2 = tr.arch.softmax_ce %0 ["loss"] classes 3 : tensor<?x1x1x3xf32> -> tensor<?x1x1x3xf32>
  tr.arch.yield %2 : tensor<?x1x1x3xf32>
}

// -----

module attributes {tr.options = #tr.options<variants = [#tr.variant<name = "v", training = true, batch = 2>, #tr.variant<name = "v", training = false, batch = 3>]>} {
  // expected-error @below {{network 'names': expected different variant names, but got 'v' twice}}
  tr.arch.network @names classes 3 {
  ^bb0(%x: tensor<?x1x1x3xf32>):
    %0 = tr.arch.softmax_ce %x ["loss"] classes 3 : tensor<?x1x1x3xf32> -> tensor<?x1x1x3xf32>
    tr.arch.yield %0 : tensor<?x1x1x3xf32>
  }
}

// -----

// A fully connected layer that reads a feature map grows with the resolution.
module attributes {tr.options = #tr.options<variants = [#tr.variant<name = "train_base", training = true, batch = 2>, #tr.variant<name = "val_base", training = false, batch = 2, resolution = [9, 10]>]>} {
  tr.arch.network @grows classes 3 {
  ^bb0(%x: tensor<?x5x6x1xf32>):
    %0 = tr.arch.maxpool %x ["0"] <kernel = [2, 2], stride = [2, 2]> first : tensor<?x5x6x1xf32> -> tensor<?x2x3x1xf32>
    %1 = tr.arch.flatten %0 ["1"] : tensor<?x2x3x1xf32> -> tensor<?x1x1x6xf32>
    // expected-error @below {{fc layer '2.fc': expected parameter '2.fc.weight' of shape 3x2x3x1 as under variant 'train_base', but got shape 3x4x5x1 under variant 'val_base'}}
    %2 = tr.arch.fc %1 ["2.fc"] out 3 bias true : tensor<?x1x1x6xf32> -> tensor<?x1x1x3xf32>
    %3 = tr.arch.softmax_ce %2 ["loss"] classes 3 : tensor<?x1x1x3xf32> -> tensor<?x1x1x3xf32>
    tr.arch.yield %3 : tensor<?x1x1x3xf32>
  }
}

// -----

// A shape rule fails under one variant only; the message names it.
module attributes {tr.options = #tr.options<variants = [#tr.variant<name = "train_base", training = true, batch = 2>, #tr.variant<name = "val_base", training = false, batch = 2, resolution = [3, 8]>]>} {
  tr.arch.network @small classes 3 {
  ^bb0(%x: tensor<?x7x8x1xf32>):
    // expected-error @below {{conv layer '0.conv': under variant 'val_base': expected a kernel no larger than the padded input, but got kernel height 5 on padded height 3}}
    %0 = tr.arch.conv %x ["0.conv"] <out = 3, kernel = [5, 5]> first : tensor<?x7x8x1xf32> -> tensor<?x3x4x3xf32>
    %1 = tr.arch.gap %0 ["1"] : tensor<?x3x4x3xf32> -> tensor<?x1x1x3xf32>
    %2 = tr.arch.softmax_ce %1 ["loss"] classes 3 : tensor<?x1x1x3xf32> -> tensor<?x1x1x3xf32>
    tr.arch.yield %2 : tensor<?x1x1x3xf32>
  }
}

// -----

// Branches agree at height 7 (4 and 4), not at height 8 (4 and 5).
module attributes {tr.options = #tr.options<variants = [#tr.variant<name = "train_base", training = true, batch = 2>, #tr.variant<name = "val_base", training = false, batch = 2, resolution = [8, 7]>]>} {
  tr.arch.network @branches classes 3 {
  ^bb0(%x: tensor<?x7x7x3xf32>):
    // expected-error @below {{add2 layer '0': under variant 'val_base': expected stem and shortcut of equal shape, but got stem 4x4x3 and shortcut 5x4x3}}
    %0 = tr.arch.add2 %x ["0"] : tensor<?x7x7x3xf32> -> tensor<?x4x4x3xf32> shortcut {
    ^bb0(%a: tensor<?x7x7x3xf32>):
      %1 = tr.arch.maxpool %a ["0.0.0"] <kernel = [2, 2], stride = [2, 2], pad = [1, 1]> : tensor<?x7x7x3xf32> -> tensor<?x4x4x3xf32>
      tr.arch.yield %1 : tensor<?x4x4x3xf32>
    } stem {
    ^bb0(%a: tensor<?x7x7x3xf32>):
      %1 = tr.arch.avgpool %a ["0.1.0"] <kernel = [3, 3], stride = [2, 2], pad = [1, 1]> : tensor<?x7x7x3xf32> -> tensor<?x4x4x3xf32>
      tr.arch.yield %1 : tensor<?x4x4x3xf32>
    }
    %2 = tr.arch.gap %0 ["1"] : tensor<?x4x4x3xf32> -> tensor<?x1x1x3xf32>
    %3 = tr.arch.softmax_ce %2 ["loss"] classes 3 : tensor<?x1x1x3xf32> -> tensor<?x1x1x3xf32>
    tr.arch.yield %3 : tensor<?x1x1x3xf32>
  }
}

// -----

module attributes {tr.options = #tr.options<variants = [#tr.variant<name = "train_base", training = true, batch = 2147483647>]>} {
  tr.arch.network @huge classes 3 {
  ^bb0(%x: tensor<?x1000x1000x3xf32>):
    // expected-error @below {{act layer '0': under variant 'train_base': expected at most 281474976710656 elements, but got batch 2147483647 of 1000x1000x3}}
    %0 = tr.arch.act %x ["0"] <relu> first : tensor<?x1000x1000x3xf32> -> tensor<?x1000x1000x3xf32>
    %1 = tr.arch.gap %0 ["1"] : tensor<?x1000x1000x3xf32> -> tensor<?x1x1x3xf32>
    %2 = tr.arch.softmax_ce %1 ["loss"] classes 3 : tensor<?x1x1x3xf32> -> tensor<?x1x1x3xf32>
    tr.arch.yield %2 : tensor<?x1x1x3xf32>
  }
}

// -----

tr.arch.network @large_weight classes 2147483647 {
^bb0(%x: tensor<?x1x1x262144xf32>):
  // expected-error @below {{fc layer '0.fc': under variant 'train_base': expected at most 281474976710656 elements in tensor '0.fc.weight'}}
  %0 = tr.arch.fc %x ["0.fc"] out 2147483647 bias true first : tensor<?x1x1x262144xf32> -> tensor<?x1x1x2147483647xf32>
  %1 = tr.arch.softmax_ce %0 ["loss"] classes 2147483647 : tensor<?x1x1x2147483647xf32> -> tensor<?x1x1x2147483647xf32>
  tr.arch.yield %1 : tensor<?x1x1x2147483647xf32>
}

// -----

// Logits are a vector under one variant only.
module attributes {tr.options = #tr.options<variants = [#tr.variant<name = "train_base", training = true, batch = 2>, #tr.variant<name = "val_base", training = false, batch = 2, resolution = [3, 5]>]>} {
  tr.arch.network @map classes 2 {
  ^bb0(%x: tensor<?x2x3x2xf32>):
    %0 = tr.arch.maxpool %x ["0"] <kernel = [2, 3], stride = [1, 2]> first : tensor<?x2x3x2xf32> -> tensor<?x1x1x2xf32>
    // expected-error @below {{softmax_ce layer 'loss': under variant 'val_base': expected 2 logits for 2 classes, but got 2x2x2}}
    %1 = tr.arch.softmax_ce %0 ["loss"] classes 2 : tensor<?x1x1x2xf32> -> tensor<?x1x1x2xf32>
    tr.arch.yield %1 : tensor<?x1x1x2xf32>
  }
}

// -----

// An image of a variant that is too large says so of the network.
module attributes {tr.options = #tr.options<variants = [#tr.variant<name = "train_base", training = true, batch = 2, resolution = [65536, 65536]>]>} {
  // expected-error @below {{network 'image': under variant 'train_base': expected fewer than 2147483648 elements, but got 65536x65536x3}}
  tr.arch.network @image classes 3 {
  ^bb0(%x: tensor<?x2x3x3xf32>):
    %0 = tr.arch.gap %x ["0"] first : tensor<?x2x3x3xf32> -> tensor<?x1x1x3xf32>
    %1 = tr.arch.softmax_ce %0 ["loss"] classes 3 : tensor<?x1x1x3xf32> -> tensor<?x1x1x3xf32>
    tr.arch.yield %1 : tensor<?x1x1x3xf32>
  }
}

// -----

// A fused layer names all its parts, or no parameter could be named.
tr.arch.network @parts classes 3 {
^bb0(%x: tensor<?x5x6x3xf32>):
  // expected-error @below {{expected 4 parts, but got 2}}
  %0 = tr.arch.block %x ["0.conv1", "0.bn1"] <basic_block, out = 3, shortcut = identity, act = relu> eps 1.0e-5 momentum 0.1 first : tensor<?x5x6x3xf32> -> tensor<?x5x6x3xf32>
  %1 = tr.arch.gap %0 ["1"] : tensor<?x5x6x3xf32> -> tensor<?x1x1x3xf32>
  %2 = tr.arch.softmax_ce %1 ["loss"] classes 3 : tensor<?x1x1x3xf32> -> tensor<?x1x1x3xf32>
  tr.arch.yield %2 : tensor<?x1x1x3xf32>
}

// -----

tr.arch.network @parts_of_cbr classes 3 {
^bb0(%x: tensor<?x5x6x3xf32>):
  // expected-error @below {{expected 2 parts, but got 1}}
  %0 = tr.arch.cbr %x ["0.conv"] <out = 3, kernel = [1, 1]> eps 1.0e-5 momentum 0.1 act <relu> first : tensor<?x5x6x3xf32> -> tensor<?x5x6x3xf32>
  %1 = tr.arch.gap %0 ["1"] : tensor<?x5x6x3xf32> -> tensor<?x1x1x3xf32>
  %2 = tr.arch.softmax_ce %1 ["loss"] classes 3 : tensor<?x1x1x3xf32> -> tensor<?x1x1x3xf32>
  tr.arch.yield %2 : tensor<?x1x1x3xf32>
}

// -----

tr.arch.network @parts_of_act classes 3 {
^bb0(%x: tensor<?x1x1x3xf32>):
  // expected-error @below {{expected 1 parts, but got 3}}
  %0 = tr.arch.act %x ["0", "1", "2"] <relu> first : tensor<?x1x1x3xf32> -> tensor<?x1x1x3xf32>
  %1 = tr.arch.softmax_ce %0 ["loss"] classes 3 : tensor<?x1x1x3xf32> -> tensor<?x1x1x3xf32>
  tr.arch.yield %1 : tensor<?x1x1x3xf32>
}

// -----

// A sum that nothing reads.
tr.arch.network @unused_sum classes 3 {
^bb0(%x: tensor<?x1x1x3xf32>):
  %0 = tr.arch.identity %x ["0"] first : tensor<?x1x1x3xf32> -> tensor<?x1x1x3xf32>
  // expected-error @below {{add2 layer '1': expected a layer that something reads, but got none}}
  %1 = tr.arch.add2 %0 ["1"] : tensor<?x1x1x3xf32> -> tensor<?x1x1x3xf32> shortcut {
  ^bb0(%a: tensor<?x1x1x3xf32>):
    tr.arch.yield %a : tensor<?x1x1x3xf32>
  } stem {
  ^bb0(%a: tensor<?x1x1x3xf32>):
    %s = tr.arch.act %a ["1.1.0"] <relu> : tensor<?x1x1x3xf32> -> tensor<?x1x1x3xf32>
    tr.arch.yield %s : tensor<?x1x1x3xf32>
  }
  %2 = tr.arch.softmax_ce %0 ["loss"] classes 3 : tensor<?x1x1x3xf32> -> tensor<?x1x1x3xf32>
  tr.arch.yield %2 : tensor<?x1x1x3xf32>
}

// -----

// Ops of other dialects say nothing of tensors and kernel ops, wherever they stand.
tr.arch.network @foreign classes 3 {
^bb0(%x: tensor<?x1x1x3xf32>):
  // expected-error @below {{expected layers only in a network, but got 'other.op'; lower this op first}}
  %0 = "other.op"(%x) : (tensor<?x1x1x3xf32>) -> tensor<?x1x1x3xf32>
  %1 = tr.arch.softmax_ce %0 ["loss"] classes 3 : tensor<?x1x1x3xf32> -> tensor<?x1x1x3xf32>
  tr.arch.yield %1 : tensor<?x1x1x3xf32>
}

// -----

tr.arch.network @foreign_in_a_branch classes 3 {
^bb0(%x: tensor<?x1x1x3xf32>):
  %0 = tr.arch.identity %x ["0"] first : tensor<?x1x1x3xf32> -> tensor<?x1x1x3xf32>
  %1 = tr.arch.add2 %0 ["1"] : tensor<?x1x1x3xf32> -> tensor<?x1x1x3xf32> shortcut {
  ^bb0(%a: tensor<?x1x1x3xf32>):
    tr.arch.yield %a : tensor<?x1x1x3xf32>
  } stem {
  ^bb0(%a: tensor<?x1x1x3xf32>):
    // expected-error @below {{expected layers only in a network, but got 'other.op'; lower this op first}}
    %s = "other.op"(%a) : (tensor<?x1x1x3xf32>) -> tensor<?x1x1x3xf32>
    tr.arch.yield %s : tensor<?x1x1x3xf32>
  }
  %2 = tr.arch.softmax_ce %1 ["loss"] classes 3 : tensor<?x1x1x3xf32> -> tensor<?x1x1x3xf32>
  tr.arch.yield %2 : tensor<?x1x1x3xf32>
}

// -----

// Kernel ops would be those of FP32.
module attributes {tr.options = #tr.options<precision = amp_bf16>} {
  // expected-error @below {{network 'precision': expected a precision that kernels have, but got amp_bf16; --tr-arch-check-kernels names the first layer without}}
  tr.arch.network @precision classes 3 {
  ^bb0(%x: tensor<?x1x1x7xf32>):
    %0 = tr.arch.fc %x ["0.fc"] out 3 bias true first : tensor<?x1x1x7xf32> -> tensor<?x1x1x3xf32>
    %1 = tr.arch.softmax_ce %0 ["loss"] classes 3 : tensor<?x1x1x3xf32> -> tensor<?x1x1x3xf32>
    tr.arch.yield %1 : tensor<?x1x1x3xf32>
  }
}
