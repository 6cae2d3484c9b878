// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/base/crypto/sha256.h"
#include "app/store/months/monthextract.h"
#include "app/store/months/monthstore.h"
#include "app/store/sqlite/checksum.h"
#include "app/store/sqlite/database.h"

#include <nlohmann/json.hpp>

#include <map>

namespace gpuledger::store {

using base::Result;

namespace {

using Tell = std::function<void(std::string, std::string)>;

struct Close {
    std::int64_t figures = 0, rows = 0;
    std::string hash;
    // What was found:
    std::int64_t found = 0;
    base::Sha256 sum;
    bool inOrder = true;
};
using Closes = std::map<std::string, Close>;

Result<void> checkRows(Database &database, Closes &closes, const Tell &tell)
{
    Statement s = database.statement("SELECT month, number, content, checksum FROM closed_row ORDER BY month, number");
    return s.each([&] {
        const std::string month = s.text(0), content = s.text(2);
        const auto it = closes.find(month);
        if (it == closes.end()) {
            tell("closed_row", "a row of " + month + ", which is not closed");
            return;
        }
        Close &close = it->second;
        close.inOrder = close.inOrder && s.integer(1) == close.found;
        ++close.found;
        close.sum.add(content);
        close.sum.add("\n");
        if (s.integer(3) != checksum(month + '\n' + content, s.integer(1)))
            tell("closed_row", "the closed month " + month + ": row " + std::to_string(s.integer(1)) + " is damaged");
    });
}

std::string textIn(const nlohmann::json &json, const char *key)
{
    const auto it = json.is_object() ? json.find(key) : json.end();
    return it != json.end() && it->is_string() ? it->get<std::string>() : std::string();
}

// What the log contains about months, latest entry first: the hash of a close, everything of a review.
struct Logged {
    std::map<std::string, std::string> closes;
    std::map<std::string, std::string> reviews; // at, by, figures
    std::map<std::string, std::string> teamReviews; // the same, by ofTeam()
};

std::string ofTeam(const std::string &month, const std::string &team)
{
    return month + " of team " + team;
}

std::string reviewText(base::UtcTime at, const std::string &by, const std::string &figures)
{
    return std::to_string(base::toUnix(at)) + '\n' + by + '\n' + figures;
}

Result<Logged> logged(Database &database, const Tell &tell)
{
    const auto entries = readAudit(database);
    GPULEDGER_TRY(entries);
    Logged log;
    for (const AuditEntry &entry : *entries) {
        const AuditEvent &event = entry.event;
        const nlohmann::json details = nlohmann::json::parse(event.details, nullptr, false);
        if (event.action == kCloseMonth && !log.closes.emplace(event.object, textIn(details, "hash")).second)
            tell("audit_entry", event.object + " was closed twice");
        if (event.action == kReviewMonth)
            log.reviews[event.object] = reviewText(event.at, event.actor, textIn(details, "figures"));
        if (event.action == kReviewTeam)
            log.teamReviews[ofTeam(event.object, textIn(details, "team"))] =
                reviewText(event.at, event.actor, textIn(details, "figures"));
    }
    return log;
}

// `sql` (a literal) selects: what was reviewed, at, by, figures.
Result<void> checkReviews(Database &database, const std::string &table, std::string_view sql,
                          std::map<std::string, std::string> expected, const Tell &tell)
{
    Statement s = database.statement(sql);
    GPULEDGER_TRY(s.each([&] {
        const auto it = expected.find(s.text(0));
        if (it == expected.end() || it->second != reviewText(base::fromUnix(s.integer(1)), s.text(2), s.text(3)))
            tell(table, "the review of " + s.text(0) + " is not what the log says");
        if (it != expected.end())
            expected.erase(it);
    }));
    for (const auto &[what, review] : expected)
        tell(table, "the review of " + what + " is gone");
    return {};
}

} // namespace

Result<void> checkMonths(Database &database, const Tell &tell)
{
    Closes closes;
    Statement s = database.statement("SELECT month, figure_count, row_count, hash FROM month_close");
    GPULEDGER_TRY(s.each([&] {
        Close &close = closes[s.text(0)];
        close.figures = s.integer(1);
        close.rows = s.integer(2);
        close.hash = s.text(3);
        close.sum.add(std::to_string(close.figures) + '\n');
    }));
    GPULEDGER_TRY(checkRows(database, closes, tell));
    GPULEDGER_TRY(checkAudit(database, [&](std::string what) { tell("audit_entry", std::move(what)); }));
    const auto cut = cutOf(database);
    GPULEDGER_TRY(cut);
    const bool hasLog = !*cut; // it covers all months, so an extract has none
    auto log = logged(database, tell);
    GPULEDGER_TRY(log);
    for (const auto &[month, close] : closes) {
        if (!close.inOrder || close.found != close.rows || close.sum.hex() != close.hash)
            tell("month_close", "the closed month " + month + " is not what was closed: its hash differs");
        const auto it = log->closes.find(month);
        if (hasLog && (it == log->closes.end() || it->second != close.hash))
            tell("month_close", "the close of " + month + " is not what the log says");
        if (it != log->closes.end())
            log->closes.erase(it);
    }
    for (const auto &[month, hash] : log->closes)
        tell("month_close", "the closed month " + month + " is gone");
    if (!hasLog)
        return {};
    GPULEDGER_TRY(checkReviews(database, "month_review",
                               "SELECT month, reviewed_at, reviewed_by, figures FROM month_review",
                               std::move(log->reviews), tell));
    return checkReviews(database, "team_review",
                        "SELECT month || ' of team ' || team, reviewed_at, reviewed_by, figures FROM team_review",
                        std::move(log->teamReviews), tell);
}

} // namespace gpuledger::store
