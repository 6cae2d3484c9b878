// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/money/money.h"
#include "app/base/result.h"
#include "app/base/time/time.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace gpuledger::store {

class Database;
struct Connections;

// An hour of a machine at a price, as a price list offers it. Empty text: not stated.
struct PriceOffer {
    // Another offer if one of these differs. Without control characters.
    std::string provider, region, zone, machine, gpu, purchase, payment, source;
    std::int64_t microGpus = 0; // 1e-6 GPUs of the machine
    base::Money perHour; // of the machine
    std::optional<std::int64_t> termMonths; // of a commitment
    std::optional<base::Money> upfront; // for the machine, in the currency of perHour
    // Replaced in place.
    std::string gpuModel;
    std::optional<std::int64_t> memoryMib, milliTflops; // of one GPU
    std::optional<base::Day> seen; // stated by the list
    bool contracted = false; // the user's own price

    bool operator==(const PriceOffer &) const = default;
};

// An offer with its time in the list. lastSeen >= firstSeen, and endedAt >= lastSeen, also if the clock went back.
struct StoredPrice {
    PriceOffer offer;
    std::string list;
    base::UtcTime firstSeen{}, lastSeen{}; // the first and the last reading that had it
    std::optional<base::UtcTime> endedAt; // the first reading without it; empty: the list has it
};

// A price list and how its last reading ended.
struct PriceListState {
    std::string name;
    base::UtcTime triedAt{};
    std::optional<base::UtcTime>
        readAt; // the last time that it could be read; empty: never, or not since it is in the configuration again
    std::string tag; // of the text of that time, as the server named it
    std::string problem; // why it could not be read when it was tried last; empty: it could
    std::optional<base::UtcTime> newest{}; // the latest time of its prices; after readAt if the clock went back

    bool operator==(const PriceListState &) const = default;
};

// A price that ended longer ago is forgotten, unless it is the last one of its offer that began before that.
inline constexpr base::Seconds kPriceHistoryKept{400 * 86400};
// A pause between two syncs ages prices by at most this: the clock may have jumped meanwhile.
inline constexpr base::Seconds kPriceLongestPause{30 * 86400};
// A stored time that is later than now by more than this came from a clock that was ahead.
inline constexpr base::Seconds kPriceClockSkew{86400};

// The price of an offer from a time on, as the list itself remembers it. Two of these are of one offer if they differ
// in nothing but the amounts, the time and what is replaced in place.
struct PriceStep {
    PriceOffer offer;
    base::UtcTime from{};
};

// How a reading differs from the one before.
struct PriceChanges {
    std::size_t added = 0, ended = 0, same = 0;
    bool isSuperseded = false; // another process read the list meanwhile: nothing was stored
};

// When a list had been read last as a reading began (PriceListState::readAt): fetching takes minutes, and no lock is
// held meanwhile.
struct ReadBefore {
    std::optional<base::UtcTime> readAt;
};

// What is asked of the history; empty: everything.
struct PriceQuestion {
    std::vector<std::string> providers, regions; // any of them; ASCII letters in any case
    std::vector<std::string> purchases; // any of them
    std::optional<std::int64_t> microGpus;
    // Which GPUs, by PriceOffer::gpu and gpuModel; called once for each pair that is stored.
    std::function<bool(const std::string &gpu, const std::string &gpuModel)> wantsGpu;
    std::optional<base::TimeRange> range; // prices that were in their list at some time in it
};

// What tidy() did.
struct PriceTidying {
    std::vector<PriceListState> ahead; // as they were: their times lay in the future
    std::int64_t forgotten = 0; // prices
};

// The offers of price lists, with their history: a new row only when a price is new, its end when the list no longer
// has it. When a call returns, its change is on disk (synchronous=FULL), because what a list had can't be read again.
// Created by LedgerStore::prices(); the LedgerStore must outlive it. Any thread. Fails with Storage… codes.
class PriceStore {
public:
    explicit PriceStore(Connections &store)
        : m_store(store)
    {
    }

    // With `before`, the next three do nothing if the list was read since.

    // Everything that the list has now. An offer that is in `offers` twice counts once. `steps` are prices since the
    // last reading, in any order: those before it change nothing, and a price ends where the next one of its offer
    // begins. Those after `now` are left out.
    [[nodiscard]] base::Result<PriceChanges> put(const std::string &list, const std::vector<PriceOffer> &offers,
                                                 const std::string &tag, base::UtcTime now,
                                                 const std::optional<ReadBefore> &before = std::nullopt,
                                                 const std::vector<PriceStep> &steps = {});
    // The list is what it was at the last reading. Does nothing if it was never read.
    [[nodiscard]] base::Result<void> confirm(const std::string &list, base::UtcTime now,
                                             const std::optional<ReadBefore> &before = std::nullopt);
    // It could not be read: what is stored stays.
    [[nodiscard]] base::Result<void> fail(const std::string &list, const std::string &problem, base::UtcTime now,
                                          const std::optional<ReadBefore> &before = std::nullopt);
    // Ends the offers of every other list: they are no longer in the configuration. One that comes back was never read.
    // Writes only if there are some.
    [[nodiscard]] base::Result<void> keepOnly(const std::set<std::string> &lists, base::UtcTime now);

    // Before the lists are read. Times that lie in the future by more than kPriceClockSkew become `now` if a clock that
    // was ahead explains them: they are close together, and at least 20 times as far away. Otherwise this clock is
    // behind, and so is one before 2024: no time is corrected. Prices that ended more than kPriceHistoryKept ago are
    // forgotten. That is counted in time that passed from sync to sync, up to the newest reading at most, so that syncs
    // with a clock that is ahead forget nothing (meta: price_counted, price_clock). Writes at most once an hour if
    // there is nothing else to do.
    [[nodiscard]] base::Result<PriceTidying> tidy(base::UtcTime now);

    // Ascending by name.
    [[nodiscard]] base::Result<std::vector<PriceListState>> lists();
    // What the lists have now; ascending by list, then in the order in which they were stored.
    [[nodiscard]] base::Result<std::vector<StoredPrice>> current();
    // The same with everything that they had before, of what is asked for.
    [[nodiscard]] base::Result<std::vector<StoredPrice>> history(const PriceQuestion &question = {});

private:
    Connections &m_store;
};

} // namespace gpuledger::store
