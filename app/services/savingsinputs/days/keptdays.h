// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/ledger/ledger.h"
#include "app/model/settings.h"
#include "app/services/savingsinputs/days/hourcodec.h"
#include "app/services/savingsinputs/days/hourrecorder.h"
#include "app/store/facts/attributionreader.h"
#include "app/store/ledgerstore.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace gpuledger::services {

// All that a stored day depends on, besides facts and bills.
std::string keptDayRules(const ledger::Ledger &ledger, const model::Settings &settings);

// The complete days of [first, end) that are not stored and could be, ascending; none if the cache has changed since
// `generation`. Quick. Fails with Storage… codes.
[[nodiscard]] base::Result<std::vector<base::Day>> missingDays(store::LedgerStore &cache, std::int64_t generation,
                                                               const ledger::Ledger &ledger,
                                                               const model::Settings &settings, base::Day first,
                                                               base::Day end);

// The stored days of the cache, for one question: reads those that it has, and stores those that were walked. A stored
// day gives every collector what a walk gives it. One thread. What it refers to must outlive it.
class KeptDays {
public:
    // `generation` is the cache's from before the facts of `attribution` were opened. Does nothing for costs that are
    // not stored, and while the cache changes. Fails with Storage… codes.
    [[nodiscard]] static base::Result<std::unique_ptr<KeptDays>>
    open(store::LedgerStore &cache, std::int64_t generation, const ledger::Ledger &ledger,
         const model::Settings &settings, store::AttributionReader &attribution);

    // Whether the day is stored, and undamaged; pieces() are then those of the day. Fails with Storage… codes.
    [[nodiscard]] base::Result<bool> has(base::Day day);
    std::span<const HourPiece> pieces() const { return m_now.hours.pieces(); } // until the next has()
    // Reads a day about which has() will be asked next. Another thread may use pieces() meanwhile, but nothing else.
    void readAhead(base::Day day);

    // A day that is walked: every piece of it, then its end. A day that is not complete is not stored, nor one that is
    // not wanted.
    void begin(base::Day day, bool isWanted);
    void add(const model::DeviceAttribution &device);
    void end();
    // Stores the days that ended since. If that fails, this and later days stay unstored.
    void put();
    bool canPut() const { return m_writes; } // false after a failure

private:
    KeptDays(store::LedgerStore &cache, std::int64_t generation, std::string rules, std::uint16_t threshold)
        : m_cache(cache)
        , m_generation(generation)
        , m_rules(std::move(rules))
        , m_threshold(threshold)
    {
    }

    struct Read {
        std::optional<base::Day> day; // std::nullopt: none
        bool isThere = false; // if not, the day has to be walked
        HourDay hours;
    };
    [[nodiscard]] base::Result<void> read(base::Day day, Read &into);

    store::LedgerStore &m_cache;
    const std::int64_t m_generation;
    const std::string m_rules; // all that a stored day depends on, besides facts and bills
    const std::uint16_t m_threshold;
    bool m_reads = false, m_writes = false;
    base::UtcTime m_known{}; // the end of what was fetched
    std::vector<model::Device> m_devices;
    std::vector<model::Node> m_nodes;
    HourFleet m_fleet;
    Read m_now, m_next;
    base::Day m_walked; // that is recorded
    std::optional<HourRecorder> m_recorder;
    std::vector<std::pair<base::Day, std::string>> m_ended;
    std::set<base::Day> m_done; // stored by this object
};

} // namespace gpuledger::services
