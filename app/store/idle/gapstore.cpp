// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/store/idle/gapstore.h"

#include "app/base/remedy.h"
#include "app/store/codecs/gapcodec.h"
#include "app/store/idle/gapcounter.h"

#include <optional>
#include <vector>

namespace gpuledger::store {

using base::Day;
using base::ErrorCode;
using base::fail;
using base::Result;

namespace {

base::Error gapsDamaged(const Database &database, const std::string &row)
{
    return base::Error::make(ErrorCode::StorageCorrupt, row + " is damaged", base::Remedy::RepairCache)
        .withSource(database.file().string());
}

Result<std::optional<std::string>> storedBlob(Database &database, const char *sql, Day day)
{
    std::optional<std::string> blob;
    Statement s = database.statement(sql);
    GPULEDGER_TRY(s.bind(1, std::int64_t{day.number}).each([&] { blob = std::string(s.blob(0)); }));
    return blob;
}

Result<GapPast> countedPast(Database &database, Day day)
{
    GapCounter counter;
    Statement s = database.statement("SELECT day, data FROM gap_day WHERE day BETWEEN ?1 AND ?2 ORDER BY day");
    GapDay gaps;
    s.bind(1, std::int64_t{day.number - kGapDays}).bind(2, std::int64_t{day.number - 1});
    GPULEDGER_TRY(s.each([&]() -> Result<void> {
        const Day at{static_cast<std::int32_t>(s.integer(0))};
        if (!gapcodec::decode(at, s.blob(1), gaps))
            return fail(gapsDamaged(database, "the idle gaps of day " + std::to_string(at.number)));
        counter.add(at, gaps);
        return {};
    }));
    return counter.take();
}

// Null also if it is outdated.
Result<std::optional<std::string>> storedPastBlob(Database &database, Day day)
{
    auto blob = storedBlob(database, "SELECT data FROM gap_past WHERE day = ?1", day);
    GPULEDGER_TRY(blob);
    if (*blob && gapcodec::isOutdatedPast(**blob))
        return std::nullopt;
    return blob;
}

Result<std::optional<GapPast>> storedPast(Database &database, Day day)
{
    const auto blob = storedPastBlob(database, day);
    GPULEDGER_TRY(blob);
    std::optional<GapPast> past;
    if (*blob && !gapcodec::decode(day, **blob, past.emplace()))
        return fail(gapsDamaged(database, "the sum of the idle gaps"));
    return past;
}

} // namespace

Result<GapDay> gapDay(Database &database, Day day)
{
    const auto blob = storedBlob(database, "SELECT data FROM gap_day WHERE day = ?1", day);
    GPULEDGER_TRY(blob);
    GapDay gaps;
    if (*blob && !gapcodec::decode(day, **blob, gaps))
        return fail(gapsDamaged(database, "the idle gaps of day " + std::to_string(day.number)));
    return gaps;
}

Result<void> putGapDay(Database &database, Day day, const GapDay &gaps)
{
    const auto before = storedBlob(database, "SELECT data FROM gap_day WHERE day = ?1", day);
    GPULEDGER_TRY(before);
    const auto now = gaps.runs.empty() ? std::nullopt : std::optional(gapcodec::encode(day, gaps));
    if (*before == now)
        return {};
    Statement drop = database.statement("DELETE FROM gap_past WHERE day > ?1 AND day <= ?1 + ?2");
    GPULEDGER_TRY(drop.bind(1, std::int64_t{day.number}).bind(2, std::int64_t{kGapDays}).run());
    if (!now)
        return database.statement("DELETE FROM gap_day WHERE day = ?1").bind(1, std::int64_t{day.number}).run();
    Statement put = database.statement("INSERT INTO gap_day (day, data) VALUES (?1, ?2)"
                                       " ON CONFLICT (day) DO UPDATE SET data = excluded.data");
    return put.bind(1, std::int64_t{day.number}).bindBlob(2, *now).run();
}

Result<bool> holdsGapDay(Database &database, Day day, const GapDay &expected)
{
    const auto stored = gapDay(database, day);
    GPULEDGER_TRY(stored);
    return *stored == (expected.runs.empty() ? GapDay{} : expected);
}

Result<GapPast> gapPast(Database &database, Day day)
{
    auto stored = storedPast(database, day);
    GPULEDGER_TRY(stored);
    if (*stored)
        return std::move(**stored);
    return countedPast(database, day);
}

Result<void> keepGapPast(Database &database, Day day)
{
    const auto stored = storedPastBlob(database, day);
    GPULEDGER_TRY(stored);
    if (*stored)
        return {};
    const auto past = countedPast(database, day);
    GPULEDGER_TRY(past);
    const std::string blob = gapcodec::encode(day, *past);
    GPULEDGER_TRY(database.statement("DELETE FROM gap_past").run());
    Statement put = database.statement("INSERT INTO gap_past (day, data) VALUES (?1, ?2)");
    return put.bind(1, std::int64_t{day.number}).bindBlob(2, blob).run();
}

Result<bool> holdsGapPast(Database &database)
{
    std::vector<Day> days;
    Statement s = database.statement("SELECT day FROM gap_past");
    GPULEDGER_TRY(s.each([&] { days.push_back({static_cast<std::int32_t>(s.integer(0))}); }));
    for (const Day day : days) {
        const auto stored = storedPast(database, day);
        GPULEDGER_TRY(stored);
        if (!*stored) // the next writer counts it again
            continue;
        const auto counted = countedPast(database, day);
        GPULEDGER_TRY(counted);
        if (!(**stored == *counted))
            return false;
    }
    return true;
}

} // namespace gpuledger::store
