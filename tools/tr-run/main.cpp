// SPDX-License-Identifier: Apache-2.0
//
// tr-run: trains, evaluates and inspects plans.
#include "cli.h"

int main(int argc, char **argv) { return trrun::runTool({argv + 1, argv + argc}); }
