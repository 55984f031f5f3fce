// SPDX-License-Identifier: Apache-2.0
//
// Pictures through their calls.
#include "tri/pipeline.h"

#include "calls.h"
#include "decoders.h"
#include "parser.h"
#include "trs/number.h"

#include <algorithm>
#include <cmath>

namespace tri {

Normalisation imagenetNormalisation() { return {{0.485, 0.456, 0.406}, {0.229, 0.224, 0.225}}; }

std::string Pipeline::parse(std::string_view text, Pipeline &pipeline) {
  ParsedPipeline parsed;
  std::string error = parsePipeline(text, parsed);
  if (!error.empty())
    return error;
  pipeline.calls = std::move(parsed.calls);
  pipeline.hasNormalisation = parsed.normal.has_value();
  if (parsed.normal)
    pipeline.normal = std::move(*parsed.normal);
  return "";
}

void Pipeline::setCalls(std::string_view text) {
  ParsedPipeline parsed;
  if (parsePipeline(text, parsed).empty())
    calls = std::move(parsed.calls);
}

static std::string wordOf(const ParamInfo &param, double value) {
  std::string_view rest = param.words;
  for (int i = 0; i < static_cast<int>(value); ++i)
    rest.remove_prefix(rest.find('|') + 1);
  return std::string(rest.substr(0, rest.find('|')));
}

static std::string shownValue(const ParamInfo &param, double value) {
  return param.isChoice() ? wordOf(param, value) : shownNumber(value);
}

static std::string callText(const PipelineCall &call) {
  std::string values;
  for (size_t i = 0; i < call.info->paramCount; ++i) {
    const ParamInfo &param = call.info->params[i];
    if (call.values[i] != param.otherwise)
      values += (values.empty() ? "" : ", ") + std::string(param.name) + " = " +
                shownValue(param, call.values[i]);
  }
  return std::string(call.info->name) + "(" + values + ")";
}

static std::string listText(const std::vector<double> &values) {
  std::string text;
  for (const double value : values)
    text += (text.empty() ? "" : ", ") + shownNumber(value);
  return values.size() == 1 ? text : "[" + text + "]";
}

std::string Pipeline::text() const {
  std::string text;
  const auto add = [&](const std::string &call) { text += (text.empty() ? "" : ", ") + call; };
  for (const PipelineCall &call : calls)
    add(callText(call));
  if (hasNormalisation)
    add("normalize(" +
        (normal == imagenetNormalisation() ? std::string("imagenet")
                                           : listText(normal.mean) + ", " + listText(normal.std)) +
        ")");
  return text;
}

static bool isCall(const PipelineCall &call, std::string_view name) {
  return call.info->name == name;
}

bool Pipeline::isRandom() const {
  return std::any_of(calls.begin(), calls.end(), [](const PipelineCall &call) {
    return !isCall(call, "resize") && !isCall(call, "centre_crop") && !isCall(call, "pad");
  });
}

// As many pixels as a JPEG must keep of `size` so that the first call does not enlarge it.
static Size neededSize(const std::vector<PipelineCall> &calls, Size size, Size target,
                       const Box *box) {
  if (calls.empty())
    return target;
  if (isCall(calls[0], "resize")) {
    const double side = calls[0].values[0];
    return resizedSize(size, side == kTarget ? std::min(target.height, target.width)
                                             : static_cast<int64_t>(side));
  }
  if (!box)
    return {};
  const auto whole = [](int64_t size, double part, int64_t wanted) {
    return static_cast<int64_t>(
        std::ceil(static_cast<double>(size) * static_cast<double>(wanted) / part));
  };
  return {whole(size.height, box->height, target.height),
          whole(size.width, box->width, target.width)};
}

// Pixels that are there already, with as many channels as are wanted.
static void takePixels(const Picture &picture, int64_t channels, Image &out) {
  out.reset(picture.size, channels);
  const uint8_t *in = picture.pixels;
  if (picture.channels == channels) {
    std::copy_n(in, out.bytes.size(), out.bytes.begin());
    return;
  }
  for (size_t i = 0; i < out.bytes.size(); i += static_cast<size_t>(channels)) {
    if (channels == 3)
      std::fill_n(out.bytes.begin() + static_cast<std::ptrdiff_t>(i), 3, *in);
    else
      out.bytes[i] = luma(in[0], in[1], in[2]);
    in += picture.channels;
  }
}

static Box scaled(Box box, Size from, Size to) {
  const double y = static_cast<double>(to.height) / static_cast<double>(from.height),
               x = static_cast<double>(to.width) / static_cast<double>(from.width);
  return {box.top * y, box.left * x, box.height * y, box.width * x};
}

static std::array<uint8_t, 3> meanBytes(const Normalisation *normal) {
  std::array<uint8_t, 3> bytes{};
  if (normal)
    for (size_t c = 0; c < 3; ++c)
      bytes[c] = static_cast<uint8_t>(
          std::clamp(std::nearbyint(255 * normal->mean[c % normal->mean.size()]), 0.0, 255.0));
  return bytes;
}

std::string Pipeline::run(const Picture &picture, int64_t channels, Size target, Draws &draws,
                          PipelineMemory &memory, Image &out) const {
  const bool isFile = !picture.file.empty();
  Size full = picture.size;
  if (isFile)
    if (std::string error = readSize(picture.file, full); !error.empty())
      return error;
  const std::array<uint8_t, 3> mean = meanBytes(normalisation());
  size_t first = 0;
  Box box;
  Size boxSize;
  if (!calls.empty() && isCall(calls[0], "random_resized_crop")) {
    draws.beginCall(0);
    box = drawResizedCrop(calls[0], full, draws);
    boxSize = Step{calls[0], draws, memory, target, mean}.size(0);
    first = 1;
  }
  if (!isFile) {
    takePixels(picture, channels, memory.current);
  } else if (std::string error =
                 decode(picture.file, channels,
                        neededSize(calls, full, first ? boxSize : target, first ? &box : nullptr),
                        memory.current);
             !error.empty()) {
    return error;
  }
  if (first) {
    memory.resizer.run(memory.current, scaled(box, full, memory.current.size), boxSize,
                       memory.next);
    std::swap(memory.current, memory.next);
  }
  for (size_t i = first; i < calls.size(); ++i) {
    draws.beginCall(static_cast<uint32_t>(i));
    Step step{calls[i], draws, memory, target, mean};
    calls[i].info->run(step);
  }
  const Size left = memory.current.size;
  if (left == target)
    out = memory.current; // a swap would let memory change hands, and grow twice
  else
    memory.resizer.run(memory.current,
                       {0, 0, static_cast<double>(left.height), static_cast<double>(left.width)},
                       target, out);
  return "";
}

std::vector<std::string> pipelineReference() {
  std::vector<std::string> lines;
  for (size_t i = 0; i < kCallCount; ++i) {
    const CallInfo &info = kCalls[i];
    std::string params;
    for (size_t k = 0; k < info.paramCount; ++k) {
      const ParamInfo &param = info.params[k];
      params += (k == 0 ? "" : ", ") + std::string(param.name);
      if (param.otherwise >= 0)
        params += " = " + shownValue(param, param.otherwise);
    }
    lines.push_back(std::string(info.name) + "(" + params + ")\t" + std::string(info.doc));
  }
  lines.push_back("normalize(imagenet | mean, std)\tthe network reads (byte / 255 - mean) / std; "
                  "one number each or [red, green, blue]; the last call");
  return lines;
}

} // namespace tri
