// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/store/auditlog.h"

#include "app/base/sha256.h"
#include "app/store/database.h"

namespace gpuledger::store {

using base::Result;

namespace {

constexpr std::string_view kColumns =
    "SELECT sequence, at, actor, action, object, details, previous, hash FROM audit_entry ORDER BY sequence";

std::string netstring(const std::string &bytes)
{
    return std::to_string(bytes.size()) + ':' + bytes + ',';
}

AuditEntry entryAt(const Statement &s)
{
    return {
        s.integer(0), {base::fromUnix(s.integer(1)), s.text(2), s.text(3), s.text(4), s.text(5)}, s.text(6), s.text(7)};
}

std::string headOf(const AuditEntry &last)
{
    return std::to_string(last.sequence) + ' ' + last.hash;
}

} // namespace

std::string hashOf(const AuditEntry &entry)
{
    const AuditEvent &event = entry.event;
    return base::sha256Hex(netstring(std::to_string(entry.sequence)) + netstring(std::to_string(base::toUnix(event.at)))
                           + netstring(event.actor) + netstring(event.action) + netstring(event.object)
                           + netstring(event.details) + netstring(entry.previous));
}

Result<AuditEntry> appendAudit(Database &database, const AuditEvent &event)
{
    AuditEntry entry{1, event, {}, {}};
    Statement last = database.statement("SELECT sequence, hash FROM audit_entry ORDER BY sequence DESC LIMIT 1");
    GPULEDGER_TRY(last.each([&] {
        entry.sequence = last.integer(0) + 1;
        entry.previous = last.text(1);
    }));
    entry.hash = hashOf(entry);
    Statement add =
        database.statement("INSERT INTO audit_entry (sequence, at, actor, action, object, details, previous,"
                           " hash) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)");
    add.bind(1, entry.sequence).bind(2, base::toUnix(event.at)).bind(3, event.actor).bind(4, event.action);
    add.bind(5, event.object).bind(6, event.details).bind(7, entry.previous).bind(8, entry.hash);
    GPULEDGER_TRY(add.run());
    Statement head = database.statement("INSERT INTO meta (key, value) VALUES ('audit_head', ?1)"
                                        " ON CONFLICT (key) DO UPDATE SET value = excluded.value");
    GPULEDGER_TRY(head.bind(1, headOf(entry)).run());
    return entry;
}

Result<std::vector<AuditEntry>> readAudit(Database &database)
{
    std::vector<AuditEntry> entries;
    Statement s = database.statement(kColumns);
    GPULEDGER_TRY(s.each([&] { entries.push_back(entryAt(s)); }));
    return entries;
}

Result<void> checkAudit(Database &database, const std::function<void(std::string)> &tell)
{
    std::string head;
    Statement kept = database.statement("SELECT value FROM meta WHERE key = 'audit_head'");
    GPULEDGER_TRY(kept.each([&] { head = kept.text(0); }));
    AuditEntry last;
    bool holds = true;
    Statement s = database.statement(kColumns);
    GPULEDGER_TRY(s.each([&] {
        AuditEntry entry = entryAt(s);
        // What follows the first bad entry is measured by it, and would only repeat it.
        if (holds && entry.sequence != last.sequence + 1)
            tell("entry " + std::to_string(last.sequence + 1) + " is not where it belongs");
        else if (holds && (entry.previous != last.hash || hashOf(entry) != entry.hash))
            tell("entry " + std::to_string(entry.sequence) + " is not what was written");
        holds =
            holds && entry.sequence == last.sequence + 1 && entry.previous == last.hash && hashOf(entry) == entry.hash;
        last = std::move(entry);
    }));
    if (holds && head != (last.sequence == 0 ? std::string() : headOf(last)))
        tell("it ends with entry " + std::to_string(last.sequence) + ", which was not the last one");
    return {};
}

} // namespace gpuledger::store
