// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"

#include <string>
#include <string_view>

namespace gpuledger::gcp {

// Where a service of Google ("monitoring") is asked for a source with this `url`, which is meant for the service
// `named`: beside an address of that one at Google ("https://compute-lab.p.googleapis.com"), the address of the same
// form; at any other address, there. Without a slash at its end. Fails with InvalidConfig.
[[nodiscard]] base::Result<std::string> serviceAddress(const std::string &url, std::string_view service,
                                                       std::string_view named = "compute");

} // namespace gpuledger::gcp
