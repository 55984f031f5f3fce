// SPDX-License-Identifier: Apache-2.0
//
// One pass of a convolution with its batch cut into slices, whatever the algorithm.
#ifndef TRK_CPU_CONVOLUTION_H
#define TRK_CPU_CONVOLUTION_H

#include "common/window.h"
#include "cpu/cpu.h"

#include <memory>
#include <string>

namespace trk::cpu {

enum class ConvPass { Forward, BackwardData, BackwardWeight };

struct ConvShape {
  int64_t n = 0, h = 0, w = 0, c = 0;  // input
  int64_t oh = 0, ow = 0, outputs = 0; // output
  Window window;
  bool denseX = true, denseY = true; // or some channels of a wider tensor
  bool bias = false;
  bool cutImages = false;       // forward: slices may be parts of images where there are too few
  bool reportsProgress = false; // forward: ConvData::progress is set
};

// The four tensors of a convolution, or their gradients; and for forward what else it may have.
struct ConvData {
  Pixels x;
  float *w = nullptr, *bias = nullptr;
  Pixels y;
  void *packed = nullptr; // what packWeights() made; null: it lies at the beginning of scratch
  // y = act(conv + shortcut), by convolutions that have an epilogue. `zeros` and `ones` have a
  // value for each output channel.
  ConstPixels shortcut = {};
  const float *zeros = nullptr, *ones = nullptr;
  Act act = Activation::None;
  // Called for images of a slice as soon as their output is complete, while it is still in the
  // cache; may be null.
  class Progress *progress = nullptr;
};

class Progress {
public:
  virtual ~Progress() = default;
  // Images [first of the slice, end) are done.
  virtual void reached(int slice, int64_t end) = 0;
};

// A slice runs on the calling thread. Weights are brought into the algorithm's own
// form once for all slices; partial weight gradients of the slices are summed in order.
class Convolution {
public:
  virtual ~Convolution() = default;

  virtual int slices() const = 0;
  virtual Range images(int slice) const = 0;
  virtual int64_t scratchBytes() const = 0;
  // Of the weights in the algorithm's own form; 0: it takes them as they are.
  virtual int64_t packedBytes() const { return 0; }
  // Equal for convolutions that can share packed weights of the same plain ones.
  virtual std::string packedLayout() const { return implementation(); }
  // Whether runSlice() adds the shortcut and applies the activation.
  virtual bool hasEpilogue() const { return false; }
  // Name of the implementation, for benchmarks.
  virtual std::string implementation() const = 0;
  // As Kernel::slowness.
  virtual std::string slowness() const { return std::string(); }

  // Before the slices of forward and backward data.
  virtual void packWeights(const Call &call, const float *w, void *scratch) = 0;
  // One slice, on the calling thread. `data` is at the whole batch.
  virtual void runSlice(int slice, const ConvData &data, void *scratch) = 0;
  // After the slices of backward weight.
  virtual void finishGradients(const Call &call, const ConvData &data, void *scratch) = 0;
};

// Of input x and output y, without a bias.
ConvShape convShape(const Window &window, const Tensor &x, const Tensor &y);
// By the algorithm of the call where it has the shape, else direct. Returns an empty string
// or why there is none.
std::string buildConvolution(const Call &call, ConvPass pass, const ConvShape &shape,
                             std::unique_ptr<Convolution> &result);

// Own Winograd F(4x4, 3x3), for the shapes that winogradSupports() says.
bool winogradSupports(const ConvShape &shape);
std::unique_ptr<Convolution> buildWinograd(ConvPass pass, const ConvShape &shape, int slices);

// Own 1x1 convolution of any stride, for the shapes that pointwiseSupports() says.
bool pointwiseSupports(const ConvShape &shape);
std::unique_ptr<Convolution> buildPointwise(ConvPass pass, const ConvShape &shape, int slices);

// Own weight gradient of depthwise convolutions with a large or dilated window, for which oneDNN
// has a reference implementation only.
bool depthwiseSupports(ConvPass pass, const ConvShape &shape);
std::unique_ptr<Convolution> buildDepthwise(const ConvShape &shape, int slices);

// oneDNN's direct convolution. Returns an empty string or why it has none for the shape.
std::string buildDirect(ConvPass pass, const ConvShape &shape, int slices,
                        std::unique_ptr<Convolution> &result);

} // namespace trk::cpu

#endif // TRK_CPU_CONVOLUTION_H
