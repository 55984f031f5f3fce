// SPDX-License-Identifier: Apache-2.0
//
// One walk over the tokens for definitions and uses, one up to a place for what is open there. Both
// follow keywords, parentheses and separators only, so that errors between them do not matter.
#include "renaissance/Target/Blueprint/BlueprintIndex.h"

#include "Lexer.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"

using namespace llvm;

namespace tr {
namespace {

using blueprint::Lexer;
using blueprint::Position;
using blueprint::Source;
using blueprint::Token;
using blueprint::TokenKind;

TextPlace placeOf(Position at) { return {at.line, at.column}; }

TextPlace endOf(const Token &token) {
  size_t quotes = token.is(TokenKind::String) ? 2 : 0;
  return {token.at.line, token.at.column + static_cast<unsigned>(token.text.size() + quotes)};
}

//===----------------------------------------------------------------------===//
// Definitions and uses
//===----------------------------------------------------------------------===//

class Indexer {
public:
  Indexer(StringRef text, std::vector<BlueprintSymbol> &symbols, std::map<TextPlace, size_t> &names)
      : source{{}, text}, lexer(source), symbols(symbols), names(names) {}

  void run() {
    token = lexer.next();
    for (; !token.is(TokenKind::End); advance())
      visit();
    for (size_t open : {openLet, openModel})
      if (open != kNone)
        symbols[open].end = endOf(last);
  }

private:
  static constexpr size_t kNone = BlueprintSymbol::kNone;

  void advance() {
    previous = last;
    last = token;
    token = lexer.next();
  }

  void visit() {
    switch (token.kind) {
    case TokenKind::Let:
    case TokenKind::Model:
      keyword = token;
      break;
    case TokenKind::Semicolon:
      close(openLet, token);
      break;
    case TokenKind::RightBrace:
      close(openLet, token);
      close(openModel, token);
      letsOfModel.clear();
      break;
    case TokenKind::Name:
      if (last.is(TokenKind::Let) || last.is(TokenKind::Model))
        define();
      else
        use();
      break;
    default:
      break;
    }
  }

  // The definition that is open ends with `end`.
  void close(size_t &open, const Token &end) {
    if (open != kNone) {
      symbols[open].end = endOf(end);
      symbols[open].isClosed = true;
    }
    open = kNone;
  }

  void define() {
    close(openLet, last);
    bool isModel = last.is(TokenKind::Model);
    if (isModel) {
      close(openModel, previous);
      letsOfModel.clear();
    }
    BlueprintSymbol symbol;
    symbol.kind = isModel ? BlueprintSymbol::Model : BlueprintSymbol::Let;
    symbol.name = token.text.str();
    StringRef rest(keyword.text.data(), source.text.end() - keyword.text.data());
    symbol.text = rest.take_until([](char c) { return c == '\n'; }).rtrim("{ \t\r").str();
    symbol.at = placeOf(token.at);
    symbol.begin = placeOf(keyword.at);
    symbol.end = endOf(token);
    symbol.model = isModel ? kNone : openModel;
    size_t number = symbols.size();
    names[symbol.at] = number;
    if (isModel)
      openModel = number;
    else
      openLet = number;
    // A let cannot use itself: its name counts from its ';' on, but a text without one goes on too.
    if (!isModel)
      (openModel == kNone ? letsOfFile : letsOfModel).try_emplace(token.text, number);
    symbols.push_back(std::move(symbol));
  }

  // What stands before '(' or '=' is no let.
  void use() {
    auto it = letsOfModel.find(token.text);
    if (it == letsOfModel.end() && (it = letsOfFile.find(token.text)) == letsOfFile.end())
      return;
    if (it->second == openLet)
      return;
    Lexer ahead = lexer;
    Token next = ahead.next();
    if (next.is(TokenKind::LeftParen) || next.is(TokenKind::Equal))
      return;
    symbols[it->second].uses.push_back(placeOf(token.at));
    names[placeOf(token.at)] = it->second;
  }

  Source source;
  Lexer lexer;
  std::vector<BlueprintSymbol> &symbols;
  std::map<TextPlace, size_t> &names;
  Token token, last, previous, keyword;
  size_t openLet = kNone, openModel = kNone;
  StringMap<size_t> letsOfFile, letsOfModel;
};

//===----------------------------------------------------------------------===//
// What is open at a place
//===----------------------------------------------------------------------===//

/// The definitions, calls and arguments that the tokens so far leave open.
class ContextFinder {
public:
  void visit(const Token &token) {
    switch (token.kind) {
    case TokenKind::Let:
    case TokenKind::Model:
      enter(BlueprintContext::Nothing);
      isHeaderNext = token.is(TokenKind::Model);
      break;
    case TokenKind::LeftBrace:
    case TokenKind::RightBrace:
      inModel = token.is(TokenKind::LeftBrace);
      enter(between());
      break;
    case TokenKind::Semicolon:
      enter(between());
      break;
    case TokenKind::Equal:
      if (open.empty())
        enter(BlueprintContext::Layer);
      else
        nameArgument();
      break;
    case TokenKind::LeftParen:
      openCall();
      break;
    case TokenKind::RightParen:
      if (!open.empty())
        open.pop_back();
      addWord();
      break;
    case TokenKind::Comma:
      endArgument();
      break;
    default:
      addWord();
      break;
    }
    last = token;
  }

  // An expression that is there already leaves room for nothing but punctuation.
  BlueprintContext take() {
    if (!open.empty())
      return std::move(open.back());
    BlueprintContext context;
    context.kind = hasWord ? BlueprintContext::Nothing : outer;
    return context;
  }

private:
  BlueprintContext::Kind between() const {
    return inModel ? BlueprintContext::Body : BlueprintContext::TopLevel;
  }
  void enter(BlueprintContext::Kind kind) {
    open.clear();
    outer = kind;
    hasWord = false;
    isHeaderNext = false;
  }
  void addWord() {
    if (open.empty())
      hasWord = true;
    else
      open.back().isStart = false;
  }
  void nameArgument() {
    open.back().label = last.text.str();
    open.back().isStart = true;
  }
  void openCall() {
    BlueprintContext context;
    context.kind =
        isHeaderNext && open.empty() ? BlueprintContext::Header : BlueprintContext::Argument;
    if (last.is(TokenKind::Name)) {
      context.call = last.text.str();
      context.callAt = placeOf(last.at);
    }
    open.push_back(std::move(context));
  }
  void endArgument() {
    if (open.empty())
      return;
    BlueprintContext &call = open.back();
    if (call.label.empty())
      ++call.positional;
    else
      call.given.push_back(std::move(call.label));
    call.label.clear();
    call.isStart = true;
  }

  SmallVector<BlueprintContext> open;
  BlueprintContext::Kind outer = BlueprintContext::TopLevel;
  bool inModel = false, hasWord = false, isHeaderNext = false;
  Token last;
};

// Whether the place is behind "//" on its line, or between quotes.
bool isInCommentOrText(StringRef text, TextPlace place) {
  for (; place.line > 1 && !text.empty(); --place.line)
    text = text.split('\n').second;
  bool isQuoted = false;
  StringRef before = text.split('\n').first.take_front(place.column - 1);
  for (size_t i = 0; i < before.size(); ++i) {
    isQuoted ^= before[i] == '"';
    if (!isQuoted && before.substr(i).starts_with("//"))
      return true;
  }
  return isQuoted;
}

} // namespace

BlueprintIndex::BlueprintIndex(StringRef text) { Indexer(text, symbols, names).run(); }

const BlueprintSymbol *BlueprintIndex::find(TextPlace name) const {
  auto found = names.find(name);
  return found == names.end() ? nullptr : &symbols[found->second];
}

std::vector<const BlueprintSymbol *> BlueprintIndex::findVisible(TextPlace place) const {
  std::vector<const BlueprintSymbol *> visible;
  for (auto [number, symbol] : llvm::enumerate(symbols)) {
    bool isLast = number + 1 == symbols.size() || place < symbols[number + 1].begin;
    if (symbol.kind != BlueprintSymbol::Let || place < symbol.end || (isLast && !symbol.isClosed))
      continue;
    if (symbol.model != BlueprintSymbol::kNone && symbols[symbol.model].isClosed &&
        !(place < symbols[symbol.model].end))
      continue;
    visible.push_back(&symbol);
  }
  return visible;
}

BlueprintContext findBlueprintContext(StringRef text, TextPlace place) {
  if (isInCommentOrText(text, place))
    return {};
  Source source{{}, text};
  Lexer lexer(source);
  ContextFinder finder;
  for (Token token = lexer.next(); !token.is(TokenKind::End); token = lexer.next()) {
    bool isWord = token.is(TokenKind::Name) || token.is(TokenKind::Let) ||
                  token.is(TokenKind::Model) || token.is(TokenKind::True) ||
                  token.is(TokenKind::False);
    // The word that is being written is not behind the place.
    TextPlace end = endOf(token);
    if (!(placeOf(token.at) < place) || (isWord && !(end < place)))
      break;
    finder.visit(token);
  }
  return finder.take();
}

} // namespace tr
