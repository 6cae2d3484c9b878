// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/base/time/time.h"

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace gpuledger::store {

class Database;
struct Connections;

// Facts of whole UTC days that a tier above derived from attributed time, as blobs whose form only that tier knows. A
// row is only a copy: whoever needs a day that is not stored derives it again. A row is removed when the roll-up of its
// day is rebuilt, in the same transaction. Created by LedgerStore::dayFacts(), which must outlive it. Any thread.
class DayFactStore {
public:
    explicit DayFactStore(Connections &store)
        : m_store(store)
    {
    }

    // std::nullopt: nothing is stored for the day under these rules, or the cache is not at this generation.
    [[nodiscard]] base::Result<std::optional<std::string>> read(base::Day day, const std::string &rules,
                                                                std::int64_t generation);
    // The days for which read() has something; std::nullopt: the cache is not at this generation. Quick.
    [[nodiscard]] base::Result<std::optional<std::set<base::Day>>> days(const std::string &rules,
                                                                        std::int64_t generation);
    // False: the cache is open for reading only, so that put() fails.
    bool canPut() const;
    using Days = std::vector<std::pair<base::Day, std::string>>;
    // Replaces what is stored for these days, if the data that they were derived from are still those of the cache:
    // `generation` is from before they were read. False: they are not, or this process is writing something else, which
    // may take minutes; nothing was written. Removes days from more than 400 days before the newest, and those of
    // another form, which is what `rules` has before the first space. Fails with Storage… codes, also if the cache is
    // read-only or busy.
    [[nodiscard]] base::Result<bool> put(const Days &days, const std::string &rules, std::int64_t generation);
    // Removes what is stored for these days. Fails with Storage… codes, also if the cache is read-only or busy.
    [[nodiscard]] base::Result<void> drop(const std::vector<base::Day> &days);

private:
    Connections &m_store;
};

// Inside the writer's transaction. Fails with Storage… codes.
[[nodiscard]] base::Result<void> dropDayFact(Database &database, base::Day day);

} // namespace gpuledger::store
