// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/base/time/time.h"
#include "app/model/fleet/attribution.h"
#include "app/model/fleet/signals.h"
#include "app/store/facts/factreader.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace gpuledger::insight {

// How far back requests count, whatever the grace window (definitions.md, Idle: "24 h without a request").
inline constexpr base::Seconds kRequestWindow = base::kDay;
inline constexpr base::Seconds kRequestHour{3600}; // by which they are stored

// The requests that inference servers served, for the idle list of an instant and for a replay of many. Caches the
// hours of one day and of the day before it. One thread; the facts must outlive it. Fails with Storage… codes.
class ServedRequests {
public:
    ServedRequests() = default; // nothing is known
    // Null facts, or facts without any signal: nothing is known.
    [[nodiscard]] static base::Result<ServedRequests> create(store::FactReader *facts);

    // Served by a holder within kRequestWindow before `at`, at least: only hours that lie within it count. 0 only if
    // all of the window is known; std::nullopt: not known.
    [[nodiscard]] base::Result<std::optional<double>> before(const model::AttributedHolder &who, base::UtcTime at);
    // Whether a holder served any in the hour of the clock that ends at `at` or that `at` is in; false if not known.
    [[nodiscard]] base::Result<bool> inHour(const model::AttributedHolder &who, base::UtcTime at);
    // As the exporter names the holder; empty: it doesn't.
    std::set<std::int64_t> subjectsOf(const model::AttributedHolder &who) const;

private:
    struct Hours {
        std::int64_t first = 0, last = -1; // that were read
        std::vector<model::SignalHour> all; // ascending
    };
    base::Result<const Hours *> hoursOf(std::int64_t subject, std::int64_t first, base::UtcTime at);
    base::Result<std::optional<double>> of(std::int64_t subject, base::UtcTime at);

    store::FactReader *m_facts = nullptr;
    using NameKey = std::tuple<std::string, std::string, std::string>; // cluster, namespace, name
    std::map<NameKey, std::vector<std::pair<std::string, std::int64_t>>> m_subjects; // uid and id
    base::Day m_day{-1}; // of m_hours
    std::map<std::int64_t, Hours> m_hours; // by subject
};

// What an inference server served by one instant, looked up once, and only if it is asked for; false of other holders.
// One thread; what it is made of must outlive it.
class ServedBy {
public:
    ServedBy(ServedRequests &requests, const model::AttributedHolder &who, base::UtcTime at)
        : m_requests(requests)
        , m_who(who)
        , m_at(at)
    {
    }
    bool lately(); // within kRequestWindow before: so it is not in the idle list
    bool thisHour(); // as ServedRequests::inHour()
    const base::Result<void> &read() const { return m_read; } // Storage… codes; what failed is false

private:
    ServedRequests &m_requests;
    const model::AttributedHolder &m_who;
    base::UtcTime m_at;
    std::optional<bool> m_lately, m_thisHour;
    base::Result<void> m_read;
};

} // namespace gpuledger::insight
