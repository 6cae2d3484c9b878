// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/clock.h"
#include "connectors/auth/keyedprices.h"

#include <memory>
#include <string>

// What Lambda's instance types cost now.
namespace gpuledger::lambda {

// The GPU in Lambda's words, with the memory as one word, as other lists write it: "A100 (40GB SXM4)".
std::string gpuNameOf(std::string description);

// The answer to GET /api/v1/instance-types as prices on demand, in USD: of each type one for each region that has
// capacity now, and one without a region if none has. Types whose price is no whole number of cents from 1 to
// 1,000,000, or whose GPUs are not known, are left out and counted. Fails with Parse (it is no such answer) and TooMuch
// (more than 2,000 types, or more than 500 regions of one). Pure.
[[nodiscard]] base::Result<model::QuoteList> readTypePrices(const std::string &body);

// For the catalogue. `secrets` and `realClock` must outlive the source. Fails with InvalidConfig (no key, a wrong url).
[[nodiscard]] base::Result<std::unique_ptr<ports::PriceSource>>
makeLambdaPrices(const model::SourceSettings &settings, ports::SecretStore &secrets, const base::Clock &realClock,
                 std::shared_ptr<http::HttpClient> client);

} // namespace gpuledger::lambda
