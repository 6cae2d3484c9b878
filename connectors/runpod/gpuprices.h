// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/clock.h"
#include "connectors/auth/keyedprices.h"

#include <memory>
#include <string>

// What RunPod's GPUs cost now.
namespace gpuledger::runpod {

// The answer to GET /v2/catalog/gpus as prices on demand of pods with one GPU, in USD: of each GPU one in the secure
// cloud and one in the community cloud, where it has a price. GPUs without any, and those that can't be read, are left
// out and counted. Fails with Parse (it is no such answer, or has a GPU twice) and TooMuch (more than 2,000 GPUs).
// Pure.
[[nodiscard]] base::Result<model::QuoteList> readGpuPrices(const std::string &body);

// For the catalogue. `secrets` and `realClock` must outlive the source. Fails with InvalidConfig (no key, a wrong url).
[[nodiscard]] base::Result<std::unique_ptr<ports::PriceSource>>
makeRunpodPrices(const model::SourceSettings &settings, ports::SecretStore &secrets, const base::Clock &realClock,
                 std::shared_ptr<http::HttpClient> client);

} // namespace gpuledger::runpod
