// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/base/time/time.h"
#include "app/model/fleet/fleet.h"
#include "app/savings/spot/spotoffer.h"
#include "app/store/facts/factreader.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <stop_token>
#include <string>
#include <tuple>
#include <vector>

namespace gpuledger::services {

// Counts what the pods of workloads wrote. Fails with Cancelled and the reader's errors. One thread; the facts must
// outlive it.
class SpotWriteCounter {
public:
    [[nodiscard]] static base::Result<SpotWriteCounter> create(store::FactReader &facts);
    // A pod of a candidate, by its index.
    void want(const model::Holder &holder, std::size_t candidate);
    // Adds what is recorded of all wanted pods in the range.
    [[nodiscard]] base::Result<void> addTo(std::vector<savings::SpotCandidate> &candidates, base::TimeRange range,
                                           const std::stop_token &stop) const;

private:
    struct Wanted {
        std::string uid; // empty: unknown
        std::size_t candidate = 0;
    };
    using Name = std::tuple<std::string, std::string, std::string>; // cluster, namespace, name

    store::FactReader *m_facts = nullptr;
    bool m_isRecorded = false;
    std::map<Name, std::vector<Wanted>> m_wanted;
};

} // namespace gpuledger::services
