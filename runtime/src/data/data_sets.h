// SPDX-License-Identifier: Apache-2.0
//
// The data sets that --dataset names.
#ifndef TRRT_DATA_DATA_SETS_H
#define TRRT_DATA_DATA_SETS_H

#include "data/data_set.h"
#include "trf/plan.h"

#include <memory>

namespace trrt {

// `spec` is what --dataset takes: "NAME" or "NAME:PATH". Channels, labels and size are checked
// against the plan. Throws Error; a data set that is not installed names the command to install it.
std::unique_ptr<DataSet> openDataSet(const std::string &spec, Split split, const trf::Plan &plan);

// Image files, and those in and below folders, in sorted order; all of class 0.
std::unique_ptr<DataSet> openFiles(const std::vector<std::string> &paths);

// Without a plan, for tools that look at data alone.
std::unique_ptr<DataSet> openDataSet(const std::string &spec, Split split);

// Throws where the plan was compiled for another number of samples.
void checkSampleCount(const DataSet &data, Split split, const trf::Plan &plan);

// Throws where both have class names and these differ.
void checkSameClasses(const DataSet &training, const DataSet &validation);

// Files that openDataSet() reads whole for either split, as far as they exist.
std::vector<std::string> dataSetFiles(const std::string &spec);

// "fashion-mnist: (p / 255 - 0.286) / 0.353, from -0.81 to 2.02", of each that has a scale.
std::string pixelRanges();

// Throws where no data set has the name of `spec`, or it takes a path and has none.
void checkDataSetSpec(const std::string &spec);

// "fashion-mnist[:DIR]", ... for help texts.
std::vector<std::string> dataSetForms();

} // namespace trrt

#endif // TRRT_DATA_DATA_SETS_H
