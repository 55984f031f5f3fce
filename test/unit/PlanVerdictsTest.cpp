// SPDX-License-Identifier: Apache-2.0
//
// --tr-verify-graph, the exporter and the loader take the same programs. Each attribute of each
// kind of op of a compiled program is set to something else, ops are taken away, repeated and
// swapped; whatever still passes the ops' own verifiers is put to all three. What they take is
// read back and must say what the damaged program says, so that no number is cut short on the way.
#include "renaissance/Dialect/TR/Transforms/Passes.h"
#include "renaissance/Pipelines/Pipelines.h"
#include "renaissance/Target/PlanBinary/PlanTranslation.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/TypeSwitch.h"
#include "gtest/gtest.h"

#include <cmath>

using namespace mlir;
using namespace tr;

namespace {

// Channels of a concat, batch normalisation with running statistics, FC with bias; two variants.
constexpr const char *kNetwork = R"mlir(
  tr.arch.network @net classes 3 {
  ^bb0(%x: tensor<?x8x8x3xf32>):
    %0 = tr.arch.conv %x ["0.conv"] <out = 4, kernel = [1, 1]> first : tensor<?x8x8x3xf32> -> tensor<?x8x8x4xf32>
    %1 = tr.arch.concat %0 ["1"] : tensor<?x8x8x4xf32> -> tensor<?x8x8x7xf32> {
    ^bb0(%a: tensor<?x8x8x4xf32>):
      tr.arch.yield %a : tensor<?x8x8x4xf32>
    }, {
    ^bb0(%a: tensor<?x8x8x4xf32>):
      %2 = tr.arch.conv %a ["1.1.conv"] <out = 3, kernel = [1, 1]> : tensor<?x8x8x4xf32> -> tensor<?x8x8x3xf32>
      tr.arch.yield %2 : tensor<?x8x8x3xf32>
    }
    %3 = tr.arch.cbr %1 ["2.conv", "2.bn"] <out = 5, kernel = [3, 3], pad = [1, 1]> eps 1.0e-5 momentum 0.1 act <relu> : tensor<?x8x8x7xf32> -> tensor<?x8x8x5xf32>
    %4 = tr.arch.gap_fc %3 ["3.fc"] out 3 bias true : tensor<?x8x8x5xf32> -> tensor<?x1x1x3xf32>
    %5 = tr.arch.softmax_ce %4 ["loss"] classes 3 : tensor<?x1x1x3xf32> -> tensor<?x1x1x3xf32>
    tr.arch.yield %5 : tensor<?x1x1x3xf32>
  })mlir";

std::string print(Attribute attr) {
  std::string text;
  llvm::raw_string_ostream(text) << attr;
  return text;
}

std::string print(Operation *op) {
  std::string text;
  llvm::raw_string_ostream os(text);
  op->print(os, OpPrintingFlags().printGenericOpForm());
  return text;
}

// The text of a program. The regions of a range are a set, so they get one order.
std::string printSorted(graph::ProgramOp program) {
  OwningOpRef<graph::ProgramOp> sorted = program.clone();
  sorted->walk([](graph::RangeOp op) {
    SmallVector<Attribute> ranges;
    for (auto range : op.getRanges().getAsRange<ArrayAttr>()) {
      auto regions = llvm::to_vector(range);
      llvm::sort(regions, [](Attribute a, Attribute b) { return print(a) < print(b); });
      ranges.push_back(ArrayAttr::get(op.getContext(), regions));
    }
    op.setRangesAttr(ArrayAttr::get(op.getContext(), ranges));
  });
  return print(*sorted);
}

// What an attribute can be made into.
class Damages {
public:
  // Attributes of a table of the format become others of it that the program has.
  explicit Damages(graph::ProgramOp program) {
    program.walk([&](Operation *op) {
      for (NamedAttribute attr : cast<DictionaryAttr>(op->getPropertiesAsAttribute()))
        collect(attr.getValue());
    });
  }

  // Calls fn(damaged, what) for each.
  using Fn = llvm::function_ref<void(Attribute, const Twine &)>;
  void forEach(Attribute attr, Fn fn) const {
    llvm::TypeSwitch<Attribute>(attr)
        .Case([&](IntegerAttr number) { ofNumber(number, fn); })
        .Case([&](FloatAttr number) { ofReal(number, fn); })
        .Case([&](StringAttr text) { ofText(text, fn); })
        .Case([&](DenseI64ArrayAttr list) { ofNumbers(list, fn); })
        .Case([&](ArrayAttr list) { ofList(list, fn); })
        .Case([&](DictionaryAttr entries) { ofEntries(entries, fn); })
        .Default([&](Attribute other) {
          if (auto found = alike.find(other.getTypeID()); found != alike.end())
            for (Attribute one : found->second)
              if (one != other)
                fn(one, "another row");
        });
  }

private:
  static constexpr unsigned kRows = 6;
  static constexpr int64_t kBits = int64_t{1} << 32; // what a record's number has

  void collect(Attribute attr) {
    if (auto list = dyn_cast<ArrayAttr>(attr))
      llvm::for_each(list, [&](Attribute one) { collect(one); });
    else if (!isa<IntegerAttr, FloatAttr, StringAttr, DenseI64ArrayAttr, DictionaryAttr, UnitAttr>(
                 attr) &&
             alike[attr.getTypeID()].size() < kRows)
      alike[attr.getTypeID()].insert(attr);
  }

  static SmallVector<int64_t> getOthers(int64_t value) {
    SmallVector<int64_t> others = {value + 1,     value - 1,     0,         -1,        INT64_MAX,
                                   INT64_MIN + 1, value + kBits, kBits - 1, kBits - 2, 1 << 20};
    llvm::erase(others, value);
    return others;
  }
  static void ofNumber(IntegerAttr number, Fn fn) {
    if (!number.getType().isInteger(64))
      return;
    for (int64_t other : getOthers(number.getInt()))
      fn(IntegerAttr::get(number.getType(), other), Twine(other));
  }
  static void ofReal(FloatAttr number, Fn fn) {
    for (double other : {0.0, -1.0, 1e31, double(INFINITY), double(NAN)})
      fn(FloatAttr::get(number.getType(), other), Twine(std::to_string(other)));
  }
  static void ofText(StringAttr text, Fn fn) {
    for (std::string other : {std::string(), text.str() + "x", std::string("a\nb"),
                              std::string("\xff"), std::string(5000, 'y'), std::string("lr"),
                              std::string("train_base"), std::string("0.conv.weight")})
      fn(StringAttr::get(text.getContext(), other), "'" + Twine(other.substr(0, 20)) + "'");
  }

  // At the ends and in the middle: the longest lists are thousands of edges.
  static SmallVector<size_t> getPositions(size_t size) {
    SmallVector<size_t> positions;
    for (size_t at : {size_t{0}, size_t{1}, size / 2, size - 1})
      if (at < size && !llvm::is_contained(positions, at))
        positions.push_back(at);
    return positions;
  }
  static void ofNumbers(DenseI64ArrayAttr attr, Fn fn) {
    auto make = [&](ArrayRef<int64_t> list, const Twine &what) {
      fn(DenseI64ArrayAttr::get(attr.getContext(), list), what);
    };
    make({}, "empty");
    for (size_t at : getPositions(attr.size())) {
      for (int64_t other : getOthers(attr[at])) {
        auto list = llvm::to_vector(attr.asArrayRef());
        list[at] = other;
        make(list, Twine(other) + " at " + Twine(at));
      }
      for (size_t count : {1, 2}) {
        auto list = llvm::to_vector(attr.asArrayRef());
        if (at + count > list.size())
          continue;
        list.erase(list.begin() + at, list.begin() + at + count);
        make(list, Twine(count) + " gone at " + Twine(at));
      }
      auto list = llvm::to_vector(attr.asArrayRef());
      std::swap(list[at], list[list.size() - 1 - at]);
      make(list, "swapped at " + Twine(at));
    }
  }
  void ofList(ArrayAttr attr, Fn fn) const {
    auto make = [&](ArrayRef<Attribute> list, const Twine &what) {
      fn(ArrayAttr::get(attr.getContext(), list), what);
    };
    make({}, "empty");
    for (size_t at : getPositions(attr.size())) {
      forEach(attr[at], [&](Attribute other, const Twine &what) {
        auto list = llvm::to_vector(attr);
        list[at] = other;
        make(list, "at " + Twine(at) + ": " + what);
      });
      auto list = llvm::to_vector(attr);
      list.erase(list.begin() + at);
      make(list, "gone at " + Twine(at));
    }
  }
  void ofEntries(DictionaryAttr attr, Fn fn) const {
    for (NamedAttribute entry : attr) {
      NamedAttrList list(attr);
      list.erase(entry.getName());
      fn(list.getDictionary(attr.getContext()), entry.getName().getValue() + " gone");
      forEach(entry.getValue(), [&](Attribute other, const Twine &what) {
        NamedAttrList changed(attr);
        changed.set(entry.getName(), other);
        fn(changed.getDictionary(attr.getContext()), entry.getName().getValue() + ": " + what);
      });
    }
  }

  llvm::MapVector<TypeID, llvm::SmallSetVector<Attribute, kRows>> alike;
};

class PlanVerdicts : public testing::Test {
protected:
  PlanVerdicts() : context(MLIRContext::Threading::DISABLED), checks(&context) {
    context.loadDialect<TRDialect>();
    context.printOpOnDiagnostic(false);
    module = parseSourceString<ModuleOp>(kNetwork, &context);
    PassManager compile(&context);
    CompileOptions options;
    options.batch = 2;
    options.trainSamples = 5; // leaves a last batch of one
    buildCompilePipeline(compile, options);
    if (!module || failed(compile.run(*module)))
      return;
    program = *module->getOps<graph::ProgramOp>().begin();
    checks.enableVerifier(false);
    checks.addNestedPass<graph::ProgramOp>(createVerifyGraph());
  }

  // Whether the loader takes the bytes of what `records` hold, and what it finds in them.
  bool load(FailureOr<trf::PlanRecords> records, trf::Plan &plan) {
    if (failed(records))
      return false; // no file could say it
    std::vector<uint8_t> bytes = trf::writeRecords(*records);
    std::string error;
    return trf::readPlan(bytes.data(), bytes.size(), plan, error);
  }

  void compare(const Twine &what) {
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
      faults += diagnostic.getSeverity() == DiagnosticSeverity::Error;
      return success();
    });
    if (failed(verify(*module))) {
      ++refusedByOps;
      return;
    }
    faults = 0;
    bool verified = succeeded(checks.run(*module));
    EXPECT_EQ(verified, faults == 0) << what.str();
    bool exported = succeeded(exportPlan(program));
    trf::Plan plan;
    bool loaded = load(makeRecords(program), plan);
    EXPECT_TRUE(verified == exported && exported == loaded)
        << what.str() << ": verifier " << verified << ", exporter " << exported << ", loader "
        << loaded;
    ++(loaded ? taken : refused);
    if (!loaded)
      return;
    OwningOpRef<ModuleOp> again = importPlan(plan, module->getLoc());
    ASSERT_TRUE(again) << what.str();
    EXPECT_EQ(printSorted(*again->getOps<graph::ProgramOp>().begin()), printSorted(program))
        << what.str();
  }

  // One op of each kind, kernel, region and so on: the others are like them.
  SmallVector<Operation *> getSamples() {
    SmallVector<Operation *> samples;
    llvm::StringSet<> seen;
    program->walk([&](Operation *op) {
      std::string key = op->getName().getStringRef().str();
      for (StringRef name : {"kernel", "region", "kind"})
        if (Attribute attr = op->getInherentAttr(name).value_or(Attribute()))
          key += print(attr);
      if (auto tensor = dyn_cast<graph::TensorOp>(op))
        key += tensor.getParent() ? "run" : int64_t(tensor.getLayer()) < 0 ? "shared" : "";
      if (auto param = dyn_cast<graph::ParamOp>(op))
        key += int64_t(param.getGrad()) < 0 ? "statistic" : "";
      if (auto subgraph = dyn_cast<graph::SubgraphOp>(op))
        key += subgraph.getReason() ? "empty" : "full";
      if (seen.insert(key).second)
        samples.push_back(op);
    });
    return samples;
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  graph::ProgramOp program;
  PassManager checks;
  int faults = 0, taken = 0, refused = 0, refusedByOps = 0;
};

TEST_F(PlanVerdicts, OfDamagedAttributes) {
  ASSERT_TRUE(program);
  compare("as it is");
  ASSERT_EQ(taken, 1);
  Damages damages(program);
  auto ignore = [&] { return InFlightDiagnostic(); };
  for (Operation *op : getSamples()) {
    auto whole = cast<DictionaryAttr>(op->getPropertiesAsAttribute());
    damages.forEach(whole, [&](Attribute damaged, const Twine &what) {
      if (succeeded(op->setPropertiesFromAttribute(damaged, ignore)))
        compare(op->getName().getStringRef() + " " + what);
      ASSERT_TRUE(succeeded(op->setPropertiesFromAttribute(whole, ignore)));
    });
  }
  // Each side has seen much.
  EXPECT_GT(taken, 100);
  EXPECT_GT(refused, 500);
  EXPECT_GT(refusedByOps, 500);
  refused = 0;
  compare("as it was");
  EXPECT_EQ(refused, 0);
}

TEST_F(PlanVerdicts, OfMissingRepeatedAndSwappedOps) {
  ASSERT_TRUE(program);
  for (Operation *op : getSamples()) {
    if (op == program)
      continue;
    std::string name = op->getName().getStringRef().str();
    Operation *next = op->getNextNode();
    Block *block = op->getBlock();
    op->remove();
    compare(name + " gone");
    block->getOperations().insert(next ? Block::iterator(next) : block->end(), op);
    Operation *copy = OpBuilder(op).clone(*op);
    compare(name + " twice");
    copy->erase();
    if (!next)
      continue;
    op->moveAfter(next);
    compare(name + " after the next op");
    op->moveBefore(next);
  }
  EXPECT_GT(taken, 5);
  EXPECT_GT(refused, 50);
  refused = 0;
  compare("as it was");
  EXPECT_EQ(refused, 0);
}

// Every edge counts: the pipeline writes the transitive reduction.
TEST_F(PlanVerdicts, OfMissingEdges) {
  ASSERT_TRUE(program);
  auto schedule = *program.getBody().front().getOps<graph::ScheduleOp>().begin();
  auto edges = llvm::to_vector(schedule.getEdges());
  ASSERT_GT(edges.size(), 40u);
  for (size_t at = 0; at < edges.size(); at += 2) {
    auto left = edges;
    left.erase(left.begin() + at, left.begin() + at + 2);
    schedule.setEdges(left);
    compare("edge " + Twine(at / 2) + " gone");
  }
  EXPECT_EQ(taken, 0);
  EXPECT_EQ(refused, int(edges.size() / 2));
}

} // namespace
