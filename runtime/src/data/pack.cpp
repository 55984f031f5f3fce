// SPDX-License-Identifier: Apache-2.0
//
// A pack as a data set. The file is mapped; a file that shrinks while it is mapped would end the
// process, so its bytes are checked once on opening and each picture by its checksum when it is
// read.
#include "base/status.h"
#include "base/text.h"
#include "data/pack_format.h"
#include "data/sources.h"
#include "io/file.h"
#include "trf/crc32c.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace trrt {

namespace {

class MappedFile {
public:
  explicit MappedFile(const std::string &path) {
    const int descriptor = openForReading(path);
    struct stat info;
    const bool isRegular = fstat(descriptor, &info) == 0 && S_ISREG(info.st_mode);
    bytes = isRegular ? static_cast<uint64_t>(info.st_size) : 0;
    void *mapped =
        bytes == 0 ? MAP_FAILED : mmap(nullptr, bytes, PROT_READ, MAP_SHARED, descriptor, 0);
    close(descriptor);
    if (mapped == MAP_FAILED)
      throw Error(TRRT_INVALID_FILE,
                  printable(path) + ": not a pack: " +
                      (isRegular ? bytes == 0 ? "it is empty" : std::strerror(errno)
                                 : "it is no regular file"));
    data = static_cast<const uint8_t *>(mapped);
    // Pictures are read in any order: one pass over the disk beats that, where memory holds it.
    madvise(mapped, bytes, MADV_WILLNEED);
  }
  ~MappedFile() { munmap(const_cast<uint8_t *>(data), bytes); }
  MappedFile(const MappedFile &) = delete;
  MappedFile &operator=(const MappedFile &) = delete;

  const uint8_t *data = nullptr;
  uint64_t bytes = 0;
};

class PackSet final : public DataSet {
public:
  explicit PackSet(const SourceRequest &request) : path(request.path), file(request.path) {
    const PackHeader header = readHeader();
    const uint64_t indexBytes = header.count * sizeof(PackEntry);
    std::vector<PackEntry> all(header.count);
    if (!all.empty())
      std::memcpy(all.data(), file.data + header.indexOffset, indexBytes);
    const uint32_t part = request.split == Split::Test;
    for (const PackEntry &entry : all) {
      if (entry.offset < sizeof header || entry.offset > header.indexOffset ||
          entry.bytes > header.indexOffset - entry.offset || entry.part > 1)
        fail("an entry of its index leaves the file");
      if (entry.part == part)
        entries.push_back(entry);
    }
    if (all.empty())
      fail("it holds no picture");
    hasParts = std::any_of(all.begin(), all.end(),
                           [&](const PackEntry &entry) { return entry.part != all[0].part; });
    if (!hasParts)
      entries = std::move(all);
    readNames(header);
    normal = tri::imagenetNormalisation();
    labelSource = path;
  }

  int64_t size() const override { return static_cast<int64_t>(entries.size()); }
  int32_t label(int64_t index) const override { return at(index).label; }
  tri::Picture picture(int64_t index, std::vector<uint8_t> &) const override {
    const PackEntry &entry = at(index);
    const tri::Picture picture = tri::Picture::ofFile(
        {reinterpret_cast<const char *>(file.data + entry.offset), entry.bytes});
    if (trf::crc32c(picture.file.data(), picture.file.size()) != entry.checksum)
      throw Error(TRRT_INVALID_FILE, "its bytes do not have their checksum: the pack is damaged");
    return picture;
  }
  std::string describe(int64_t index) const override {
    return printable(path) + ": picture " + std::to_string(index);
  }

private:
  const PackEntry &at(int64_t index) const { return entries[static_cast<size_t>(index)]; }
  [[noreturn]] void fail(const std::string &what) const {
    throw Error(TRRT_INVALID_FILE, printable(path) + ": not a valid pack: " + what);
  }

  PackHeader readHeader() const {
    PackHeader header;
    if (file.bytes < sizeof header)
      fail("it is shorter than a header");
    std::memcpy(&header, file.data, sizeof header);
    if (std::memcmp(header.magic, kPackMagic, sizeof header.magic) != 0)
      fail("it does not begin as one");
    if (header.version != kPackVersion)
      fail("expected version " + std::to_string(kPackVersion) + ", but got " +
           std::to_string(header.version));
    const uint32_t checksum = header.checksum;
    header.checksum = 0;
    if (trf::crc32c(&header, sizeof header) != checksum)
      fail("its header does not have its checksum");
    if (header.fileBytes != file.bytes)
      fail("expected " + std::to_string(header.fileBytes) + " bytes, but got " +
           std::to_string(file.bytes));
    const uint64_t room = header.indexOffset <= file.bytes ? file.bytes - header.indexOffset : 0;
    if (header.count > room / sizeof(PackEntry) ||
        header.nameBytes != room - header.count * sizeof(PackEntry))
      fail("its index leaves the file");
    if (trf::crc32c(file.data + header.indexOffset, room) != header.indexChecksum)
      fail("its index does not have its checksum");
    return header;
  }

  void readNames(const PackHeader &header) {
    const char *begin = reinterpret_cast<const char *>(file.data + file.bytes - header.nameBytes);
    std::string_view names(begin, header.nameBytes);
    while (!names.empty()) {
      const size_t end = std::min(names.find('\n'), names.size());
      classNames.emplace_back(names.substr(0, end));
      names.remove_prefix(std::min(names.size(), end + 1));
    }
  }

  std::string path;
  MappedFile file;
  std::vector<PackEntry> entries;
};

} // namespace

std::unique_ptr<DataSet> openPack(const SourceRequest &request) {
  return std::make_unique<PackSet>(request);
}

} // namespace trrt
