// SPDX-License-Identifier: Apache-2.0
//
// Two passes over the files: the first decodes and measures, the second copies. The header stands
// first, so its numbers must be known before the first picture is written.
#include "data/pack.h"

#include "base/status.h"
#include "base/text.h"
#include "data/pack_format.h"
#include "io/file.h"
#include "trf/crc32c.h"
#include "tri/decode.h"
#include "trs/output_file.h"

#include <cstring>

namespace trrt {

namespace {

class PackWriter {
public:
  PackWriter(const std::string &path, const PackOptions &options) : path(path), options(options) {}

  void measure(const DataSet *data, uint32_t part) {
    if (!data)
      return;
    tri::Image image;
    for (int64_t i = 0; i < data->size(); ++i) {
      const tri::Picture picture = read(*data, i);
      if (picture.file.empty() || !isGood(*data, i, picture, image))
        continue;
      places.push_back({data, i});
      entries.push_back({offset, static_cast<uint32_t>(picture.file.size()), data->label(i),
                         trf::crc32c(picture.file.data(), picture.file.size()), part});
      offset += picture.file.size();
      ++(part == 0 ? report.training : report.validation);
    }
  }

  PackReport write(const std::vector<std::string> &classNames) {
    std::string names;
    for (const std::string &name : classNames)
      names += name + "\n";
    const uint64_t indexBytes = entries.size() * sizeof(PackEntry);
    std::string tail(reinterpret_cast<const char *>(entries.data()), indexBytes);
    tail += names;
    PackHeader header{};
    std::memcpy(header.magic, kPackMagic, sizeof header.magic);
    header.version = kPackVersion;
    header.headerBytes = sizeof header;
    header.count = entries.size();
    header.indexOffset = offset;
    header.nameBytes = names.size();
    header.fileBytes = offset + tail.size();
    header.indexChecksum = trf::crc32c(tail.data(), tail.size());
    header.checksum = trf::crc32c(&header, sizeof header);
    trs::OutputFile out(path);
    out.write(&header, sizeof header);
    copyPictures(out);
    out.write(tail);
    if (!out.commit())
      requireWritten(out.error());
    report.bytes = header.fileBytes;
    return report;
  }

private:
  struct Place {
    const DataSet *data;
    int64_t index;
  };

  // An empty picture where it cannot be read and is left out.
  tri::Picture read(const DataSet &data, int64_t i) {
    try {
      return data.picture(i, buffer);
    } catch (const Error &error) {
      leaveOut(data, i, error.what());
      return {};
    }
  }

  bool isGood(const DataSet &data, int64_t i, const tri::Picture &picture, tri::Image &image) {
    std::string error = picture.file.size() > UINT32_MAX ? "it is larger than 4 GiB"
                                                         : tri::decode(picture.file, 3, {}, image);
    if (!error.empty())
      leaveOut(data, i, error);
    return error.empty();
  }

  void leaveOut(const DataSet &data, int64_t i, const std::string &reason) {
    if (!options.onBad || !options.onBad(data.describe(i), reason))
      throw Error(TRRT_INVALID_FILE, data.describe(i) + ": " + reason);
    ++report.leftOut;
  }

  void copyPictures(trs::OutputFile &out) {
    for (size_t k = 0; k < places.size(); ++k) {
      const tri::Picture picture = places[k].data->picture(places[k].index, buffer);
      if (picture.file.size() != entries[k].bytes ||
          trf::crc32c(picture.file.data(), picture.file.size()) != entries[k].checksum)
        throw Error(TRRT_IO_ERROR,
                    places[k].data->describe(places[k].index) + ": it changed while it was packed");
      out.write(picture.file);
    }
  }

  const std::string &path;
  const PackOptions &options;
  std::vector<uint8_t> buffer;
  std::vector<Place> places;
  std::vector<PackEntry> entries;
  uint64_t offset = sizeof(PackHeader);
  PackReport report;
};

bool hasFiles(const DataSet &data) {
  std::vector<uint8_t> buffer;
  for (int64_t i = 0; i < data.size(); ++i) {
    try {
      return !data.picture(i, buffer).file.empty();
    } catch (const Error &) {
    }
  }
  return true;
}

} // namespace

PackReport writePack(const DataSet *training, const DataSet *validation, const std::string &path,
                     const PackOptions &options) {
  for (const DataSet *data : {training, validation})
    if (data && !hasFiles(*data))
      throw Error(TRRT_INVALID_ARGUMENT, "a pack holds image files, but this data set has pixels; "
                                         "it is one file already");
  PackWriter writer(path, options);
  writer.measure(training, 0);
  writer.measure(validation, 1);
  return writer.write((training ? training : validation)->classNames);
}

} // namespace trrt
