// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/time.h"
#include "app/model/money/costview.h"
#include "app/savings/realized/realized.h"

#include <cstdint>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

namespace gpuledger::services {

struct Setup;

// The newest answer of SavingsService::realizedPast(): a person who looks at one figure of what was saved looks at the
// next, and each walks months of facts. Any thread.
class RealizedMemo {
public:
    struct Key { // what the answer depends on
        std::int64_t generation = 0; // of the cache
        const Setup *setup = nullptr; // the engine keeps every configuration, so each has an address of its own
        model::CostView cost = model::CostView::Effective;
        base::TimeRange covered;
        std::vector<std::pair<std::int64_t, std::optional<base::UtcTime>>> of; // Choice::id, and when a stop was undone
        bool operator==(const Key &) const = default;
    };

    std::optional<std::vector<savings::RealizedPast>> find(const Key &key)
    {
        const std::lock_guard lock(m_mutex);
        return m_key && *m_key == key ? std::optional(m_pasts) : std::nullopt;
    }
    void keep(Key key, std::vector<savings::RealizedPast> pasts)
    {
        const std::lock_guard lock(m_mutex);
        m_key = std::move(key);
        m_pasts = std::move(pasts);
    }

private:
    std::mutex m_mutex;
    std::optional<Key> m_key;
    std::vector<savings::RealizedPast> m_pasts;
};

} // namespace gpuledger::services
