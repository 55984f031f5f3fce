// SPDX-License-Identifier: Apache-2.0
//
// Completion and signature help: the context of a place, met with the signatures of the calls.
#include "BlueprintCompletion.h"

#include "renaissance/Target/Blueprint/BlueprintImporter.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace llvm;

namespace tr {
namespace {

using Kind = lsp::CompletionItemKind;

std::string describeParam(const Param &param) {
  if (param.kind == ParamKind::Layers)
    return "...";
  std::string fallback = param.isRequired() ? "" : " = " + param.fallback.str();
  return param.name.str() + fallback;
}

// Number of the parameter that an argument is for; of none the number of parameters.
size_t findParam(const Signature &signature, const BlueprintContext &context) {
  if (signature.takesLayerList())
    return context.label.empty() ? 0 : signature.params.size();
  size_t position = 0;
  for (auto [index, param] : llvm::enumerate(signature.params))
    if (context.label.empty() ? !param.namedOnly && position++ == context.positional
                              : param.name == context.label)
      return index;
  return signature.params.size();
}

// "mb(k, out, e = 6)" of the line that defines it.
StringRef describeFunction(const BlueprintSymbol &function) {
  StringRef text = StringRef(function.text).drop_front(StringRef("fn ").size()).ltrim();
  size_t end = text.find(')');
  return end == StringRef::npos ? text : text.take_front(end + 1);
}

SmallVector<std::string> listParams(const BlueprintSymbol &function) {
  StringRef text = describeFunction(function);
  SmallVector<StringRef> parts;
  text.drop_front(std::min(text.find('(') + 1, text.size())).rtrim(')').split(parts, ',');
  SmallVector<std::string> params;
  for (StringRef part : parts)
    if (!part.trim().empty())
      params.push_back(part.trim().str());
  return params;
}

class Completer {
public:
  Completer(const BlueprintDocument &document, TextPlace place)
      : index(document.getIndex()), place(place),
        context(findBlueprintContext(document.getText(), place)) {}

  lsp::CompletionList run() {
    switch (context.kind) {
    case BlueprintContext::Nothing:
      break;
    case BlueprintContext::TopLevel:
      add("model", Kind::Keyword, "a network: model NAME(input = HxWxC, classes = N) { ... }");
      add("let", Kind::Keyword, "a name for an expression: let NAME = ...;");
      add("fn", Kind::Keyword, "layers with integers to choose: fn NAME(PARAM, ...) = ...;");
      break;
    case BlueprintContext::Header:
      addHeader();
      break;
    case BlueprintContext::Body:
      add("let", Kind::Keyword, "a name for an expression: let NAME = ...;");
      addLayers();
      break;
    case BlueprintContext::Layer:
      addLayers();
      break;
    case BlueprintContext::Argument:
      addArguments();
      break;
    }
    return std::move(list);
  }

private:
  lsp::CompletionItem *add(StringRef word, Kind kind, StringRef detail) {
    if (!known.insert(word).second)
      return nullptr;
    // Words stay in the order in which they are added.
    std::string order = std::to_string(1000 + list.items.size());
    lsp::CompletionItem &item = list.items.emplace_back(word, kind, order);
    item.detail = detail.str();
    return &item;
  }

  void addParam(StringRef name, StringRef detail) {
    if (llvm::is_contained(context.given, name))
      return;
    if (lsp::CompletionItem *item = add(name, Kind::Property, detail))
      item->insertText = (name + " = ").str();
  }

  void addHeader() {
    if (!context.label.empty() || !context.isStart)
      return;
    addParam("input", "HEIGHTxWIDTHxCHANNELS of one sample");
    addParam("classes", "number of classes");
  }

  void addLayers() {
    for (const BlueprintSymbol *symbol : index.findVisible(place))
      if (symbol->kind == BlueprintSymbol::Function)
        add(symbol->name, Kind::Function, describeFunction(*symbol));
      else if (symbol->kind == BlueprintSymbol::Let)
        add(symbol->name, Kind::Variable, symbol->text);
    for (const Signature &signature : getSignatures())
      add(signature.name, Kind::Function, signature.describe());
    addChoice();
  }

  void addChoice() { add("if", Kind::Function, "if(cond, a, b): a where cond is not 0, else b"); }

  void addNumbers() {
    for (const BlueprintSymbol *symbol : index.findVisible(place))
      if (symbol->kind == BlueprintSymbol::Param)
        add(symbol->name, Kind::Variable, "parameter");
    add("classes", Kind::Constant, "classes of the model");
    add("cin", Kind::Constant, "channels of the input");
    addChoice();
  }

  void addValues(const Param &param) {
    switch (param.kind) {
    case ParamKind::Layer:
    case ParamKind::Layers:
      return addLayers();
    case ParamKind::Int:
    case ParamKind::Dims:
      return addNumbers();
    default:
      break;
    }
    Kind kind = param.kind == ParamKind::Bool ? Kind::Keyword : Kind::EnumMember;
    for (StringRef value : getBlueprintValues(param))
      add(value, kind, param.name);
    for (StringRef word : param.words)
      add(word, Kind::EnumMember, param.name);
  }

  // Values of the parameter that is next, then parameters by name. Positional arguments come first.
  void addArguments() {
    if (!context.isStart)
      return;
    if (context.isOperand)
      return addNumbers();
    if (const BlueprintSymbol *function = index.findFunction(context.call))
      return addArgumentsOf(*function);
    ArrayRef<Signature> forms = findSignatures(context.call);
    if (context.given.empty() || !context.label.empty())
      for (const Signature &form : forms)
        if (size_t found = findParam(form, context); found < form.params.size())
          addValues(form.params[found]);
    if (!context.label.empty() || forms.empty())
      return;
    for (const Signature &form : forms) {
      size_t position = 0;
      for (const Param &param : form.params)
        if (param.kind != ParamKind::Layers &&
            (param.namedOnly || position++ >= context.positional))
          addParam(param.name, describeParam(param));
    }
    addParam(getNameParam().name, "name of the layer in the paths of parameters");
  }

  void addArgumentsOf(const BlueprintSymbol &function) {
    if (context.given.empty() || !context.label.empty())
      addNumbers();
    if (!context.label.empty())
      return;
    for (auto [position, param] : llvm::enumerate(listParams(function)))
      if (position >= context.positional)
        addParam(StringRef(param).split('=').first.rtrim(), param);
    addParam(getNameParam().name, "name of the layer in the paths of parameters");
  }

  const BlueprintIndex &index;
  TextPlace place;
  BlueprintContext context;
  lsp::CompletionList list;
  StringSet<> known;
};

} // namespace

lsp::CompletionList completeAt(const BlueprintDocument &document, TextPlace place) {
  return Completer(document, place).run();
}

static lsp::SignatureHelp describeFunctionCall(const BlueprintSymbol &function,
                                               const BlueprintContext &context) {
  lsp::SignatureHelp help;
  lsp::SignatureInformation &signature = help.signatures.emplace_back();
  signature.label = describeFunction(function).str();
  help.activeParameter = static_cast<int>(context.positional);
  for (auto [position, param] : llvm::enumerate(listParams(function))) {
    if (!context.label.empty() && StringRef(param).split('=').first.rtrim() == context.label)
      help.activeParameter = static_cast<int>(position);
    signature.parameters.emplace_back().labelString = param;
  }
  return help;
}

lsp::SignatureHelp describeOpenCall(const BlueprintDocument &document, TextPlace place) {
  lsp::SignatureHelp help;
  BlueprintContext context = findBlueprintContext(document.getText(), place);
  if (context.kind != BlueprintContext::Argument)
    return help;
  if (const BlueprintSymbol *function = document.getIndex().findFunction(context.call))
    return describeFunctionCall(*function, context);
  bool isFound = false;
  for (const Signature &form : findSignatures(context.call)) {
    size_t param = findParam(form, context);
    if (!isFound && param < form.params.size()) {
      isFound = true;
      help.activeSignature = static_cast<int>(help.signatures.size());
      help.activeParameter = static_cast<int>(param);
    }
    lsp::SignatureInformation &signature = help.signatures.emplace_back();
    signature.label = form.describe();
    signature.documentation = form.summary.str();
    for (const Param &each : form.params)
      signature.parameters.emplace_back().labelString = describeParam(each);
  }
  return help;
}

} // namespace tr
