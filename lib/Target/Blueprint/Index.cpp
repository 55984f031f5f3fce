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
    for (size_t open : {openDefinition, openModel})
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
    case TokenKind::Function:
      keyword = token;
      break;
    case TokenKind::Semicolon:
      close(openDefinition, token);
      break;
    case TokenKind::RightBrace:
      close(openDefinition, token);
      close(openModel, token);
      letsOfModel.clear();
      break;
    case TokenKind::RightParen:
      inParams = false;
      break;
    case TokenKind::Name:
      if (last.is(TokenKind::Let) || last.is(TokenKind::Model) || last.is(TokenKind::Function))
        define();
      else if (inParams)
        defineParam();
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
    params.clear();
    inParams = false;
  }

  size_t add(BlueprintSymbol::Kind kind, size_t owner) {
    BlueprintSymbol symbol;
    symbol.kind = kind;
    symbol.name = token.text.str();
    StringRef rest(keyword.text.data(), source.text.end() - keyword.text.data());
    symbol.text = rest.take_until([](char c) { return c == '\n'; }).rtrim("{ \t\r").str();
    symbol.at = placeOf(token.at);
    symbol.begin = placeOf(kind == BlueprintSymbol::Param ? token.at : keyword.at);
    symbol.end = endOf(token);
    symbol.owner = owner;
    names[symbol.at] = symbols.size();
    symbols.push_back(std::move(symbol));
    return symbols.size() - 1;
  }

  // A definition cannot use itself.
  void define() {
    close(openDefinition, last);
    if (last.is(TokenKind::Model)) {
      close(openModel, previous);
      letsOfModel.clear();
      openModel = add(BlueprintSymbol::Model, kNone);
      return;
    }
    inParams = last.is(TokenKind::Function);
    openDefinition = add(inParams ? BlueprintSymbol::Function : BlueprintSymbol::Let, openModel);
    (openModel == kNone ? letsOfFile : letsOfModel).try_emplace(token.text, openDefinition);
  }

  void defineParam() {
    size_t number = add(BlueprintSymbol::Param, openDefinition);
    symbols[number].isClosed = true;
    params.try_emplace(token.text, number);
  }

  size_t lookUp(StringRef name) const {
    for (const StringMap<size_t> *scope : {&params, &letsOfModel, &letsOfFile})
      if (auto it = scope->find(name); it != scope->end())
        return it->second;
    return kNone;
  }

  // What stands before '=' is the name of an argument, before '(' a function or nothing of ours.
  void use() {
    size_t number = lookUp(token.text);
    if (number == kNone || number == openDefinition)
      return;
    Lexer ahead = lexer;
    Token next = ahead.next();
    bool isFunction = symbols[number].kind == BlueprintSymbol::Function;
    if (next.is(TokenKind::Equal) || next.is(TokenKind::LeftParen) != isFunction)
      return;
    symbols[number].uses.push_back(placeOf(token.at));
    names[placeOf(token.at)] = number;
  }

  Source source;
  Lexer lexer;
  std::vector<BlueprintSymbol> &symbols;
  std::map<TextPlace, size_t> &names;
  Token token, last, previous, keyword;
  size_t openDefinition = kNone, openModel = kNone;
  bool inParams = false; // of a function that is being defined
  StringMap<size_t> letsOfFile, letsOfModel, params;
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
    case TokenKind::Function:
      enter(BlueprintContext::Nothing);
      keyword = token.kind;
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
      if (getPrecedence(token.kind) == 0)
        addWord();
      else if (!open.empty())
        open.back().isOperand = open.back().isStart = true;
      break;
    }
    last = token;
  }

  // An expression that is there already leaves room for nothing but punctuation. What if() chooses
  // from is what stands in its place.
  BlueprintContext take() {
    BlueprintContext context;
    context.kind = hasWord ? BlueprintContext::Nothing : outer;
    bool isStart = open.empty() || open.back().isStart;
    while (!open.empty() && open.back().call == "if" && open.back().positional > 0)
      open.pop_back();
    if (!open.empty())
      context = std::move(open.back());
    if (context.call == "if")
      context.isOperand = true;
    context.isStart = isStart;
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
    keyword = TokenKind::End;
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
  // A parenthesis in an argument holds numbers.
  void openCall() {
    BlueprintContext context;
    if (!last.is(TokenKind::Name)) {
      if (!open.empty())
        context = open.back();
      context.isOperand = context.isStart = true;
    } else {
      context.kind = BlueprintContext::Argument;
      if (open.empty() && keyword == TokenKind::Model)
        context.kind = BlueprintContext::Header;
      if (open.empty() && keyword == TokenKind::Function)
        context.kind = BlueprintContext::Nothing;
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
    call.isOperand = false;
    call.isStart = true;
  }

  SmallVector<BlueprintContext> open;
  BlueprintContext::Kind outer = BlueprintContext::TopLevel;
  bool inModel = false, hasWord = false;
  TokenKind keyword = TokenKind::End; // whose name and parentheses come next
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
  // What is open at the place: the last definition before it, if that is not closed.
  auto isOpen = [&](size_t number) {
    const BlueprintSymbol &symbol = symbols[number];
    return symbol.begin < place && (!symbol.isClosed || place < symbol.end);
  };
  auto isLast = [&](size_t number) {
    for (size_t next = number + 1; next < symbols.size() && symbols[next].begin < place; ++next)
      if (symbols[next].kind != BlueprintSymbol::Param)
        return false;
    return true;
  };
  for (auto [number, symbol] : llvm::enumerate(symbols)) {
    bool isParam = symbol.kind == BlueprintSymbol::Param;
    bool isOver = symbol.owner != BlueprintSymbol::kNone && !isOpen(symbol.owner);
    if (symbol.kind == BlueprintSymbol::Model || isOver || place < symbol.end)
      continue;
    // A definition without its ';' goes on until there is another one.
    if (isParam ? isLast(symbol.owner) : symbol.isClosed || !isLast(number))
      visible.push_back(&symbol);
  }
  return visible;
}

const BlueprintSymbol *BlueprintIndex::findFunction(StringRef name) const {
  const auto *found = llvm::find_if(ArrayRef(symbols), [&](const BlueprintSymbol &symbol) {
    return symbol.kind == BlueprintSymbol::Function && symbol.name == name;
  });
  return found == ArrayRef(symbols).end() ? nullptr : found;
}

BlueprintContext findBlueprintContext(StringRef text, TextPlace place) {
  if (isInCommentOrText(text, place))
    return {};
  Source source{{}, text};
  Lexer lexer(source);
  ContextFinder finder;
  for (Token token = lexer.next(); !token.is(TokenKind::End); token = lexer.next()) {
    bool isWord = token.is(TokenKind::Name) || token.is(TokenKind::Let) ||
                  token.is(TokenKind::Model) || token.is(TokenKind::Function) ||
                  token.is(TokenKind::True) || token.is(TokenKind::False);
    // The word that is being written is not behind the place.
    TextPlace end = endOf(token);
    if (!(placeOf(token.at) < place) || (isWord && !(end < place)))
      break;
    finder.visit(token);
  }
  return finder.take();
}

} // namespace tr
