// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ledger/attribution/unitshares.h"

namespace gpuledger::ledger {

using model::UsageBucket;

UsageBucket mergedReading(const UsageBucket &a, std::int64_t weightA, const UsageBucket &b, std::int64_t weightB)
{
    const auto mean = [&](auto x, auto y, auto missing) {
        if (x == missing || y == missing || weightA + weightB == 0)
            return x == missing ? y : x;
        const std::int64_t sum = std::int64_t{x} * weightA + std::int64_t{y} * weightB;
        return static_cast<decltype(x)>(sum / (weightA + weightB));
    };
    UsageBucket r = a;
    r.activity = mean(a.activity, b.activity, model::kNoShare);
    r.smActive = mean(a.smActive, b.smActive, model::kNoShare);
    r.tensorActive = mean(a.tensorActive, b.tensorActive, model::kNoShare);
    r.memoryMeanMib = mean(a.memoryMeanMib, b.memoryMeanMib, model::kNoMemory);
    r.powerDeciwatt = mean(a.powerDeciwatt, b.powerDeciwatt, model::kNoPower);
    if (a.memoryMaxMib == model::kNoMemory || (b.memoryMaxMib != model::kNoMemory && b.memoryMaxMib > a.memoryMaxMib))
        r.memoryMaxMib = b.memoryMaxMib;
    if (r.signal == model::ActivitySignal::None)
        r.signal = b.signal;
    return r;
}

} // namespace gpuledger::ledger
