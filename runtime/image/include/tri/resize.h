// SPDX-License-Identifier: Apache-2.0
//
// Pictures of one size from pictures of another.
#ifndef TRI_RESIZE_H
#define TRI_RESIZE_H

#include "tri/image.h"

#include <memory>

namespace tri {

// The bilinear filter of Pillow and of torchvision's resize(antialias=True): a triangle that is as
// wide as an output pixel where the picture shrinks, one input pixel where it grows, over both axes
// in turn. `box` is the part of `in` that becomes the whole of `out`; it lies inside. Weights have
// 15 bits of fraction, rows between the two axes are rounded to bytes. `in` and `out` differ.
//
// Keeps its memory from one picture to the next; one thread at a time.
class Resizer {
public:
  Resizer();
  ~Resizer();

  void run(const Image &in, Box box, Size to, Image &out);

private:
  struct State;
  std::unique_ptr<State> state;
};

} // namespace tri

#endif // TRI_RESIZE_H
