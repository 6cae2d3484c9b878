// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <functional>
#include <stop_token>

namespace gpuledger::cli {

// The pause between two rounds of `watch`. Calls `work`, whose token is stopped at `end` or with `stop`, and then waits
// until `end`; `work` must end soon after that. Returns false if `stop` was requested. Blocking; `work` is called on
// this thread.
bool pauseWith(std::chrono::steady_clock::time_point end, const std::stop_token &stop,
               const std::function<void(const std::stop_token &)> &work);

} // namespace gpuledger::cli
