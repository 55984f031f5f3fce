// SPDX-License-Identifier: Apache-2.0
//
// Texts of pipelines.
#ifndef TRI_SRC_PARSER_H
#define TRI_SRC_PARSER_H

#include "calls.h"

#include <optional>

namespace tri {

struct ParsedPipeline {
  std::vector<PipelineCall> calls;
  std::optional<Normalisation> normal;
};

// Returns an empty text or "column N: ...".
std::string parsePipeline(std::string_view text, ParsedPipeline &result);

// The shortest text that reads back as `value`.
std::string shownNumber(double value);

} // namespace tri

#endif // TRI_SRC_PARSER_H
