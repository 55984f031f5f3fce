// SPDX-License-Identifier: Apache-2.0
//
// y = act(x) in one loop, beside the kernels that are there.
#include "OwnKernels.h"

#include "trk/activation.h"

#include <algorithm>
#include <atomic>

static std::atomic<long> runs{0}; // for own-train to show

// Splits by call.slices and never by the number of threads, so that neither changes a bit.
static void runActivation(const trk::Call &call) {
  namespace op = trk::ops::act_fwd;
  const trk::Tensor &x = call[op::x], &y = call[op::y]; // runs of channels where pitch > c
  const trk::Act act = call.attrs<op::Attrs>().act;
  const int64_t pixels = x.pixels(), part = (pixels + call.slices - 1) / call.slices;
  call.parallel->each(call.slices, [&](int slice) {
    const int64_t end = std::min(pixels, (slice + 1) * part);
    for (int64_t p = slice * part; p < end; ++p)
      for (int64_t c = 0; c < x.c(); ++c)
        y.f32()[p * y.pitch + c] = trk::activate(act, x.f32()[p * x.pitch + c]);
  });
  ++runs;
}

static void fill(trk::KernelTable &table) {
  trk::libraries().begin()->fill(table);
  table.at(trk::Opcode::act_fwd, trk::Instance::F32) = {}; // with its state and its scratch
  table.at(trk::Opcode::act_fwd, trk::Instance::F32).run = runActivation;
}

trk::Library own::kernelLibrary() {
  trk::Library library = *trk::libraries().begin();
  library.name = "own";
  library.fill = fill;
  return library;
}

long own::activationRuns() { return runs; }
