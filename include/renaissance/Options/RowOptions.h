// SPDX-License-Identifier: Apache-2.0
//
// The rows of CompileOptions.def as options of a pass or a pipeline in text.
#ifndef RENAISSANCE_OPTIONS_ROWOPTIONS_H
#define RENAISSANCE_OPTIONS_ROWOPTIONS_H

#include "renaissance/Options/CompileOptions.h"

#include "mlir/Pass/PassOptions.h"

#include <memory>

namespace tr {

/// Text that the row of the option's name takes.
struct RowParser : llvm::cl::parser<std::string> {
  using parser::parser;
  bool parse(llvm::cl::Option &option, llvm::StringRef name, llvm::StringRef text,
             std::string &value);
};

/// One option for each row. `Option` is the class template of the host, a pass or pipeline options.
template <template <typename, typename> class Option> class RowOptions {
public:
  template <typename Host> explicit RowOptions(Host &host) {
    CompileOptions defaults;
    for (const OptionRow &row : getOptionRows())
      options.push_back(std::make_unique<Option<std::string, RowParser>>(
          host, llvm::StringRef(row.name), llvm::cl::desc(row.help),
          llvm::cl::init(getOption(defaults, row.name)), llvm::cl::value_desc(row.values),
          row.isBool() ? llvm::cl::ValueOptional : llvm::cl::ValueRequired));
  }

  /// What the options say. A program may have set one to what its row does not take: then `fault`
  /// tells.
  CompileOptions get(std::string &fault) const {
    CompileOptions values;
    for (const auto &option : options) {
      if (option->getValue().empty())
        continue;
      std::string why = setOption(values, option->getArgStr(), option->getValue());
      if (!why.empty())
        fault += ((fault.empty() ? "" : "; ") + option->getArgStr() + ": " + why).str();
    }
    return values;
  }
  void set(const CompileOptions &values) {
    for (const auto &option : options)
      *option = getOption(values, option->getArgStr());
  }

private:
  std::vector<std::unique_ptr<Option<std::string, RowParser>>> options;
};

} // namespace tr

#endif // RENAISSANCE_OPTIONS_ROWOPTIONS_H
