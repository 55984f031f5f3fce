// SPDX-License-Identifier: Apache-2.0
//
// Compiles a network. usage: write-plan PLAN
#include "renaissance/BluePrint/Compile.h"

#include <cstdio>

int main(int argc, char **argv) {
  using namespace tr::dsl;
  if (argc != 2)
    return 2;
  auto layers = seq(cbr(8, 3, 1, 1), gap_fc(3, true));
  tr::Result<Plan> plan = compile(model("net", {6, 6, 1}, 3, layers), Options{4});
  const std::string fault = plan ? plan->save(argv[1]) : plan.error();
  if (!fault.empty())
    std::fprintf(stderr, "error: %s\n", fault.c_str());
  return fault.empty() ? 0 : 1;
}
