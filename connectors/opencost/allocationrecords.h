// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/model/money/allocation.h"
#include "connectors/format/recordreader.h"

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

namespace gpuledger::opencost {

// Converts decimal text to nano-units, millionths and so on: value x `factor`, rounded half away from zero.
// std::nullopt if it is not a number (NaN, words) or does not fit.
std::optional<std::int64_t> scaled(const std::optional<std::string> &text, std::int64_t factor);

// Combines the records of both answers into a day, in whatever order they arrive. One thread.
class AllocationRecords {
public:
    static constexpr std::size_t kMostNodes = 100'000; // per day
    static constexpr std::size_t kLongestName = 1024; // bytes

    AllocationRecords(base::Day day, base::Currency currency)
        : m_day(day)
        , m_currency(currency)
    {
    }

    // The members to read from each kind of record, for format::RecordReader.
    static std::span<const std::string_view> assetMembers();
    static std::span<const std::string_view> allocationMembers();

    // Returns false if there are too many.
    [[nodiscard]] bool addAsset(const format::RecordValues &values);
    [[nodiscard]] bool addAllocation(std::string_view name, const format::RecordValues &values);
    // Set if a record covers other times than the day, because the server moved the window.
    const std::string &foreignWindow() const { return m_foreignWindow; } // empty: none

    model::AllocationDay take(model::AllocationProduct product);
    std::uint64_t accepted() const { return m_accepted; }
    std::uint64_t rejected() const { return m_rejected; }
    std::uint64_t pods() const { return m_pods; } // with GPUs

private:
    using Place = std::pair<std::string, std::string>; // cluster and node
    bool isForeign(const std::optional<std::string> &start, const std::optional<std::string> &end);
    void addIdle(const format::RecordValues &values);

    base::Day m_day;
    base::Currency m_currency;
    std::map<std::tuple<std::string, std::string, std::string>, model::AllocatedNode> m_nodes;
    std::map<Place, model::AllocatedPods> m_onNode;
    std::map<Place, model::AllocatedIdle> m_idle;
    std::string m_foreignWindow;
    bool m_toldGpuUse = false;
    std::uint64_t m_accepted = 0, m_rejected = 0, m_pods = 0;
};

} // namespace gpuledger::opencost
