// SPDX-License-Identifier: Apache-2.0
//
// The subcommands of tr-run and what they share.
#ifndef RENAISSANCE_TOOLS_TR_RUN_COMMANDS_H
#define RENAISSANCE_TOOLS_TR_RUN_COMMANDS_H

#include "args.h"

#include "data/image_reader.h"
#include "session/session.h"

#include <memory>

namespace trrun {

Command trainCommand();
Command evalCommand();
Command inferCommand();
Command stepCommand();
Command benchCommand();
Command inspectCommand();
Command packCommand();

// Options that several commands have.
void addWeightsOptions(std::vector<Option> &options, const char *help, bool required = false);
void addDeviceOptions(std::vector<Option> &options);
void addScalarOptions(std::vector<Option> &options);

// The plan, in the order that --order-seed asks for.
trf::Plan loadPlan(const Args &args);
// The session that --device, --threads and --poison ask for.
std::unique_ptr<trrt::Session> openSession(const Args &args, trf::Plan plan);
std::unique_ptr<trrt::Session> openSession(const Args &args);

// Sets every optimizer scalar of the plan from the options or its default. An
// option that the plan's optimizer does not have is a usage error. Returns lr.
double applyScalars(const Args &args, trrt::Session &session);

// Those of --weights and --weights-map; says on standard error what was left out.
void loadWeightsOption(const Args &args, trrt::Session &session);

// --loader-threads and --bad-files, and with `both` --augment; the names of `prepare` too.
void addImageOptions(std::vector<Option> &options, bool both);
// What images become in training and elsewhere. Where one of the two texts says normalize, it holds
// for both; two that differ are a usage error.
struct ImageTexts {
  trrt::ImageOptions augment, prepare;
};
ImageTexts imageOptions(const Args &args);
// tr-run infer of the image files that its words name.
int inferImages(const Args &args);
// The name of a class, or its number where names say none.
std::string className(const std::vector<std::string> &names, int64_t label);

// Throws where a tensor of this shape holds no images of the variant.
void requireImages(const std::string &path, const std::vector<int64_t> &shape,
                   const trf::Variant &variant);

// "0.1234", short also where it is large, and "nan" whatever its sign.
std::string lossText(double loss);

// Checks a --dataset value, or that of another option, before anything is loaded.
std::string dataSetOption(const Args &args, const char *name = "--dataset");

} // namespace trrun

#endif // RENAISSANCE_TOOLS_TR_RUN_COMMANDS_H
