// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"

#include <string>
#include <string_view>

namespace gpuledger::gcp {

// Where a service of Google ("monitoring") is asked for a source of the kind `gcp` with this `url`: beside an address
// of Compute Engine at Google ("https://compute-lab.p.googleapis.com"), the address of the same form; at any other
// address, there. Without a slash at its end. Fails with InvalidConfig.
[[nodiscard]] base::Result<std::string> serviceAddress(const std::string &url, std::string_view service);

} // namespace gpuledger::gcp
