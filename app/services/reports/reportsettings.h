// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/model/settings.h"

#include <string>

// The settings that a month's figures depend on, as a report carries them. Pure; any thread.
namespace gpuledger::services {

// A configuration file (JSON, which is also valid YAML) with rules, prices, idle settings, currency and time zone, and
// without any source: no address, credential, header, path, link or account. parseConfig() reads it. `zone` is the one
// in use. Fails with Internal if it would not be read back as the same settings.
[[nodiscard]] base::Result<std::string> reportSettingsText(const model::Settings &settings, const std::string &zone);

} // namespace gpuledger::services
