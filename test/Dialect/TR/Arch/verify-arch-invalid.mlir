// SPDX-License-Identifier: Apache-2.0
// RUN: tr-opt %s --tr-verify-arch --split-input-file --verify-diagnostics

// Every breach is reported, not only the first.
// expected-error @+3 {{network 'unshaped': expected images of known height, width and channels, but got 'tensor<?x?x?x8xf32>'}}
// expected-error @+2 {{network 'unshaped': expected softmax_ce as the last layer, but got another}}
// expected-error @+1 {{network 'unshaped': expected one reader of the images, but got 2}}
tr.arch.network @unshaped classes 8 {
^bb0(%x: tensor<?x?x?x8xf32>):
  // expected-error @+2 {{act layer '0': expected an inferred shape, but got 'tensor<?x?x?x8xf32>'}}
  // expected-error @+1 {{act layer '0': expected the mark 'first' on the reader of the images, but got none}}
  %0 = tr.arch.act %x ["0"] <relu> : tensor<?x?x?x8xf32> -> tensor<?x?x?x8xf32>
  tr.arch.yield %x : tensor<?x?x?x8xf32>
}

// -----

tr.arch.network @bn classes 8 {
^bb0(%x: tensor<?x1x1x8xf32>):
  // expected-error @+1 {{bn layer '0.bn': expected bn1d or bn2d, but got bn}}
  %0 = tr.arch.bn %x ["0.bn"] eps 1.0e-5 momentum 0.1 first : tensor<?x1x1x8xf32> -> tensor<?x1x1x8xf32>
  // expected-error @+1 {{identity layer '1': expected an identity only before the first layer or as a whole branch of an add2, but got one elsewhere}}
  %1 = tr.arch.identity %0 ["1"] : tensor<?x1x1x8xf32> -> tensor<?x1x1x8xf32>
  // expected-error @+1 {{act layer '2': expected a use of its result, but got none}}
  %2 = tr.arch.act %1 ["2"] <relu> : tensor<?x1x1x8xf32> -> tensor<?x1x1x8xf32>
  // expected-error @+1 {{act layer '3': expected the mark 'first' only on the reader of the images, but got it here}}
  %3 = tr.arch.act %1 ["3"] <relu> first : tensor<?x1x1x8xf32> -> tensor<?x1x1x8xf32>
  %4 = tr.arch.softmax_ce %3 ["4"] classes 8 : tensor<?x1x1x8xf32> -> tensor<?x1x1x8xf32>
  tr.arch.yield %4 : tensor<?x1x1x8xf32>
}

// -----

tr.arch.network @losses classes 8 {
^bb0(%x: tensor<?x1x1x8xf32>):
  %0 = tr.arch.act %x ["0"] <relu> first : tensor<?x1x1x8xf32> -> tensor<?x1x1x8xf32>
  // expected-error @+1 {{softmax_ce layer '1': expected one softmax_ce, but got this one before the end}}
  %1 = tr.arch.softmax_ce %0 ["1"] classes 8 : tensor<?x1x1x8xf32> -> tensor<?x1x1x8xf32>
  %2 = tr.arch.fc %1 ["2.fc"] out 9 bias true : tensor<?x1x1x8xf32> -> tensor<?x1x1x9xf32>
  // expected-error @+1 {{softmax_ce layer '3': expected the network's 8 classes, but got 9}}
  %3 = tr.arch.softmax_ce %2 ["3"] classes 9 : tensor<?x1x1x9xf32> -> tensor<?x1x1x9xf32>
  tr.arch.yield %3 : tensor<?x1x1x9xf32>
}

// -----

tr.arch.network @map classes 8 {
^bb0(%x: tensor<?x2x2x2xf32>):
  %0 = tr.arch.act %x ["0"] <relu> first : tensor<?x2x2x2xf32> -> tensor<?x2x2x2xf32>
  // expected-error @+1 {{softmax_ce layer '1': expected 1x1xC logits, but got 'tensor<?x2x2x2xf32>'}}
  %1 = tr.arch.softmax_ce %0 ["1"] classes 8 : tensor<?x2x2x2xf32> -> tensor<?x2x2x2xf32>
  tr.arch.yield %1 : tensor<?x2x2x2xf32>
}

// -----

// expected-error @+1 {{network 'branches': expected a layer that reads the images, but got a add2}}
tr.arch.network @branches classes 8 {
^bb0(%x: tensor<?x1x1x8xf32>):
  // expected-error @+1 {{add2 layer '0': expected stem and shortcut of equal shape, but got stem 1x1x7 and shortcut 1x1x6}}
  %0 = tr.arch.add2 %x ["0"] : tensor<?x1x1x8xf32> -> tensor<?x1x1x8xf32> shortcut {
  ^bb0(%a: tensor<?x1x1x8xf32>):
    %1 = tr.arch.fc %a ["0.0.fc"] out 6 bias true : tensor<?x1x1x8xf32> -> tensor<?x1x1x6xf32>
    tr.arch.yield %1 : tensor<?x1x1x6xf32>
  } stem {
  ^bb0(%a: tensor<?x1x1x8xf32>):
    %1 = tr.arch.fc %a ["0.1.fc"] out 7 bias true : tensor<?x1x1x8xf32> -> tensor<?x1x1x7xf32>
    tr.arch.yield %1 : tensor<?x1x1x7xf32>
  }
  %2 = tr.arch.softmax_ce %0 ["1"] classes 8 : tensor<?x1x1x8xf32> -> tensor<?x1x1x8xf32>
  tr.arch.yield %2 : tensor<?x1x1x8xf32>
}

// -----

tr.arch.network @parts classes 8 {
^bb0(%x: tensor<?x1x1x8xf32>):
  // expected-note @+1 {{the other layer with this part is here}}
  %0 = tr.arch.fc %x ["0.fc"] out 8 bias true first : tensor<?x1x1x8xf32> -> tensor<?x1x1x8xf32>
  // expected-error @+1 {{fc layer '0.fc': expected parts of its own, but got '0.fc' again}}
  %1 = tr.arch.fc %0 ["0.fc"] out 8 bias true : tensor<?x1x1x8xf32> -> tensor<?x1x1x8xf32>
  %2 = tr.arch.softmax_ce %1 ["1"] classes 8 : tensor<?x1x1x8xf32> -> tensor<?x1x1x8xf32>
  tr.arch.yield %2 : tensor<?x1x1x8xf32>
}

// -----

tr.arch.network @sum classes 8 {
^bb0(%x: tensor<?x1x1x8xf32>):
  %0 = tr.arch.act %x ["0"] <relu> first : tensor<?x1x1x8xf32> -> tensor<?x1x1x8xf32>
  // expected-error @+1 {{add2 layer '1': expected a result of shape 1x1x8, but got 'tensor<?x1x1x9xf32>'}}
  %1 = tr.arch.add2 %0 ["1"] : tensor<?x1x1x8xf32> -> tensor<?x1x1x9xf32> shortcut {
  ^bb0(%a: tensor<?x1x1x8xf32>):
    tr.arch.yield %a : tensor<?x1x1x8xf32>
  } stem {
  ^bb0(%a: tensor<?x1x1x8xf32>):
    %2 = tr.arch.act %a ["1.1.0"] <relu> : tensor<?x1x1x8xf32> -> tensor<?x1x1x8xf32>
    tr.arch.yield %2 : tensor<?x1x1x8xf32>
  }
  %3 = tr.arch.fc %1 ["2.fc"] out 8 bias true : tensor<?x1x1x9xf32> -> tensor<?x1x1x8xf32>
  %4 = tr.arch.softmax_ce %3 ["3"] classes 8 : tensor<?x1x1x8xf32> -> tensor<?x1x1x8xf32>
  tr.arch.yield %4 : tensor<?x1x1x8xf32>
}
