// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/billing/billingservice.h"

#include "app/base/remedy.h"
#include "app/base/text/text.h"
#include "app/reports/documents/journal.h"
#include "app/reports/files/reportmonth.h"
#include "app/reports/months/keptaccounts.h"
#include "app/reports/months/statementdetail.h"
#include "app/services/billing/billingperiods.h"
#include "app/services/billing/statementbudgets.h"
#include "app/services/engine/engine.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

namespace gpuledger::services {

using base::ErrorCode;
using base::Result;
using reports::MonthState;
using reports::MonthStatus;
using reports::Objection;
using reports::SignOff;
using store::MonthStore;

namespace {

constexpr int kSigningTries = 5; // if others write between looking and signing
constexpr char kAccountsKey[] = "accounts"; // in the details of a close
constexpr std::array kViews{reports::CostView::Billed, reports::CostView::Effective};

// Normalizes a reason to one line of text, or none.
Result<std::string> writtenReason(const std::string &text)
{
    const auto isSpace = [](char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; };
    auto first = std::find_if_not(text.begin(), text.end(), isSpace);
    auto last = std::find_if_not(text.rbegin(), text.rend(), isSpace).base();
    std::string reason = first < last ? std::string(first, last) : std::string();
    if (reason.size() > BillingService::kLongestReason)
        return base::fail(ErrorCode::InvalidArgument,
                          "the reason is longer than " + std::to_string(BillingService::kLongestReason) + " bytes",
                          base::Remedy::ShortenReason);
    std::replace_if(reason.begin(), reason.end(), isSpace, ' ');
    return base::printable(reason, 3 * BillingService::kLongestReason);
}

std::string detailsOfReview(const std::string &figures)
{
    return nlohmann::ordered_json{{"figures", figures}}.dump();
}

std::string detailsOfReview(const std::string &team, const std::string &figures)
{
    return nlohmann::ordered_json{{"team", team}, {"figures", figures}}.dump(
        -1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

// Accounts are stored if they suffice for journals: a team that has none today may need one tomorrow.
bool makesJournals(const model::ChargebackSettings &accounts, const reports::ClosedMonth &closing)
{
    return std::all_of(kViews.begin(), kViews.end(), [&](reports::CostView view) {
        const auto statement = reports::makeStatement(closing.record, {}, view, {});
        return statement && reports::journalOf(*statement, accounts);
    });
}

// `accounts`: to be stored; null: none.
std::string detailsOfClose(const MonthStatus &closed, const std::vector<Objection> &objections,
                           const model::ChargebackSettings *accounts)
{
    nlohmann::ordered_json json{{"hash", closed.hash}, {"reason", closed.reason}};
    json["objections"] = nlohmann::ordered_json::array();
    for (const Objection &objection : objections)
        json["objections"].push_back(std::string(reports::toString(objection.kind)));
    if (accounts)
        json[kAccountsKey] = nlohmann::ordered_json::parse(reports::textOf(*accounts));
    return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

// The accounts in the entry that closed the month. std::nullopt: it was closed without accounts. Fails with
// StorageCorrupt.
Result<std::optional<model::ChargebackSettings>> accountsKept(const std::vector<store::AuditEntry> &log,
                                                              const insight::Month &month)
{
    const auto entry = std::find_if(log.begin(), log.end(), [&](const store::AuditEntry &one) {
        return one.event.action == store::kCloseMonth && one.event.object == insight::toString(month);
    });
    const bool isWhole = entry != log.end() && store::hashOf(*entry) == entry->hash;
    const auto details = nlohmann::ordered_json::parse(isWhole ? entry->event.details : "", nullptr, false);
    if (details.is_object() && !details.contains(kAccountsKey))
        return std::nullopt;
    auto accounts = details.is_object() ? reports::accountsOf(details[kAccountsKey].dump()) : std::nullopt;
    if (!accounts)
        return base::fail(ErrorCode::StorageCorrupt,
                          "the log entry for the close of " + insight::toString(month)
                              + " was changed after it was written",
                          base::Remedy::RestoreDataFolder);
    return accounts;
}

bool isRefused(const std::vector<Objection> &objections, const std::string &reason)
{
    return std::any_of(objections.begin(), objections.end(),
                       [&](const Objection &objection) { return !objection.yieldsToReason() || reason.empty(); });
}

// All lines of the month's ledger, day by day.
Result<void> visitLines(store::LedgerStore &cache, const insight::Month &month, const reports::LineVisitor &visit)
{
    auto cube = cache.cube();
    GPULEDGER_TRY(cube);
    const base::TimeRange range = month.range();
    return (*cube)->ledger(base::dayOf(range.start), base::dayOf(range.end - base::Seconds{1}), visit);
}

// Everything that is stored of a month, in its current state.
Result<reports::ClosedMonth> closingOf(BillingPeriods &book, const MonthStatus &now, std::string actor,
                                       std::string reason)
{
    auto record = book.live(now.month);
    GPULEDGER_TRY(record);
    GPULEDGER_TRY(book.addBefore(*record));
    GPULEDGER_TRY(book.addWorkloads(*record));
    GPULEDGER_TRY(book.addPast(*record));
    auto rules = book.rules();
    GPULEDGER_TRY(rules);
    reports::ClosedMonth out{std::move(*record), std::move(actor), std::move(reason), now.objections, {},
                             std::move(*rules)};
    if (now.state == MonthState::Reviewed)
        out.review = MonthStatus::Review{*now.at, now.by};
    return out;
}

// std::nullopt: someone else closed the month, or changed something; look again.
Result<std::optional<MonthStatus>> closeAs(store::LedgerStore &cache, const reports::ClosedMonth &closing,
                                           const model::ChargebackSettings &accounts, std::int64_t generation)
{
    const insight::Month &month = closing.record.month;
    auto texts =
        reports::encode(closing, [&](const reports::LineVisitor &visit) { return visitLines(cache, month, visit); });
    GPULEDGER_TRY(texts);
    const std::string name = insight::toString(month);
    MonthStatus closed =
        reports::statusOf(closing, store::hashOf(static_cast<std::int64_t>(texts->figureCount), texts->rows));
    const auto done = cache.months().close(
        {name, std::move(texts->rows), texts->figureCount},
        {closing.record.made, closing.by, store::kCloseMonth, name,
         detailsOfClose(closed, closing.objections, makesJournals(accounts, closing) ? &accounts : nullptr)},
        generation);
    GPULEDGER_TRY(done);
    if (*done != MonthStore::Outcome::Done)
        return std::nullopt;
    return closed;
}

Result<void> inReport(const reports::KeptMonth &report, const insight::Month &month)
{
    if (report.record.month == month)
        return {};
    return base::fail(ErrorCode::NotFound,
                      "this is the report of " + insight::toString(report.record.month) + ": it contains nothing about "
                          + insight::toString(month),
                      base::Remedy::OmitMonthOfReport);
}

tl::unexpected<base::Error> stillChanging(const insight::Month &month)
{
    return base::fail(ErrorCode::StorageBusy, "the figures of " + insight::toString(month) + " keep changing",
                      base::Remedy::WaitForSync);
}

} // namespace

Result<std::vector<MonthStatus>> BillingService::months()
{
    if (m_engine.options().report)
        return std::vector<MonthStatus>{m_engine.options().report->status};
    return ofOneState(m_engine.cache(), [&]() -> Result<std::vector<MonthStatus>> {
        BillingPeriods book(m_engine.cache(), m_engine.setup(), m_engine.catalog(), m_engine.clock().now());
        GPULEDGER_TRY(book.read());
        return book.statuses();
    });
}

Result<MonthStatus> BillingService::monthStatus(const insight::Month &month)
{
    if (m_engine.options().report) {
        GPULEDGER_TRY(inReport(*m_engine.options().report, month));
        MonthStatus status = m_engine.options().report->status;
        if (status.state != MonthState::Closed)
            status.figures = reports::figuresHash(m_engine.options().report->record);
        return status;
    }
    return ofOneState(m_engine.cache(), [&]() -> Result<MonthStatus> {
        BillingPeriods book(m_engine.cache(), m_engine.setup(), m_engine.catalog(), m_engine.clock().now());
        GPULEDGER_TRY(book.read());
        return book.status(month);
    });
}

Result<reports::Statement> BillingService::statement(const insight::Month &month, reports::CostView view,
                                                     const std::string &team)
{
    if (m_engine.options().report) {
        GPULEDGER_TRY(inReport(*m_engine.options().report, month));
        return reports::makeStatement(m_engine.options().report->record, m_engine.options().report->status, view, team);
    }
    return ofOneState(m_engine.cache(), [&]() -> Result<reports::Statement> {
        BillingPeriods book(m_engine.cache(), m_engine.setup(), m_engine.catalog(), m_engine.clock().now());
        GPULEDGER_TRY(book.read());
        const auto kept = book.kept(month);
        GPULEDGER_TRY(kept);
        return reports::makeStatement(kept->record, kept->status, view, team);
    });
}

Result<reports::Statement> BillingService::previewSharing(const insight::Month &month, reports::CostView view,
                                                          const reports::SharingRules &rules)
{
    return ofOneState(m_engine.cache(), [&]() -> Result<reports::Statement> {
        BillingPeriods book(m_engine.cache(), m_engine.setup(), m_engine.catalog(), m_engine.clock().now());
        GPULEDGER_TRY(book.read());
        if (book.isClosed(month)) {
            auto closed = book.closed(month, MonthStore::Rows::All);
            GPULEDGER_TRY(closed);
            closed->record.sharing = rules;
            return reports::makeStatement(closed->record, reports::statusOf(*closed, book.hashOf(month)), view, {});
        }
        auto record = book.live(month);
        GPULEDGER_TRY(record);
        GPULEDGER_TRY(book.addBefore(*record));
        record->sharing = rules;
        return reports::makeStatement(*record, book.statusOf(*record), view, {});
    });
}

Result<std::vector<reports::StatementBudget>> BillingService::budgets(const reports::Statement &statement)
{
    return statementBudgets(*this, m_engine, statement);
}

Result<reports::StatementDetail> BillingService::statementDetail(const insight::Month &month, reports::CostView view)
{
    const auto withBudgets = [&](Result<reports::StatementDetail> detail) -> Result<reports::StatementDetail> {
        GPULEDGER_TRY(detail);
        auto found = budgets(detail->statement);
        GPULEDGER_TRY(found);
        detail->statement.budgets = std::move(*found);
        return detail;
    };
    if (m_engine.options().report) {
        GPULEDGER_TRY(inReport(*m_engine.options().report, month));
        return withBudgets(
            reports::makeDetail(m_engine.options().report->record, m_engine.options().report->status, view));
    }
    return ofOneState(m_engine.cache(), [&]() -> Result<reports::StatementDetail> {
        BillingPeriods book(m_engine.cache(), m_engine.setup(), m_engine.catalog(), m_engine.clock().now());
        GPULEDGER_TRY(book.read());
        const auto kept = book.kept(month, true);
        GPULEDGER_TRY(kept);
        return withBudgets(reports::makeDetail(kept->record, kept->status, view));
    });
}

Result<reports::JournalAccounts> BillingService::journalAccounts(const insight::Month &month)
{
    using Origin = reports::JournalAccounts::Origin;
    const model::ChargebackSettings &configured = m_engine.setup().settings.chargeback;
    const auto status = monthStatus(month);
    GPULEDGER_TRY(status);
    if (status->state != MonthState::Closed || m_engine.options().report) // a report has no log
        return reports::JournalAccounts{configured, Origin::Configured};
    const auto log = m_engine.cache().months().audit();
    GPULEDGER_TRY(log);
    const auto found = accountsKept(*log, month);
    GPULEDGER_TRY(found);
    const auto &kept = *found;
    if (!kept)
        return reports::JournalAccounts{configured, Origin::NotKept};
    const bool isSame = reports::textOf(*kept) == reports::textOf(configured);
    return reports::JournalAccounts{*kept, isSame ? Origin::Kept : Origin::KeptOthers};
}

Result<SignOff> BillingService::reviewMonth(const insight::Month &month, const std::string &seen)
{
    GPULEDGER_TRY(m_engine.refuseInReport());
    for (int i = 0; i < kSigningTries; ++i) {
        const auto generation = m_engine.cache().generation();
        GPULEDGER_TRY(generation);
        auto now = monthStatus(month);
        GPULEDGER_TRY(now);
        if (now->state == MonthState::Closed)
            return SignOff{SignOff::Outcome::AlreadyClosed, std::move(*now)};
        if (std::any_of(now->objections.begin(), now->objections.end(),
                        [](const Objection &objection) { return !objection.yieldsToReason(); }))
            return SignOff{SignOff::Outcome::Refused, std::move(*now)};
        if (!seen.empty() && seen != now->figures)
            return SignOff{SignOff::Outcome::FiguresChanged, std::move(*now)};
        const store::StoredReview review{insight::toString(month), m_engine.clock().now(), m_engine.actor(),
                                         now->figures};
        const auto done = m_engine.cache().months().review(
            review, {review.at, review.by, store::kReviewMonth, review.month, detailsOfReview(review.figures)},
            *generation);
        GPULEDGER_TRY(done);
        if (*done == MonthStore::Outcome::Changed)
            continue;
        now = monthStatus(month);
        GPULEDGER_TRY(now);
        return SignOff{*done == MonthStore::Outcome::Done ? SignOff::Outcome::Done : SignOff::Outcome::AlreadyClosed,
                       std::move(*now)};
    }
    return stillChanging(month);
}

Result<SignOff> BillingService::reviewTeam(const insight::Month &month, const std::string &team,
                                           const std::string &seen)
{
    GPULEDGER_TRY(m_engine.refuseInReport());
    for (int i = 0; i < kSigningTries; ++i) {
        const auto generation = m_engine.cache().generation();
        GPULEDGER_TRY(generation);
        auto now = monthStatus(month);
        GPULEDGER_TRY(now);
        if (now->state == MonthState::Closed)
            return SignOff{SignOff::Outcome::AlreadyClosed, std::move(*now), team};
        if (std::any_of(now->objections.begin(), now->objections.end(),
                        [](const Objection &objection) { return !objection.yieldsToReason(); }))
            return SignOff{SignOff::Outcome::Refused, std::move(*now), team};
        const auto standing = now->teams.find(team);
        if (standing == now->teams.end())
            return base::fail(ErrorCode::NotFound,
                              "no team \"" + base::printable(team, 64) + "\" has figures in "
                                  + insight::toString(month),
                              "see the teams with: gpuledger-cli showback --month " + insight::toString(month));
        const std::string figures = standing->second.figures;
        if (!seen.empty() && seen != figures)
            return SignOff{SignOff::Outcome::FiguresChanged, std::move(*now), team};
        const store::StoredTeamReview one{{insight::toString(month), m_engine.clock().now(), m_engine.actor(), figures},
                                          team};
        const auto done = m_engine.cache().months().reviewTeam(
            one, {one.review.at, one.review.by, store::kReviewTeam, one.review.month, detailsOfReview(team, figures)},
            *generation);
        GPULEDGER_TRY(done);
        if (*done == MonthStore::Outcome::Changed)
            continue;
        now = monthStatus(month);
        GPULEDGER_TRY(now);
        return SignOff{*done == MonthStore::Outcome::Done ? SignOff::Outcome::Done : SignOff::Outcome::AlreadyClosed,
                       std::move(*now), team};
    }
    return stillChanging(month);
}

Result<SignOff> BillingService::closeMonth(const insight::Month &month, const std::string &reason,
                                           const std::string &seen)
{
    GPULEDGER_TRY(m_engine.refuseInReport());
    const auto written = writtenReason(reason);
    GPULEDGER_TRY(written);
    for (int i = 0; i < kSigningTries; ++i) {
        const auto generation = m_engine.cache().generation();
        GPULEDGER_TRY(generation);
        BillingPeriods book(m_engine.cache(), m_engine.setup(), m_engine.catalog(), m_engine.clock().now());
        GPULEDGER_TRY(book.read());
        auto now = book.status(month);
        GPULEDGER_TRY(now);
        if (now->state == MonthState::Closed)
            return SignOff{SignOff::Outcome::AlreadyClosed, std::move(*now)};
        if (isRefused(now->objections, *written))
            return SignOff{SignOff::Outcome::Refused, std::move(*now)};
        if (!seen.empty() && seen != now->figures)
            return SignOff{SignOff::Outcome::FiguresChanged, std::move(*now)};
        const auto closing = closingOf(book, *now, m_engine.actor(), *written);
        GPULEDGER_TRY(closing);
        auto closed = closeAs(m_engine.cache(), *closing, m_engine.setup().settings.chargeback, *generation);
        GPULEDGER_TRY(closed);
        if (*closed)
            return SignOff{SignOff::Outcome::Done, std::move(**closed)};
    }
    return stillChanging(month);
}

} // namespace gpuledger::services
