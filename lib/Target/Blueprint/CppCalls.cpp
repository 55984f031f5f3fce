// SPDX-License-Identifier: Apache-2.0
//
// The calls in C++, printed from the signatures that bind them.
#include "renaissance/Target/Blueprint/BlueprintImporter.h"

#include "Names.h"

#include "renaissance/Dialect/TR/IR/Signature.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace tr {
namespace {

constexpr StringLiteral kHead =
    "// SPDX-License-Identifier: Apache-2.0\n//\n"
    "// The words and calls of the BluePrint language in C++. Written by tools/gen_docs.py from "
    "the\n"
    "// definitions of the layers; do not edit.\n"
    "#ifndef RENAISSANCE_BLUEPRINT_CALLS_H\n#define RENAISSANCE_BLUEPRINT_CALLS_H\n\n"
    "#include \"renaissance/BluePrint/Layer.h\"\n\n"
    "// Names are those of the language. NOLINTBEGIN(readability-identifier-naming)\n"
    "namespace tr::dsl {\n\n";
constexpr StringLiteral kTail = "\n#undef TR_SITE\n\n} // namespace tr::dsl\n"
                                "// NOLINTEND(readability-identifier-naming)\n\n"
                                "#endif // RENAISSANCE_BLUEPRINT_CALLS_H\n";

StringRef typeOf(ParamKind kind) {
  switch (kind) {
  case ParamKind::Int:
    return "int64_t ";
  case ParamKind::Real:
    return "double ";
  case ParamKind::Bool:
    return "bool ";
  case ParamKind::Dims:
    return "Extent ";
  case ParamKind::Activation:
    return "Act ";
  case ParamKind::Style:
    return "Style ";
  case ParamKind::Word:
    return "Word ";
  case ParamKind::Text:
    return "const std::string &";
  case ParamKind::Layer:
  case ParamKind::Layers:
    return "const Layer &";
  }
  llvm_unreachable("all kinds handled");
}

// A word as a constant, as those of activations.
std::string spellDefault(const Param &param) {
  return param.kind == ParamKind::Word ? param.fallback.upper() : param.fallback.str();
}

// pool_kernel is poolKernel.
std::string toCamel(StringRef name) {
  std::string text;
  for (size_t i = 0; i < name.size(); ++i)
    text += name[i] == '_' ? toUpper(name[++i]) : name[i];
  return text;
}

// What a call takes by position. Momentum and eps of layers that are more than a normalisation are
// set by name.
SmallVector<const Param *> getArguments(const Signature &signature) {
  SmallVector<const Param *> arguments;
  bool hasRequired = llvm::any_of(signature.params, [](const Param &p) { return p.isRequired(); });
  for (const Param &param : signature.params)
    if (!param.namedOnly && (param.isRequired() || param.kind != ParamKind::Real || !hasRequired))
      arguments.push_back(&param);
  return arguments;
}

// Of parameters that take nothing else.
void printWords(raw_ostream &os) {
  StringSet<> known;
  os << "/// Words for single parameters.\n";
  for (const Signature &signature : getSignatures())
    for (const Param &param : signature.params)
      for (StringRef word : param.words)
        if (param.kind == ParamKind::Word && !param.namedOnly && known.insert(word).second)
          os << "inline constexpr Word " << word.upper() << "{\"" << word << "\"};\n";
}

void printList(const Signature &signature, raw_ostream &os) {
  os << "/// " << signature.summary << ".\n"
     << "template <typename... Layers> Layer " << signature.name << "(const Layers &...layers) {\n"
     << "  return Layer(\"" << signature.name << "\", std::vector<Layer>{layers...});\n}\n";
}

// Of parameters up to one whose default is another's value there is a form of their own.
void printCall(const Signature &signature, ArrayRef<const Param *> arguments, raw_ostream &os) {
  SmallVector<std::string> params, values, layers;
  size_t copies = 0; // parameters up to the last one whose default cannot be told in C++
  for (auto [index, argument] : llvm::enumerate(arguments))
    if (signature.findFallback(*argument)) {
      printCall(signature, arguments.take_front(index), os);
      copies = index + 1;
    }
  for (auto [index, argument] : llvm::enumerate(arguments)) {
    std::string name = toCamel(argument->name);
    bool hasDefault = !argument->isRequired() && index >= copies;
    params.push_back(
        (typeOf(argument->kind) + name + (hasDefault ? " = " + spellDefault(*argument) : ""))
            .str());
    (argument->kind == ParamKind::Layer ? layers : values).push_back(name);
  }
  params.push_back("TR_SITE");
  os << "/// " << signature.summary << ".\ninline Layer " << signature.name << '('
     << llvm::join(params, ", ") << ") {\n  return Layer(\"" << signature.name << "\", {"
     << llvm::join(values, ", ") << "}, {" << llvm::join(layers, ", ") << "}, {file, line});\n}\n";
}

} // namespace

void printBlueprintCalls(raw_ostream &os) {
  os << kHead << "/// Styles of blocks.\n";
  for (StringRef style : blueprint::getStyleNames())
    os << "inline constexpr Style " << style << "{{\"" << style << "\"}};\n";
  os << "/// Activations, for Layer::act.\n";
  for (StringRef act : blueprint::getActivationNames())
    os << "inline constexpr Act " << act.upper() << "{{\"" << act << "\"}};\n";
  printWords(os);
  os << "\n// The last two parameters of each call are its place in the caller's source.\n"
     << "#define TR_SITE const char *file = __builtin_FILE(), int line = __builtin_LINE()\n\n";
  StringSet<> known; // forms that differ by what is set by name are one in C++
  for (const Signature &signature : getSignatures()) {
    if (signature.takesLayerList()) {
      printList(signature, os);
      continue;
    }
    SmallVector<const Param *> arguments = getArguments(signature);
    std::string form = signature.name.str();
    for (const Param *argument : arguments)
      form += (" " + typeOf(argument->kind)).str();
    if (known.insert(form).second)
      printCall(signature, arguments, os);
  }
  os << kTail;
}

} // namespace tr
