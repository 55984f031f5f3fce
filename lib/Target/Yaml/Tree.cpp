// SPDX-License-Identifier: Apache-2.0
//
// From LLVM's YAML parser, which reads as it is asked, to a tree. Reading stops at the first error,
// so nothing is parsed that a limit forbids.
#include "Tree.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/YAMLParser.h"

using namespace mlir;

namespace tr::yaml {

constexpr size_t kMaxBytes = size_t(64) << 20;
constexpr size_t kMaxScalar = 1 << 16;
constexpr size_t kMaxNodes = 4000000;
constexpr unsigned kMaxDepth = 400; // an add2 takes four

class TreeReader {
public:
  explicit TreeReader(const Document &document) : document(document) {}

  FailureOr<Node> read(llvm::yaml::Node *from, unsigned depth) {
    if (!from) // the parser has reported it
      return failure();
    llvm::SMLoc loc = document.startOf(from->getSourceRange().Start);
    if (depth > kMaxDepth)
      return document.error(loc) << "expected at most " << kMaxDepth << " levels, but got more";
    if (++count > kMaxNodes)
      return document.error(loc) << "expected at most " << kMaxNodes << " values, but got more";
    if (!from->getAnchor().empty())
      return document.error(loc) << "expected no anchor, but got '&" << from->getAnchor() << "'";
    if (!from->getRawTag().empty() && from->getRawTag() != "!")
      return document.error(loc) << "expected no tag, but got '" << from->getRawTag() << "'";
    Node node;
    node.loc = loc;
    if (auto *scalar = dyn_cast<llvm::yaml::ScalarNode>(from))
      return readScalar(*scalar, std::move(node));
    if (auto *sequence = dyn_cast<llvm::yaml::SequenceNode>(from))
      return readSequence(*sequence, std::move(node), depth);
    if (auto *mapping = dyn_cast<llvm::yaml::MappingNode>(from))
      return readMapping(*mapping, std::move(node), depth);
    if (auto *alias = dyn_cast<llvm::yaml::AliasNode>(from))
      return document.error(document.lastBefore(loc, ("*" + alias->getName()).str()))
             << "expected no alias, but got '*" << alias->getName() << "'";
    return document.error(loc) << "expected a value, but got none";
  }

private:
  FailureOr<Node> readScalar(llvm::yaml::ScalarNode &scalar, Node node) {
    StringRef raw = scalar.getRawValue();
    if (raw.size() > kMaxScalar)
      return document.error(node.loc) << "expected at most " << kMaxScalar
                                      << " characters in a value, but got " << raw.size();
    SmallString<64> storage;
    node.text = scalar.getValue(storage).str();
    if (!llvm::json::isUTF8(node.text))
      return document.error(node.loc) << "expected a value in UTF-8";
    node.quoted = raw.starts_with("\"") || raw.starts_with("'");
    return node;
  }

  FailureOr<Node> readSequence(llvm::yaml::SequenceNode &sequence, Node node, unsigned depth) {
    node.kind = Node::Sequence;
    for (llvm::yaml::Node &item : sequence) {
      FailureOr<Node> read = this->read(&item, depth + 1);
      if (failed(read))
        return failure();
      node.items.push_back(std::move(*read));
    }
    return node;
  }

  FailureOr<Node> readMapping(llvm::yaml::MappingNode &mapping, Node node, unsigned depth) {
    node.kind = Node::Mapping;
    llvm::StringSet<> seen;
    for (llvm::yaml::KeyValueNode &entry : mapping) {
      FailureOr<Node> key = read(entry.getKey(), depth + 1);
      if (failed(key))
        return failure();
      if (key->kind != Node::Scalar)
        return document.error(key->loc) << "expected a word as key";
      if (!seen.insert(key->text).second)
        return document.error(key->loc)
               << "expected each key once, but got '" << key->text << "' again";
      FailureOr<Node> value = read(entry.getValue(), depth + 1);
      if (failed(value))
        return failure();
      node.keys.push_back(std::move(key->text));
      node.items.push_back(std::move(*value));
    }
    return node;
  }

  const Document &document;
  size_t count = 0;
};

// The parser lets a list in brackets begin after the bracket.
llvm::SMLoc Document::startOf(llvm::SMLoc loc) const {
  const char *begin = sources.getMemoryBuffer(sources.getMainFileID())->getBufferStart();
  const char *at = loc.getPointer();
  if (at && at > begin && (at[-1] == '[' || at[-1] == '{'))
    --at;
  return llvm::SMLoc::getFromPointer(at);
}

// An alias begins after itself.
llvm::SMLoc Document::lastBefore(llvm::SMLoc loc, StringRef text) const {
  StringRef before = sources.getMemoryBuffer(sources.getMainFileID())->getBuffer();
  if (loc.isValid()) // at the end of a damaged text there is no place
    before = before.take_front(static_cast<size_t>(loc.getPointer() - before.data()));
  size_t at = before.rfind(text);
  return at == StringRef::npos ? loc : llvm::SMLoc::getFromPointer(before.data() + at);
}

Location Document::locationOf(llvm::SMLoc loc) const {
  const llvm::MemoryBuffer *buffer = sources.getMemoryBuffer(sources.getMainFileID());
  std::pair<unsigned, unsigned> place = {1, 1};
  if (loc.isValid() && loc.getPointer() >= buffer->getBufferStart() &&
      loc.getPointer() <= buffer->getBufferEnd())
    place = sources.getLineAndColumn(loc, sources.getMainFileID());
  return FileLineColLoc::get(context, buffer->getBufferIdentifier(), place.first, place.second);
}

FailureOr<Node> Document::read() {
  StringRef text = sources.getMemoryBuffer(sources.getMainFileID())->getBuffer();
  if (text.size() > kMaxBytes)
    return error({}) << "expected at most " << kMaxBytes << " bytes, but got " << text.size();
  bool reported = false;
  // The parser reports once and goes on; its first error is the one to show.
  struct Handler {
    const Document *document;
    bool *reported;
  } handler{this, &reported};
  llvm::SourceMgr parsed; // of the same bytes; diagnostics of MLIR are printed through the other
  parsed.setDiagHandler(
      [](const llvm::SMDiagnostic &diagnostic, void *data) {
        auto *handler = static_cast<Handler *>(data);
        if (!*handler->reported)
          handler->document->error(diagnostic.getLoc()) << diagnostic.getMessage();
        *handler->reported = true;
      },
      &handler);
  llvm::yaml::Stream stream(text, parsed, /*ShowColors=*/false);
  auto document = stream.begin();
  FailureOr<Node> root = failure();
  if (document == stream.end())
    error({}) << "expected a document, but got nothing";
  else
    root = TreeReader(*this).read(document->getRoot(), 0);
  bool failedToScan = stream.failed();
  if (succeeded(root) && !failedToScan && ++document != stream.end() && !stream.failed()) {
    error(document->getRoot() ? document->getRoot()->getSourceRange().Start : llvm::SMLoc())
        << "expected one document, but got another";
    root = failure();
  }
  failedToScan |= stream.failed();
  if (succeeded(root) && !failedToScan)
    return root;
  if (!hasError) // the parser gives up on some texts without a word
    return error({}) << "expected YAML, but got another text";
  return failure();
}

} // namespace tr::yaml
