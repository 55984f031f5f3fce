// SPDX-License-Identifier: Apache-2.0
//
// Writes the hand-made plans of the runtime's tests as seeds: plan-seeds FOLDER
#include "regression_plan.h"
#include "sample_plan.h"

#include <cstdio>
#include <fstream>

using namespace trf::test;

static bool write(const std::string &path, const std::vector<uint8_t> &bytes) {
  std::ofstream out(path, std::ios::binary);
  out.write(reinterpret_cast<const char *>(bytes.data()),
            static_cast<std::streamsize>(bytes.size()));
  return static_cast<bool>(out.flush());
}

int main(int argc, char **argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: plan-seeds FOLDER\n");
    return 2;
  }
  const std::string folder = std::string(argv[1]) + "/";
  Draft bare = regressionDraft(trf::test::RegressionShape{1, 1, 1, 1, 1, 1});
  bare.records.layers[0].loc = TRF_NONE;
  bare.records.locs.clear();
  const bool written = write(folder + "sample", bytesOf(samplePlan(/*runnable=*/true))) &&
                       write(folder + "regression", bytesOf(regressionDraft())) &&
                       write(folder + "bare", bytesOf(bare));
  if (!written)
    std::fprintf(stderr, "error: cannot write to '%s'\n", argv[1]);
  return written ? 0 : 1;
}
