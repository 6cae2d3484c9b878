// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/store/idle/idlestore.h"

#include "app/base/remedy.h"
#include "app/store/codecs/idlecodec.h"
#include "app/store/idle/gapstore.h"

#include <algorithm>
#include <array>

namespace gpuledger::store {

using base::ErrorCode;
using base::fail;
using base::Result;
using base::UtcTime;

namespace {

constexpr std::array kKinds{model::WorkloadKind::Unknown,     model::WorkloadKind::Notebook,
                            model::WorkloadKind::Development, model::WorkloadKind::Training,
                            model::WorkloadKind::Batch,       model::WorkloadKind::Inference};

// What the candidates were stored for: the version of their blobs (those of another release are recomputed), the
// instant, each kind's grace window, and the length of the windows.
std::string stampOf(UtcTime at, const model::IdleSettings &settings)
{
    std::string text = "3 " + std::to_string(base::toUnix(at));
    for (const model::WorkloadKind kind : kKinds)
        text += ' ' + std::to_string(graceOf(settings, kind).count());
    return text + ' ' + std::to_string(longestGrace(settings).count());
}

Result<std::string> keptStamp(Database &database)
{
    std::string stamp;
    Statement s = database.statement("SELECT value FROM meta WHERE key = 'idle_candidates'");
    GPULEDGER_TRY(s.each([&] { stamp = s.text(0); }));
    return stamp;
}

base::Error damaged(const Database &database, const std::string &row)
{
    return base::Error::make(ErrorCode::StorageCorrupt, row + " is damaged", base::Remedy::RepairCache)
        .withSource(database.file().string());
}

} // namespace

Result<IdleDay> IdleReaderSql::day(base::Day day)
{
    IdleDay units;
    Statement s = m_db.statement("SELECT data FROM idle_day WHERE day = ?1");
    GPULEDGER_TRY(s.bind(1, std::int64_t{day.number}).each([&]() -> Result<void> {
        if (!idlecodec::decode(day, s.blob(0), units))
            return fail(damaged(m_db, "the data of day " + std::to_string(day.number) + " for the idle list"));
        return {};
    }));
    return units;
}

Result<std::optional<std::vector<IdleCandidate>>> IdleReaderSql::candidates(UtcTime at,
                                                                            const model::IdleSettings &settings)
{
    const auto stamp = keptStamp(m_db);
    GPULEDGER_TRY(stamp);
    if (*stamp != stampOf(at, settings))
        return std::nullopt;
    std::vector<IdleCandidate> all;
    Statement s = m_db.statement("SELECT id, data FROM idle_candidate ORDER BY id");
    GPULEDGER_TRY(s.each([&]() -> Result<void> {
        if (!idlecodec::decode(s.integer(0), s.blob(1), all.emplace_back()))
            return fail(damaged(m_db, "candidate " + std::to_string(s.integer(0)) + " of the idle list"));
        return {};
    }));
    return all;
}

Result<GapPast> IdleReaderSql::gapPast(base::Day day)
{
    return store::gapPast(m_db, day);
}

Result<void> putIdleDay(Database &database, base::Day day, const IdleDay &units)
{
    if (units.empty())
        return database.statement("DELETE FROM idle_day WHERE day = ?1").bind(1, std::int64_t{day.number}).run();
    const std::string blob = idlecodec::encode(day, units);
    Statement put = database.statement("INSERT INTO idle_day (day, data) VALUES (?1, ?2)"
                                       " ON CONFLICT (day) DO UPDATE SET data = excluded.data");
    return put.bind(1, std::int64_t{day.number}).bindBlob(2, blob).run();
}

Result<bool> hasCandidates(Database &database, UtcTime at, const model::IdleSettings &settings)
{
    const auto stamp = keptStamp(database);
    GPULEDGER_TRY(stamp);
    return *stamp == stampOf(at, settings);
}

Result<void> dropCandidates(Database &database)
{
    GPULEDGER_TRY(database.statement("DELETE FROM meta WHERE key = 'idle_candidates'").run());
    return database.statement("DELETE FROM idle_candidate").run();
}

// Unchanged rows are not written.
Result<void> putCandidates(Database &database, UtcTime at, const model::IdleSettings &settings,
                           const std::vector<IdleCandidate> &candidates)
{
    Statement find = database.statement("SELECT data FROM idle_candidate WHERE id = ?1");
    Statement put = database.statement("INSERT INTO idle_candidate (id, data) VALUES (?1, ?2)"
                                       " ON CONFLICT (id) DO UPDATE SET data = excluded.data");
    std::int64_t id = 0;
    for (const IdleCandidate &candidate : candidates) {
        const std::string blob = idlecodec::encode(++id, candidate);
        const Result<bool> known = find.bind(1, id).step();
        GPULEDGER_TRY(known);
        const bool same = *known && find.blob(0) == blob;
        find.reset();
        if (!same)
            GPULEDGER_TRY(put.bind(1, id).bindBlob(2, blob).run());
    }
    GPULEDGER_TRY(database.statement("DELETE FROM idle_candidate WHERE id > ?1").bind(1, id).run());
    Statement mark = database.statement("INSERT INTO meta (key, value) VALUES ('idle_candidates', ?1)"
                                        " ON CONFLICT (key) DO UPDATE SET value = excluded.value");
    return mark.bind(1, stampOf(at, settings)).run();
}

Result<bool> holdsIdleDay(Database &database, base::Day day, const IdleDay &expected)
{
    const auto stored = IdleReaderSql(database).day(day);
    GPULEDGER_TRY(stored);
    if (*stored == expected)
        return true;
    bool isOlder = false;
    Statement s = database.statement("SELECT data FROM idle_day WHERE day = ?1");
    GPULEDGER_TRY(s.bind(1, std::int64_t{day.number}).each([&] { isOlder = idlecodec::isOlderDay(s.blob(0)); }));
    if (!isOlder)
        return false;
    IdleDay older = expected; // as that version wrote it
    for (IdleUnitDay &unit : older) {
        unit.whole.reset();
        if (unit.tail)
            unit.tail->unpriced = false;
    }
    return *stored == older;
}

bool areStoredAlike(const std::vector<IdleCandidate> &a, const std::vector<IdleCandidate> &b)
{
    bool same = a.size() == b.size();
    for (std::size_t i = 0; same && i < a.size(); ++i)
        same = idlecodec::encode(0, a[i]) == idlecodec::encode(0, b[i]);
    return same;
}

} // namespace gpuledger::store
