// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

// Recognizes GPU machines by the family in the names that clouds give their types, for types that the price list does
// not have (yet). Pure; any thread.
namespace gpuledger::ledger {

// The instance type that the text consists of or contains, in lower case; empty: no machine with GPUs. `cloud` as
// model::cloudOfProvider() returns it. In this order:
//   aws    a letter "p", "g" or "gr" with a generation, then a size: p2.xlarge, g3s.xlarge, p6-b200.48xlarge, also with
//          the "ml." of SageMaker. Accelerators of other kinds (trn, inf, dl, vt, f) are not GPUs.
//   gcp    a2-, a3-, a4-, a4x-, g2- and g4- types, and the price of a GPU that is attached to a machine
//          ("Nvidia Tesla T4 GPU running in …").
//   azure  NC, ND, NG and NV sizes, with or without "Standard_", and their series as meters name them. NP has no GPUs.
//   runpod "GPU pod" and "GPU cluster": the meters of its bill, which has no types.
//   vast.ai "GPU instance": likewise.
//   lambda types that begin with "gpu_", and "GPU instance", the meter of its estimate.
std::string gpuTypeIn(std::string_view cloud, std::string_view text);

} // namespace gpuledger::ledger
