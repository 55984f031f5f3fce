// SPDX-License-Identifier: Apache-2.0
//
// The protocol's side of BlueprintDocument.
#include "BlueprintServer.h"

#include "BlueprintCompletion.h"

#include "renaissance/Target/Blueprint/BlueprintImporter.h"

#include "trf/version.h"

#include "llvm/Support/LSP/Protocol.h"
#include "llvm/Support/LSP/Transport.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace tr {
namespace {

class Server {
public:
  explicit Server(lsp::JSONTransport &transport);

  lsp::MessageHandler handler;
  bool sawShutdown = false;

private:
  void initialize(const lsp::InitializeParams &, lsp::Callback<json::Value> reply);
  void initialized(const lsp::InitializedParams &) {}
  void shutdown(const lsp::NoParams &, lsp::Callback<std::nullptr_t> reply);
  void open(const lsp::DidOpenTextDocumentParams &params);
  void change(const lsp::DidChangeTextDocumentParams &params);
  void close(const lsp::DidCloseTextDocumentParams &params);
  void hover(const lsp::TextDocumentPositionParams &params,
             lsp::Callback<std::optional<lsp::Hover>> reply);
  void hints(const lsp::InlayHintsParams &params, lsp::Callback<std::vector<lsp::InlayHint>> reply);
  void complete(const lsp::CompletionParams &params, lsp::Callback<lsp::CompletionList> reply);
  void helpWithCall(const lsp::TextDocumentPositionParams &params,
                    lsp::Callback<lsp::SignatureHelp> reply);
  void define(const lsp::TextDocumentPositionParams &params,
              lsp::Callback<std::vector<lsp::Location>> reply);
  void refer(const lsp::ReferenceParams &params, lsp::Callback<std::vector<lsp::Location>> reply);
  void list(const lsp::DocumentSymbolParams &params,
            lsp::Callback<std::vector<lsp::DocumentSymbol>> reply);

  void update(const lsp::URIForFile &uri, int64_t version, std::string content);
  const BlueprintDocument *find(const lsp::TextDocumentIdentifier &text) const;
  const BlueprintSymbol *findSymbol(const lsp::TextDocumentPositionParams &params) const;

  std::map<std::string, BlueprintDocument> documents; // by URI
  lsp::OutgoingNotification<lsp::PublishDiagnosticsParams> publish;
};

lsp::Position positionOf(TextPlace place) {
  return lsp::Position(static_cast<int>(place.line) - 1, static_cast<int>(place.column) - 1);
}

TextPlace placeOf(lsp::Position position) {
  return {static_cast<unsigned>(std::max(position.line, 0)) + 1,
          static_cast<unsigned>(std::max(position.character, 0)) + 1};
}

lsp::Range rangeOf(TextPlace begin, size_t bytes) {
  TextPlace end{begin.line, begin.column + static_cast<unsigned>(bytes)};
  return lsp::Range(positionOf(begin), positionOf(end));
}

Server::Server(lsp::JSONTransport &transport)
    : handler(transport), publish(handler.outgoingNotification<lsp::PublishDiagnosticsParams>(
                              "textDocument/publishDiagnostics")) {
  handler.method("initialize", this, &Server::initialize);
  handler.notification("initialized", this, &Server::initialized);
  handler.method("shutdown", this, &Server::shutdown);
  handler.notification("textDocument/didOpen", this, &Server::open);
  handler.notification("textDocument/didChange", this, &Server::change);
  handler.notification("textDocument/didClose", this, &Server::close);
  handler.method("textDocument/hover", this, &Server::hover);
  handler.method("textDocument/inlayHint", this, &Server::hints);
  handler.method("textDocument/completion", this, &Server::complete);
  handler.method("textDocument/signatureHelp", this, &Server::helpWithCall);
  handler.method("textDocument/definition", this, &Server::define);
  handler.method("textDocument/references", this, &Server::refer);
  handler.method("textDocument/documentSymbol", this, &Server::list);
}

void Server::initialize(const lsp::InitializeParams &, lsp::Callback<json::Value> reply) {
  json::Object sync{{"openClose", true},
                    {"change", static_cast<int>(lsp::TextDocumentSyncKind::Full)}};
  json::Object completion{{"triggerCharacters", json::Array{"(", ",", "="}}};
  json::Object help{{"triggerCharacters", json::Array{"(", ","}}};
  reply(json::Object{
      {"serverInfo", json::Object{{"name", "tr-lsp-server"}, {"version", TRF_VERSION}}},
      {"capabilities", json::Object{{"textDocumentSync", std::move(sync)},
                                    {"hoverProvider", true},
                                    {"inlayHintProvider", true},
                                    {"completionProvider", std::move(completion)},
                                    {"signatureHelpProvider", std::move(help)},
                                    {"definitionProvider", true},
                                    {"referencesProvider", true},
                                    {"documentSymbolProvider", true}}}});
}

void Server::shutdown(const lsp::NoParams &, lsp::Callback<std::nullptr_t> reply) {
  sawShutdown = true;
  reply(nullptr);
}

void Server::update(const lsp::URIForFile &uri, int64_t version, std::string content) {
  auto [entry, isNew] =
      documents.insert_or_assign(uri.uri().str(), BlueprintDocument(std::move(content)));
  const BlueprintDocument &document = entry->second;
  lsp::PublishDiagnosticsParams params(uri, version);
  for (const TextFault &fault : document.getFaults()) {
    lsp::Diagnostic &diagnostic = params.diagnostics.emplace_back();
    auto [begin, name] = document.findName(fault.at);
    diagnostic.range = rangeOf(fault.at, std::max<size_t>(name.size(), 1));
    diagnostic.severity =
        fault.isError ? lsp::DiagnosticSeverity::Error : lsp::DiagnosticSeverity::Warning;
    diagnostic.source = "renaissance";
    diagnostic.message = fault.message;
  }
  publish(params);
}

void Server::open(const lsp::DidOpenTextDocumentParams &params) {
  update(params.textDocument.uri, params.textDocument.version, params.textDocument.text);
}

void Server::change(const lsp::DidChangeTextDocumentParams &params) {
  if (!params.contentChanges.empty()) // each is the whole text
    update(params.textDocument.uri, params.textDocument.version, params.contentChanges.back().text);
}

void Server::close(const lsp::DidCloseTextDocumentParams &params) {
  documents.erase(params.textDocument.uri.uri().str());
  publish(lsp::PublishDiagnosticsParams(params.textDocument.uri, 0));
}

const BlueprintDocument *Server::find(const lsp::TextDocumentIdentifier &text) const {
  auto found = documents.find(text.uri.uri().str());
  return found == documents.end() ? nullptr : &found->second;
}

const BlueprintSymbol *Server::findSymbol(const lsp::TextDocumentPositionParams &params) const {
  const BlueprintDocument *document = find(params.textDocument);
  return document ? document->getIndex().find(document->findName(placeOf(params.position)).first)
                  : nullptr;
}

// A call has a '('; without one the word is a let or a value.
std::string describeWord(const BlueprintDocument &document, TextPlace at, StringRef name) {
  if (const BlueprintSymbol *symbol = document.getIndex().find(at))
    return "`" + symbol->text + "`";
  if (name == "cin")
    return "`cin`: channels of the input of the layer, inside a function of that of its call";
  if (name == "if")
    return "`if(cond, a, b)`\n\na where cond is not 0, else b";
  std::string style = describeBlueprintStyle(name);
  if (!style.empty())
    return style;
  StringRef rest(name.end(), document.getText().end() - name.end());
  std::string act = describeBlueprintActivation(name);
  return act.empty() || rest.ltrim().starts_with("(") ? describeBlueprintCall(name) : act;
}

void Server::hover(const lsp::TextDocumentPositionParams &params,
                   lsp::Callback<std::optional<lsp::Hover>> reply) {
  const BlueprintDocument *document = find(params.textDocument);
  if (!document)
    return reply(std::nullopt);
  auto [begin, name] = document->findName(placeOf(params.position));
  std::string text = describeWord(*document, begin, name);
  if (text.empty())
    return reply(std::nullopt);
  if (auto call = document->getCalls().find(begin); call != document->getCalls().end())
    text += "\n\n" + call->second.input + " to " + call->second.output;
  lsp::Hover hover(rangeOf(begin, name.size()));
  hover.contents.value = std::move(text);
  reply(std::move(hover));
}

void Server::hints(const lsp::InlayHintsParams &params,
                   lsp::Callback<std::vector<lsp::InlayHint>> reply) {
  std::vector<lsp::InlayHint> hints;
  if (const BlueprintDocument *document = find(params.textDocument))
    for (const auto &[place, shapes] : document->getCalls()) {
      lsp::Position end = positionOf(document->findEnd(place));
      if (!params.range.contains(end))
        continue;
      lsp::InlayHint &hint = hints.emplace_back(lsp::InlayHintKind::Type, end);
      hint.label = shapes.output;
      hint.paddingLeft = true;
    }
  reply(std::move(hints));
}

void Server::complete(const lsp::CompletionParams &params,
                      lsp::Callback<lsp::CompletionList> reply) {
  const BlueprintDocument *document = find(params.textDocument);
  reply(document ? completeAt(*document, placeOf(params.position)) : lsp::CompletionList());
}

void Server::helpWithCall(const lsp::TextDocumentPositionParams &params,
                          lsp::Callback<lsp::SignatureHelp> reply) {
  const BlueprintDocument *document = find(params.textDocument);
  reply(document ? describeOpenCall(*document, placeOf(params.position)) : lsp::SignatureHelp());
}

void Server::define(const lsp::TextDocumentPositionParams &params,
                    lsp::Callback<std::vector<lsp::Location>> reply) {
  std::vector<lsp::Location> places;
  if (const BlueprintSymbol *symbol = findSymbol(params))
    places.emplace_back(params.textDocument.uri, rangeOf(symbol->at, symbol->name.size()));
  reply(std::move(places));
}

void Server::refer(const lsp::ReferenceParams &params,
                   lsp::Callback<std::vector<lsp::Location>> reply) {
  std::vector<lsp::Location> places;
  if (const BlueprintSymbol *symbol = findSymbol(params)) {
    std::vector<TextPlace> names = symbol->uses;
    if (params.context.includeDeclaration)
      names.insert(names.begin(), symbol->at);
    for (TextPlace name : names)
      places.emplace_back(params.textDocument.uri, rangeOf(name, symbol->name.size()));
  }
  reply(std::move(places));
}

lsp::SymbolKind kindOf(BlueprintSymbol::Kind kind) {
  switch (kind) {
  case BlueprintSymbol::Model:
    return lsp::SymbolKind::Class;
  case BlueprintSymbol::Function:
    return lsp::SymbolKind::Function;
  case BlueprintSymbol::Let:
  case BlueprintSymbol::Param:
    return lsp::SymbolKind::Variable;
  }
  llvm_unreachable("all kinds handled");
}

lsp::DocumentSymbol makeSymbol(const BlueprintSymbol &symbol) {
  return {symbol.name, kindOf(symbol.kind),
          lsp::Range(positionOf(symbol.begin), positionOf(symbol.end)),
          rangeOf(symbol.at, symbol.name.size())};
}

// The lets of a model are its children.
void Server::list(const lsp::DocumentSymbolParams &params,
                  lsp::Callback<std::vector<lsp::DocumentSymbol>> reply) {
  std::vector<lsp::DocumentSymbol> outline;
  const BlueprintDocument *document = find(params.textDocument);
  if (!document)
    return reply(std::move(outline));
  ArrayRef<BlueprintSymbol> symbols = document->getIndex().getSymbols();
  std::map<size_t, size_t> models; // number in the outline
  for (auto [number, symbol] : llvm::enumerate(symbols)) {
    if (symbol.kind == BlueprintSymbol::Param)
      continue;
    if (symbol.owner != BlueprintSymbol::kNone) {
      outline[models.at(symbol.owner)].children.push_back(makeSymbol(symbol));
      continue;
    }
    if (symbol.kind == BlueprintSymbol::Model)
      models[number] = outline.size();
    outline.push_back(makeSymbol(symbol));
  }
  reply(std::move(outline));
}

} // namespace

int runBlueprintServer(bool test) {
  if (test)
    lsp::URIForFile::registerSupportedScheme("test");
  sys::ChangeStdinToBinary();
  lsp::JSONTransport transport(
      stdin, outs(), test ? lsp::JSONStreamStyle::Delimited : lsp::JSONStreamStyle::Standard,
      /*PrettyOutput=*/test);
  Server server(transport);
  if (Error error = transport.run(server.handler)) {
    errs() << "error: " << toString(std::move(error)) << '\n';
    return 1;
  }
  return server.sawShutdown ? 0 : 1; // as the protocol asks for
}

} // namespace tr
