// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <string>

namespace gpuledger::gcp {

// The id of a listed machine by the number of its instance, which Cloud Monitoring knows it by. Empty text: several
// machines have the number.
using InstanceNumbers = std::map<std::string, std::string>;

} // namespace gpuledger::gcp
