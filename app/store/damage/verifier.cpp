// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/store/damage/verifier.h"

#include "app/store/actions/actionstore.h"
#include "app/store/bills/allocationrows.h"
#include "app/store/bills/ledgerlines.h"
#include "app/store/codecs/cubecodec.h"
#include "app/store/damage/schemacheck.h"
#include "app/store/damage/verification.h"
#include "app/store/idle/gapstore.h"
#include "app/store/idle/idlestore.h"
#include "app/store/months/monthextract.h"
#include "app/store/months/monthstore.h"
#include "app/store/names/names.h"
#include "app/store/rollup/cubestore.h"
#include "app/store/snapshot/factreadersql.h"
#include "app/store/sqlite/pagevfs.h"
#include "app/store/sqlite/readerpool.h"

#include <sqlite3.h>

#include <algorithm>
#include <set>
#include <unordered_set>

namespace gpuledger::store {

using base::Day;
using base::ErrorCode;
using base::fail;
using base::Result;

namespace {

constexpr std::size_t kMaxProblems = 100; // more would not tell the user anything new
constexpr int kStepsBetweenLooks = 10000;

using Problems = std::vector<IntegrityProblem>;

void note(Problems &problems, std::string where, std::string what)
{
    if (problems.size() < kMaxProblems)
        problems.push_back({std::move(where), std::move(what)});
}

// A read that finds the file damaged is a finding, not a failure.
Result<void> orFinding(Result<void> result, Problems &problems, const char *where)
{
    if (result || result.error().code != ErrorCode::StorageCorrupt)
        return result;
    note(problems, where, result.error().text);
    return {};
}

Result<void> checkPages(Database &database, std::string_view pragma, Problems &problems)
{
    Statement s = database.statement(pragma);
    return orFinding(s.each([&] {
        if (std::string text = s.text(0); text != "ok")
            note(problems, "ledger.db", std::move(text));
    }),
                     problems, "ledger.db");
}

class Deadline {
public:
    Deadline(Database &database, std::chrono::milliseconds limit)
        : m_handle(database.sqlite().getHandle())
        , m_end(std::chrono::steady_clock::now() + limit)
    {
        sqlite3_progress_handler(m_handle, kStepsBetweenLooks, &Deadline::isOver, this);
    }
    ~Deadline() { sqlite3_progress_handler(m_handle, 0, nullptr, nullptr); }
    Deadline(const Deadline &) = delete;
    Deadline &operator=(const Deadline &) = delete;
    bool over() const { return std::chrono::steady_clock::now() >= m_end; }

private:
    static int isOver(void *self) { return static_cast<Deadline *>(self)->over() ? 1 : 0; }

    sqlite3 *m_handle;
    std::chrono::steady_clock::time_point m_end;
};

std::string dayText(Day day)
{
    return base::toRfc3339(day.start()).substr(0, 10);
}

Result<void> checkUsage(Database &database, Problems &problems)
{
    std::unordered_set<std::int64_t> devices, subjects{0}, nodes{0};
    Statement d = database.statement("SELECT id FROM device"), s = database.statement("SELECT id FROM subject"),
              n = database.statement("SELECT id FROM node"), u = database.statement("SELECT id, data FROM usage_day");
    GPULEDGER_TRY(d.each([&] { devices.insert(d.integer(0)); }));
    GPULEDGER_TRY(s.each([&] { subjects.insert(s.integer(0)); }));
    GPULEDGER_TRY(n.each([&] { nodes.insert(n.integer(0)); }));
    UsageCodec codec;
    return u.each([&] {
        const std::int64_t id = u.integer(0);
        const auto tracks = codec.decode(id, u.blob(1));
        if (!tracks) {
            note(problems, "usage_day", tracks.error().text);
            return;
        }
        bool known = devices.contains(UsageCodec::deviceOf(id).value);
        for (const model::UsageTrack &t : *tracks)
            known = known && subjects.contains(t.subject.value) && nodes.contains(t.node.value);
        if (!known)
            note(problems, "usage_day", "row " + std::to_string(id) + " names a device, subject or node that is gone");
    });
}

Result<void> checkTexts(Database &database, Problems &problems)
{
    Statement t = database.statement("SELECT id, hash, value FROM text");
    GPULEDGER_TRY(t.each([&] {
        if (Names::hashOf(t.text(2)) != t.integer(1))
            note(problems, "text", "row " + std::to_string(t.integer(0)) + " is damaged");
    }));
    Statement s = database.statement("SELECT id, name_hash, name, namespace FROM subject WHERE base IS NULL");
    return s.each([&] {
        if (Names::hashOf(s.text(2), s.integer(3)) != s.integer(1))
            note(problems, "subject", "row " + std::to_string(s.integer(0)) + " is damaged");
    });
}

Result<void> checkCubeBlobs(Database &database, Problems &problems)
{
    Statement s = database.statement("SELECT id, data FROM rollup");
    CellRow cells{};
    return s.each([&] {
        if (!cubecodec::decode(s.integer(0), s.blob(1), cells))
            note(problems, "rollup", "row " + std::to_string(s.integer(0)) + " is damaged");
    });
}

// Compares the stored lines with those recomputed from the current facts and bills.
Result<void> compareLedgerDay(Database &database, Day day, LedgerDay &expected, Problems &problems)
{
    std::erase_if(expected, [](const auto &entry) { return entry.second == model::LedgerAmounts{}; });
    LedgerDay stored;
    GPULEDGER_TRY(readLedger(
        database, day, day, [&](Day, const model::LedgerKey &key, const model::LedgerAmounts &amounts) -> Result<void> {
            stored.emplace(key, amounts);
            return {};
        }));
    if (stored != expected)
        note(problems, "ledger_line", dayText(day) + " differs from the facts and bills that it follows from");
    return {};
}

Result<void> compareFindings(Database &database, Day day, const AllocationFindings &expected, Problems &problems)
{
    AllocationFindings stored;
    GPULEDGER_TRY(
        readAllocationFindings(database, day, day, [&](Day, const model::AllocationFinding &one) -> Result<void> {
            stored.push_back(one);
            return {};
        }));
    if (stored != expected)
        note(problems, "allocation_finding", dayText(day) + " differs from the facts that it follows from");
    return {};
}

// Checks each day of an allocator against the checksum written with it.
Result<void> checkAllocations(Database &database, Problems &problems)
{
    const auto days = allocatedDays(database);
    GPULEDGER_TRY(days);
    for (const Day day : *days)
        GPULEDGER_TRY(
            orFinding(readAllocations(database, day, [](const std::string &, const auto &) { return Result<void>(); }),
                      problems, "allocation_node"));
    return {};
}

// For every day and currency, the lines that come from bills must add up to the bills, in both views.
Result<void> checkLaw(Database &database, Problems &problems)
{
    std::map<Day, BillTotals> ledger;
    Day first{std::numeric_limits<std::int32_t>::min()}, last{std::numeric_limits<std::int32_t>::max()};
    const auto cut = cutOf(database);
    GPULEDGER_TRY(cut);
    if (*cut) { // a bill line may extend beyond the cut
        first = (*cut)->first;
        last = (*cut)->last;
    }
    GPULEDGER_TRY(
        readLedger(database, first, last,
                   [&](Day day, const model::LedgerKey &key, const model::LedgerAmounts &amounts) -> Result<void> {
                       BillAmounts &sum = ledger[day][key.currency];
                       GPULEDGER_TRY(addAmount(sum.billed, amounts.billed));
                       return addAmount(sum.effective, amounts.effective);
                   }));
    BillReader reader(database);
    auto bills = reader.recomputed(first, last);
    GPULEDGER_TRY(bills);
    const auto withoutZeros = [](std::map<Day, BillTotals> &days) {
        for (auto &[day, totals] : days)
            std::erase_if(totals, [](const auto &entry) { return entry.second == BillAmounts{}; });
        std::erase_if(days, [](const auto &entry) { return entry.second.empty(); });
    };
    withoutZeros(ledger);
    withoutZeros(*bills);
    std::set<Day> days;
    for (const auto *side : {&ledger, &*bills}) {
        for (const auto &[day, totals] : *side)
            days.insert(day);
    }
    for (const Day day : days) {
        if (ledger[day] != (*bills)[day])
            note(problems, "ledger_line", dayText(day) + ": the lines do not add up to the bill");
    }
    for (const Day day : days) {
        const auto kept = reader.kept(day, day);
        GPULEDGER_TRY(kept);
        BillTotals sums = *kept;
        std::erase_if(sums, [](const auto &entry) { return entry.second == BillAmounts{}; });
        if (sums != (*bills)[day])
            note(problems, "bill_sum", dayText(day) + " differs from the lines of the bill");
    }
    return {};
}

Result<void> checkBills(Database &database, Problems &problems)
{
    BillReader reader(database);
    return reader.checkParts([&](const std::string &part) { note(problems, "bill_line", part + " is damaged"); });
}

Result<std::map<GroupKey, GroupDay>> storedDay(CubeReaderSql &cube, Day day,
                                               const std::map<base::GroupId, GroupKey> &keys)
{
    std::vector<Measure> measures;
    for (int m = 0; m < kMeasureCount; ++m)
        measures.push_back(static_cast<Measure>(m));
    const std::vector<char> all(keys.empty() ? 0 : static_cast<std::size_t>(keys.rbegin()->first.value) + 1, 1);
    std::map<GroupKey, GroupDay> groups;
    GPULEDGER_TRY(
        cube.rows(day, day, measures, all, [&](base::GroupId group, Day, Measure measure, const CellRow &cells) {
            const auto key = keys.find(group);
            if (key != keys.end())
                groups[key->second].cells[static_cast<std::size_t>(measure)] = cells;
        }));
    return groups;
}

} // namespace

Result<std::vector<Day>> allDays(Database &database)
{
    std::int64_t first = std::numeric_limits<std::int64_t>::max(), last = std::numeric_limits<std::int64_t>::min();
    Statement s = database.statement("SELECT min(id) >> 32, max(id) >> 32 FROM usage_day UNION ALL"
                                     " SELECT min(day), max(day) FROM rollup_day UNION ALL"
                                     " SELECT min(hull_start) / 86400, max(hull_end) / 86400 FROM sync_state");
    GPULEDGER_TRY(s.each([&] {
        if (!s.optionalInteger(0))
            return;
        first = std::min(first, std::max<std::int64_t>(0, s.integer(0)));
        last = std::max(last, std::min<std::int64_t>(cubecodec::kMaxDay, s.integer(1)));
    }));
    std::set<Day> days;
    for (std::int64_t day = first; day <= last; ++day)
        days.insert({static_cast<std::int32_t>(day)});
    const auto billed = BillReader(database).days();
    GPULEDGER_TRY(billed);
    days.insert(billed->begin(), billed->end());
    const auto written = ledgerDays(database);
    GPULEDGER_TRY(written);
    days.insert(written->begin(), written->end());
    const auto allocated = allocatedDays(database);
    GPULEDGER_TRY(allocated);
    days.insert(allocated->begin(), allocated->end());
    const auto cut = cutOf(database);
    GPULEDGER_TRY(cut);
    if (*cut)
        std::erase_if(days, [&](Day day) { return day < (*cut)->first || (*cut)->last < day; });
    return std::vector<Day>(days.begin(), days.end());
}

Result<QuickFindings> quickLook(Database &database, std::chrono::milliseconds limit)
{
    QuickFindings findings;
    const Deadline deadline(database, limit);
    const auto stopped = [&](const Result<void> &result) -> Result<void> {
        findings.finished = findings.finished && !deadline.over();
        return result || !deadline.over() ? result : Result<void>();
    };
    GPULEDGER_TRY(stopped(checkPages(database, "PRAGMA quick_check(10)", findings.problems)));
    const auto version = database.scalar("PRAGMA user_version");
    if (!version)
        return fail(version.error());
    if (version->value_or(0) == 0) // the process died while creating the first tables: they do not exist
        return findings;
    Statement s = database.statement("SELECT id, data FROM usage_day ORDER BY id DESC LIMIT 20000");
    GPULEDGER_TRY(stopped(orFinding(s.each([&] {
        if (!UsageCodec::intact(s.integer(0), s.blob(1)))
            note(findings.problems, "usage_day", "row " + std::to_string(s.integer(0)) + " is damaged");
    }),
                                    findings.problems, "usage_day")));
    return findings;
}

Verification::Verification(std::unique_ptr<ReadSession> session)
    : m_session(std::move(session))
{
}

Verification::~Verification() = default;

Result<void> Verification::checkStored()
{
    Database &database = m_session->database();
    Problems &problems = m_problems;
    const auto tell = [&](std::string where, std::string what) { note(problems, std::move(where), std::move(what)); };
    sqlite3 *handle = database.sqlite().getHandle();
    sqlite3_db_release_memory(handle); // so that pages are read and verified again
    (void)damagedPage(handle);
    GPULEDGER_TRY(checkPages(database, "PRAGMA integrity_check(100)", problems));
    if (const auto page = damagedPage(handle)) // SQLite's own message does not say what is wrong with it
        note(problems, "ledger.db", "page " + std::to_string(*page) + " is damaged: it does not match its checksum");
    GPULEDGER_TRY(orFinding(checkSchema(database, tell), problems, "sqlite_schema"));
    Statement keys = database.statement("PRAGMA foreign_key_check");
    GPULEDGER_TRY(orFinding(
        keys.each([&] { note(problems, keys.text(0), "a row refers to a row of " + keys.text(2) + " that is gone"); }),
        problems, "ledger.db"));
    GPULEDGER_TRY(orFinding(checkUsage(database, problems), problems, "usage_day"));
    GPULEDGER_TRY(orFinding(checkTexts(database, problems), problems, "text"));
    GPULEDGER_TRY(orFinding(checkCubeBlobs(database, problems), problems, "rollup"));
    GPULEDGER_TRY(orFinding(checkBills(database, problems), problems, "bill_line"));
    GPULEDGER_TRY(orFinding(checkAllocations(database, problems), problems, "allocation_node"));
    GPULEDGER_TRY(orFinding(checkLaw(database, problems), problems, "ledger_line"));
    GPULEDGER_TRY(orFinding(checkMonths(database, tell), problems, "month_close"));
    return orFinding(checkActions(database, tell), problems, "action");
}

std::unique_ptr<FactReader> Verification::facts()
{
    return std::make_unique<FactReaderSql>(m_session->database());
}

Result<std::vector<Day>> Verification::daysToCompare()
{
    auto days = allDays(m_session->database());
    if (!days)
        return days;
    const auto groups = CubeReaderSql(m_session->database()).groups();
    if (!groups)
        return fail(groups.error());
    m_groups = {groups->begin(), groups->end()};
    return days;
}

Result<void> Verification::compareDay(Day day, DerivedDay &expected)
{
    Database &database = m_session->database();
    Problems &problems = m_problems;
    CubeReaderSql cube(database);
    auto stored = storedDay(cube, day, m_groups);
    if (!stored)
        return fail(std::move(stored).error());
    std::map<GroupKey, GroupDay> &wanted = expected.groups;
    std::erase_if(wanted, [](const auto &entry) {
        return std::all_of(entry.second.cells.begin(), entry.second.cells.end(), cubecodec::isZero);
    });
    for (const auto &[key, group] : wanted) {
        const auto it = stored->find(key);
        if (it == stored->end() || it->second.cells != group.cells)
            note(problems, "rollup", dayText(day) + ": team \"" + key.team + "\" differs from its facts");
        if (it != stored->end())
            stored->erase(it);
    }
    for (const auto &[key, group] : *stored)
        note(problems, "rollup", dayText(day) + ": team \"" + key.team + "\" has no facts");
    GPULEDGER_TRY(compareLedgerDay(database, day, expected.ledger, problems));
    GPULEDGER_TRY(compareFindings(database, day, expected.findings, problems));
    const auto holds = holdsIdleDay(database, day, expected.idle);
    GPULEDGER_TRY(holds);
    if (!*holds)
        note(problems, "idle_day", dayText(day) + " differs from its facts");
    const auto holdsGaps = holdsGapDay(database, day, expected.gaps);
    GPULEDGER_TRY(holdsGaps);
    if (!*holdsGaps)
        note(problems, "gap_day", dayText(day) + " differs from its facts");
    return {};
}

Result<GapPast> Verification::gapPast(base::Day day)
{
    return store::gapPast(m_session->database(), day);
}

Result<void> Verification::compareGapPast()
{
    const auto holds = holdsGapPast(m_session->database());
    GPULEDGER_TRY(holds);
    if (!*holds)
        note(m_problems, "gap_past", "the sum of the idle gaps differs from its days");
    return {};
}

Result<std::optional<std::vector<IdleCandidate>>> Verification::candidates(base::UtcTime at,
                                                                           const model::IdleSettings &settings)
{
    return IdleReaderSql(m_session->database()).candidates(at, settings);
}

void Verification::compareCandidates(const std::vector<IdleCandidate> &stored,
                                     const std::vector<IdleCandidate> &expected)
{
    if (!areStoredAlike(expected, stored))
        note(m_problems, "idle_candidate", "the candidates of the idle list differ from the facts");
}

Result<void> Verification::orProblem(Result<void> result)
{
    return orFinding(std::move(result), m_problems, "rollup");
}

} // namespace gpuledger::store
