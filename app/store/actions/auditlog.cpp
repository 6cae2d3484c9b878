// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/store/actions/auditlog.h"

#include "app/base/crypto/sha256.h"
#include "app/store/sqlite/database.h"

namespace gpuledger::store {

using base::Result;

namespace {

constexpr std::string_view kColumns =
    "SELECT sequence, at, actor, action, object, details, previous, hash, recorded_at, steady, boot"
    " FROM audit_entry ORDER BY sequence";
// A cache that is read-only may predate these columns.
constexpr std::string_view kOldColumns =
    "SELECT sequence, at, actor, action, object, details, previous, hash, NULL, NULL, NULL"
    " FROM audit_entry ORDER BY sequence";

Result<Statement> entriesOf(Database &database)
{
    const auto has = database.scalar("SELECT count(*) FROM pragma_table_info('audit_entry') WHERE name = 'boot'");
    GPULEDGER_TRY(has);
    return database.statement(has->value_or(0) == 0 ? kOldColumns : kColumns);
}

constexpr base::Seconds kSameTime{60}; // smaller clock corrections are normal

std::string netstring(const std::string &bytes)
{
    return std::to_string(bytes.size()) + ':' + bytes + ',';
}

AuditEntry entryAt(const Statement &s)
{
    AuditEntry entry{
        s.integer(0), {base::fromUnix(s.integer(1)), s.text(2), s.text(3), s.text(4), s.text(5)}, s.text(6), s.text(7)};
    if (const auto real = s.optionalInteger(8))
        entry.recorded = base::ClockReading{base::fromUnix(*real), s.optionalInteger(9).value_or(0), s.text(10)};
    return entry;
}

// What is wrong with the times of an entry compared with the preceding one; empty if nothing is.
std::string wrongTime(const AuditEntry &before, const AuditEntry &entry)
{
    const std::string name = "entry " + std::to_string(entry.sequence);
    if (before.recorded && !entry.recorded)
        return name + " does not say when it was written, though the one before does";
    if (before.recorded && entry.recorded->boot == before.recorded->boot
        && entry.recorded->steady < before.recorded->steady)
        return name + " was written before the one before it, according to the monotonic clock";
    return {};
}

std::string headOf(const AuditEntry &last)
{
    return std::to_string(last.sequence) + ' ' + last.hash;
}

} // namespace

std::string hashOf(const AuditEntry &entry)
{
    const AuditEvent &event = entry.event;
    std::string bytes = netstring(std::to_string(entry.sequence)) + netstring(std::to_string(base::toUnix(event.at)))
        + netstring(event.actor) + netstring(event.action) + netstring(event.object) + netstring(event.details)
        + netstring(entry.previous);
    if (const auto &recorded = entry.recorded)
        bytes += netstring(std::to_string(base::toUnix(recorded->real))) + netstring(std::to_string(recorded->steady))
            + netstring(recorded->boot);
    return base::sha256Hex(bytes);
}

bool isWrittenApart(const AuditEntry &entry)
{
    return entry.recorded && std::chrono::abs(entry.recorded->real - entry.event.at) >= kSameTime;
}

std::vector<ClockSetBack> clockSetBacks(const std::vector<AuditEntry> &entries)
{
    std::vector<ClockSetBack> out;
    for (std::size_t i = 1; i < entries.size(); ++i) {
        const auto &before = entries[i - 1].recorded, &after = entries[i].recorded;
        if (!before || !after)
            continue;
        const base::Seconds step = base::clockStep(*before, *after).value_or(after->real - before->real);
        if (step <= -kSameTime)
            out.push_back({entries[i].sequence, -step});
    }
    return out;
}

Result<AuditEntry> appendAudit(Database &database, const AuditEvent &event, const base::ClockReading &now)
{
    AuditEntry entry{1, event, {}, {}, now};
    Statement last = database.statement("SELECT sequence, hash FROM audit_entry ORDER BY sequence DESC LIMIT 1");
    GPULEDGER_TRY(last.each([&] {
        entry.sequence = last.integer(0) + 1;
        entry.previous = last.text(1);
    }));
    entry.hash = hashOf(entry);
    Statement add =
        database.statement("INSERT INTO audit_entry (sequence, at, actor, action, object, details, previous,"
                           " hash, recorded_at, steady, boot)"
                           " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)");
    add.bind(1, entry.sequence).bind(2, base::toUnix(event.at)).bind(3, event.actor).bind(4, event.action);
    add.bind(5, event.object).bind(6, event.details).bind(7, entry.previous).bind(8, entry.hash);
    add.bind(9, base::toUnix(now.real)).bind(10, now.steady).bind(11, now.boot);
    GPULEDGER_TRY(add.run());
    Statement head = database.statement("INSERT INTO meta (key, value) VALUES ('audit_head', ?1)"
                                        " ON CONFLICT (key) DO UPDATE SET value = excluded.value");
    GPULEDGER_TRY(head.bind(1, headOf(entry)).run());
    return entry;
}

Result<std::vector<AuditEntry>> readAudit(Database &database)
{
    std::vector<AuditEntry> entries;
    auto s = entriesOf(database);
    GPULEDGER_TRY(s);
    GPULEDGER_TRY(s->each([&] { entries.push_back(entryAt(*s)); }));
    return entries;
}

Result<void> checkAudit(Database &database, const std::function<void(std::string)> &tell)
{
    std::string head;
    Statement kept = database.statement("SELECT value FROM meta WHERE key = 'audit_head'");
    GPULEDGER_TRY(kept.each([&] { head = kept.text(0); }));
    AuditEntry last;
    bool holds = true;
    auto s = entriesOf(database);
    GPULEDGER_TRY(s);
    GPULEDGER_TRY(s->each([&] {
        AuditEntry entry = entryAt(*s);
        // After the first bad entry, the following ones would only repeat the finding.
        if (holds && entry.sequence != last.sequence + 1)
            tell("entry " + std::to_string(last.sequence + 1) + " is not where it belongs");
        else if (holds && (entry.previous != last.hash || hashOf(entry) != entry.hash))
            tell("entry " + std::to_string(entry.sequence) + " is not what was written");
        else if (const std::string wrong = holds ? wrongTime(last, entry) : std::string(); !wrong.empty())
            tell(wrong);
        holds =
            holds && entry.sequence == last.sequence + 1 && entry.previous == last.hash && hashOf(entry) == entry.hash;
        last = std::move(entry);
    }));
    if (holds && head != (last.sequence == 0 ? std::string() : headOf(last)))
        tell("it ends with entry " + std::to_string(last.sequence) + ", which was not the last one");
    return {};
}

} // namespace gpuledger::store
