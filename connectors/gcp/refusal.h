// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "connectors/http/httpclient.h"

#include <optional>
#include <string>

namespace gpuledger::gcp {

// Why an answer of BigQuery can't be used, with what to do about it; std::nullopt: it can. `api`: the address that was
// asked.
std::optional<base::Error> refusalOf(const http::Response &response, const std::string &api);

} // namespace gpuledger::gcp
