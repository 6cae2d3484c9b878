// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ports/factbatch.h"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace gpuledger::format {

// What is not a reading, and how often. Value type.
class RejectedReadings {
public:
    void add(std::string_view reason, std::uint64_t count = 1);
    std::vector<ports::FactBatch::Rejected> told() const;

private:
    std::map<std::string, std::uint64_t, std::less<>> m_counts;
};

} // namespace gpuledger::format
