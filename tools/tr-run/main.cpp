// SPDX-License-Identifier: Apache-2.0
//
// tr-run: trains, evaluates and inspects plans.
#include "cli.h"

#include "trs/process.h"

int main(int argc, char **argv) {
  trs::prepareProcess();
  return trrun::runTool({argv + 1, argv + argc});
}
