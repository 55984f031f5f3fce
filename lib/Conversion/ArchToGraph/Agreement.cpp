// SPDX-License-Identifier: Apache-2.0
//
// Tables of two variants must agree in all but shapes.
#include "LoweredNetwork.h"

using namespace mlir;
using namespace tr;

namespace {

std::string toText(const TensorDims &dims) {
  std::string text;
  for (int64_t dim : dims)
    text += (text.empty() ? "" : "x") + std::to_string(dim);
  return text;
}

class Agreement {
public:
  Agreement(const Network &network, const Variant &base, const LoweredNetwork &baseTable,
            const Variant &other, const LoweredNetwork &otherTable)
      : network(network), base(base), other(other), a(baseTable.table), b(otherTable.table) {}

  LogicalResult check() const {
    size_t common = std::min(a.tensors.size(), b.tensors.size());
    for (size_t i = 0; i < common; ++i)
      if (failed(checkTensor(static_cast<TensorId>(i))))
        return failure();
    if (a.tensors.size() != b.tensors.size())
      return reportCount(common);
    return checkParams();
  }

private:
  LogicalResult checkTensor(TensorId id) const {
    const TableTensor &x = a.tensors[id], &y = b.tensors[id];
    auto fail = [&](StringRef what, StringRef expected, StringRef got) {
      return report(x.layer) << what << " '" << expected << "' as under variant '" << base.name
                             << "', but got '" << got << "' under variant '" << other.name << "'";
    };
    if (x.layer != y.layer || x.row.name != y.row.name)
      return fail("tensor", x.row.name, y.row.name);
    if (x.row.region != y.row.region)
      return fail("region of tensor '" + x.row.name + "'", trf::regionName(x.row.region),
                  trf::regionName(y.row.region));
    if (x.row.dtype != y.row.dtype)
      return fail("type of tensor '" + x.row.name + "'", spell(x.row.dtype), spell(y.row.dtype));
    if (x.parent != y.parent || x.firstChannel != y.firstChannel)
      return fail("channels of tensor '" + x.row.name + "'", describeRun(a, x), describeRun(b, y));
    return success();
  }

  static std::string describeRun(const TensorTable &table, const TableTensor &tensor) {
    if (tensor.parent == TensorId::None)
      return "a tensor of its own";
    return table.tensors[tensor.parent].row.name + " from " + std::to_string(tensor.firstChannel);
  }

  // Every tensor before `first` has a partner.
  LogicalResult reportCount(size_t first) const {
    const TensorTable &longer = a.tensors.size() > first ? a : b;
    const TableTensor &spare = longer.tensors[static_cast<TensorId>(first)];
    return report(spare.layer) << a.tensors.size() << " tensors as under variant '" << base.name
                               << "', but got " << b.tensors.size() << " under variant '"
                               << other.name << "'; they first differ at '" << spare.row.name
                               << "'";
  }

  LogicalResult checkParams() const {
    for (const ParamRow &param : a.params) {
      const TableTensor &x = a.tensors[static_cast<TensorId>(param.tensor)];
      const TableTensor &y = b.tensors[static_cast<TensorId>(param.tensor)];
      if (x.row.dims != y.row.dims)
        return report(x.layer) << "parameter '" << param.name << "' of shape " << toText(x.row.dims)
                               << " as under variant '" << base.name << "', but got shape "
                               << toText(y.row.dims) << " under variant '" << other.name << "'";
    }
    return success();
  }

  InFlightDiagnostic report(LayerId layer) const {
    InFlightDiagnostic diagnostic = network.emitError(layer, "");
    diagnostic << "expected ";
    return diagnostic;
  }

  const Network &network;
  const Variant &base, &other;
  const TensorTable &a, &b;
};

} // namespace

LogicalResult tr::checkAgreement(const Network &network, const Variant &base,
                                 const LoweredNetwork &baseTable, const Variant &other,
                                 const LoweredNetwork &otherTable) {
  return Agreement(network, base, baseTable, other, otherTable).check();
}
