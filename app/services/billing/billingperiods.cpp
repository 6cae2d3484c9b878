// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/billing/billingperiods.h"

#include "app/insight/heatmap/heatmap.h"
#include "app/reports/sharing/neighbours.h"
#include "app/services/config/config.h"
#include "app/services/reports/reportsettings.h"
#include "app/services/spend/doublecounts.h"
#include "app/services/spend/ledgeranswers.h"

#include <algorithm>
#include <set>

namespace gpuledger::services {

using base::Result;
using insight::Month;
using reports::ClosedMonth;
using reports::MonthAdjustment;
using reports::MonthFigures;
using reports::MonthRecord;
using reports::MonthState;
using reports::MonthStatus;
using store::MonthStore;

namespace {

// True if a noticeable part of it is missing from a source that was fetched at all.
bool isPartOf(const std::vector<store::FetchedRanges> &sources, base::TimeRange range)
{
    return std::any_of(sources.begin(), sources.end(), [&](const store::FetchedRanges &one) {
        return !one.ranges.empty() && one.shareOf(range) < insight::kCoverageShownBelow;
    });
}

Month after(const Month &month)
{
    return month.number < 12 ? Month{month.year, month.number + 1} : Month{month.year + 1, 1};
}

// Skips months for which no statement can be requested.
template <typename Stored, typename Value>
void put(const std::vector<Stored> &from, std::map<Month, Value> &to, Value Stored::*value)
{
    for (const Stored &one : from) {
        if (const auto month = insight::monthFromString(one.month))
            to[*month] = one.*value;
    }
}

template <typename Stored> void put(const std::vector<Stored> &from, std::map<Month, Stored> &to)
{
    for (const Stored &one : from) {
        if (const auto month = insight::monthFromString(one.month))
            to[*month] = one;
    }
}

} // namespace

BillingPeriods::BillingPeriods(store::LedgerStore &cache, const Setup &setup, const ports::SourceCatalog &catalog,
                               base::UtcTime now)
    : m_cache(cache)
    , m_setup(setup)
    , m_catalog(catalog)
    , m_now(now)
{
}

Result<void> BillingPeriods::read()
{
    MonthStore months = m_cache.months();
    const auto lines = months.ledgerMonths();
    GPULEDGER_TRY(lines);
    const auto closes = months.closes();
    GPULEDGER_TRY(closes);
    const auto reviews = months.reviews();
    GPULEDGER_TRY(reviews);
    put(*lines, m_lines, &store::StoredMonth::hasMoney);
    put(*closes, m_closes);
    put(*reviews, m_reviews);
    const auto teams = months.teamReviews();
    GPULEDGER_TRY(teams);
    for (const store::StoredTeamReview &one : *teams) {
        if (const auto month = insight::monthFromString(one.review.month))
            m_teamReviews[*month][one.team] = one.review;
    }
    return {};
}

std::string BillingPeriods::hashOf(const Month &month) const
{
    const auto it = m_closes.find(month);
    return it == m_closes.end() ? std::string() : it->second.hash;
}

Month BillingPeriods::current() const
{
    return insight::monthFromString(base::toRfc3339(m_now).substr(0, 7)).value_or(Month{});
}

Month BillingPeriods::openAfter(const Month &closed) const
{
    Month month = after(closed);
    const Month last = current();
    while (isClosed(month) || (!hasLines(month) && month < last))
        month = after(month);
    return month;
}

Result<MonthFigures> BillingPeriods::liveFigures(const Month &month)
{
    auto cube = m_cache.cube();
    GPULEDGER_TRY(cube);
    MonthFigures figures;
    const base::TimeRange range = month.range();
    GPULEDGER_TRY((*cube)->ledger(base::dayOf(range.start), base::dayOf(range.end - base::Seconds{1}),
                                  [&](base::Day, const model::LedgerKey &key, const model::LedgerAmounts &amounts) {
                                      return reports::addTo(figures, key, amounts, m_setup.settings.currency);
                                  }));
    return figures;
}

Result<std::vector<MonthAdjustment>> BillingPeriods::adjustments(const Month &month)
{
    std::vector<MonthAdjustment> all;
    if (std::none_of(m_closes.begin(), m_closes.end(),
                     [&](const auto &close) { return openAfter(close.first) == month; }))
        return all;
    std::map<Month, ClosedMonth> closes;
    std::map<Month, std::vector<MonthAdjustment>> told;
    for (const auto &[closed, stored] : m_closes) {
        auto record = this->closed(closed, MonthStore::Rows::Figures);
        GPULEDGER_TRY(record);
        for (const MonthAdjustment &one : record->record.adjustments)
            told[one.of].push_back(one);
        closes.emplace(closed, std::move(*record));
    }
    for (const auto &[closed, record] : closes) {
        if (openAfter(closed) != month)
            continue;
        const auto then = reports::figuresOf(record.record.after.rows);
        GPULEDGER_TRY(then);
        const auto now = liveFigures(closed);
        GPULEDGER_TRY(now);
        const auto left = reports::adjustmentsOf(closed, record.record.made, *then, *now, told[closed]);
        GPULEDGER_TRY(left);
        all.insert(all.end(), left->begin(), left->end());
    }
    return all;
}

Result<ClosedMonth> BillingPeriods::closed(const Month &month, MonthStore::Rows which)
{
    const auto rows = m_cache.months().closedRows(insight::toString(month), which);
    GPULEDGER_TRY(rows);
    if (which == MonthStore::Rows::Figures)
        return reports::decode(*rows);
    const auto figures = reports::figureCountOf(rows->front());
    GPULEDGER_TRY(figures);
    return reports::decode(
        {rows->begin(), rows->begin() + static_cast<std::ptrdiff_t>(std::min(*figures, rows->size()))});
}

Result<insight::LedgerAnswer> BillingPeriods::rows(const Month &month, std::vector<insight::LedgerDimension> by)
{
    insight::LedgerQuery query;
    query.range = month.range();
    query.by = std::move(by);
    return ledgerOf(m_cache, m_setup, query);
}

Result<MonthRecord> BillingPeriods::live(const Month &month)
{
    if (m_live && m_live->month == month)
        return *m_live;
    MonthRecord record;
    record.month = month;
    record.made = m_now;
    record.report = m_setup.settings.currency;
    record.sharing = reports::sharingRules(m_setup.settings);
    auto facts = m_cache.facts();
    GPULEDGER_TRY(facts);
    const auto covered = (*facts)->coveredRange();
    GPULEDGER_TRY(covered);
    record.covered = *covered;
    const auto sources = fetched();
    GPULEDGER_TRY(sources);
    record.fetchedInPart = isPartOf(*sources, month.range()) || isPartOf(*sources, reports::before(month).range());
    auto own = rows(month, reports::statementDimensions());
    GPULEDGER_TRY(own);
    record.after = std::move(*own);
    auto told = adjustments(month);
    GPULEDGER_TRY(told);
    record.adjustments = std::move(*told);
    m_live = record;
    return record;
}

Result<void> BillingPeriods::addBefore(MonthRecord &to)
{
    const Month last = reports::before(to.month);
    auto now = rows(last, reports::statementDimensions());
    GPULEDGER_TRY(now);
    if (!isClosed(last)) {
        to.before = std::move(*now);
        return {};
    }
    auto then = closed(last, MonthStore::Rows::Figures);
    GPULEDGER_TRY(then);
    auto byOldRules = rowsByRules(last, then->rules, *now);
    GPULEDGER_TRY(byOldRules);
    to.before = std::move(then->record.after);
    to.reportBefore = then->record.report;
    to.restated = reports::RestatedMonth{std::move(*now), std::move(*byOldRules)};
    return {};
}

// A month by rules other than the current ones, from its current facts. std::nullopt: these rules are unknown, or would
// not yield the same figures in this program.
Result<std::optional<insight::LedgerAnswer>> BillingPeriods::rowsByRules(const Month &month,
                                                                         const std::optional<reports::KeptRules> &rules,
                                                                         const insight::LedgerAnswer &now)
{
    using Rows = std::optional<insight::LedgerAnswer>;
    if (!rules)
        return Rows();
    if (rules->id == m_setup.ledger->fingerprint())
        return Rows(now);
    ParsedConfig parsed = parseConfig(rules->text, "/", {}); // without sources
    if (!parsed.problems.empty())
        return Rows();
    auto ledger = ledger::Ledger::create(parsed.settings);
    if (!ledger || (*ledger)->fingerprint() != rules->id)
        return Rows();
    const Setup then{std::move(parsed.settings), m_setup.zone, std::move(*ledger)};
    insight::LedgerQuery query;
    query.range = month.range();
    query.by = reports::statementDimensions();
    auto answer = ledgerFrom(
        then, query,
        [&](base::Day first, base::Day last, const store::LedgerVisitor &visit) -> Result<void> {
            auto facts = m_cache.facts();
            GPULEDGER_TRY(facts);
            return then.ledger->linesInDetail(first, last, insight::detailOf(query), **facts, visit);
        },
        m_cache, store::LedgerStore::BillCheck::Kept);
    GPULEDGER_TRY(answer);
    return Rows(std::move(*answer));
}

Result<reports::KeptRules> BillingPeriods::rules() const
{
    auto text = reportSettingsText(m_setup.settings, m_setup.zone.name());
    GPULEDGER_TRY(text);
    return reports::KeptRules{m_setup.ledger->fingerprint(), std::move(*text)};
}

Result<reports::KeptMonth> BillingPeriods::kept(const Month &month, bool withPast)
{
    if (isClosed(month)) {
        auto record = closed(month, MonthStore::Rows::All);
        GPULEDGER_TRY(record);
        MonthStatus status = reports::statusOf(*record, hashOf(month));
        return reports::KeptMonth{std::move(record->record), std::move(status)};
    }
    auto record = live(month);
    GPULEDGER_TRY(record);
    GPULEDGER_TRY(addBefore(*record));
    GPULEDGER_TRY(addWorkloads(*record));
    if (withPast)
        GPULEDGER_TRY(addPast(*record));
    MonthStatus status = statusOf(*record);
    return reports::KeptMonth{std::move(*record), std::move(status)};
}

Result<void> BillingPeriods::addWorkloads(MonthRecord &to)
{
    insight::LedgerQuery workloads, doubts, neighbours;
    workloads.range = doubts.range = neighbours.range = to.month.range();
    workloads.by = reports::workloadDimensions();
    doubts.by = reports::doubtDimensions();
    neighbours.by = reports::neighbourDimensions();
    auto all = ledgersOf(m_cache, m_setup, {workloads, doubts, neighbours});
    GPULEDGER_TRY(all);
    to.workloads = std::move((*all)[0]);
    to.doubts = std::move((*all)[1]);
    auto possible = reports::possibleOwners((*all)[2]);
    GPULEDGER_TRY(possible);
    to.possible = std::move(*possible);
    std::erase_if(to.doubts->rows, [](const insight::LedgerRow &row) { return !reports::isDoubtful(row); });
    return {};
}

Result<void> BillingPeriods::addPast(MonthRecord &to)
{
    reports::MonthsFigures months;
    for (const Month &month : reports::History::past(to.month)) {
        if (isClosed(month)) {
            const auto then = closed(month, MonthStore::Rows::Figures);
            GPULEDGER_TRY(then);
            auto figures = reports::figuresOf(then->record.after.rows);
            GPULEDGER_TRY(figures);
            months.emplace(month, std::move(*figures));
        } else if (hasLines(month)) {
            auto figures = liveFigures(month);
            GPULEDGER_TRY(figures);
            months.emplace(month, std::move(*figures));
        }
    }
    const auto statement = reports::makeStatement(to, {}, reports::CostView::Billed, {}); // either view has all teams
    GPULEDGER_TRY(statement);
    auto past = reports::pastFor(*statement, months);
    GPULEDGER_TRY(past);
    to.past = std::move(*past);
    return {};
}

void BillingPeriods::addTeams(MonthStatus &status, const MonthRecord &live, bool asked) const
{
    const auto reviews = m_teamReviews.find(live.month);
    if (!asked && reviews == m_teamReviews.end())
        return;
    for (auto &[team, figures] : reports::teamHashes(live)) {
        MonthStatus::Team &one = status.teams[team];
        one.figures = figures;
        const auto it = reviews == m_teamReviews.end() ? decltype(reviews->second.end())() : reviews->second.find(team);
        if (reviews == m_teamReviews.end() || it == reviews->second.end())
            continue;
        const MonthStatus::Review review{it->second.at, it->second.by};
        const bool isSame = it->second.figures == figures;
        (isSame ? one.review : one.outdated) = review;
        one.state = isSame ? MonthState::Reviewed : MonthState::Draft;
    }
}

MonthStatus BillingPeriods::statusOf(const MonthRecord &live, bool asked) const
{
    MonthStatus status;
    status.month = live.month;
    status.isOver = live.month.range().end <= m_now;
    addTeams(status, live, asked);
    const auto review = m_reviews.find(live.month);
    if (review == m_reviews.end())
        return status;
    const store::StoredReview &stored = review->second;
    if (reports::figuresHash(live) != stored.figures) {
        status.outdated = MonthStatus::Review{stored.at, stored.by};
        return status;
    }
    status.state = MonthState::Reviewed;
    status.at = stored.at;
    status.by = stored.by;
    return status;
}

Result<MonthStatus> BillingPeriods::status(const Month &month)
{
    if (isClosed(month)) {
        const store::StoredClose &stored = m_closes.at(month);
        if (auto status = reports::statusOfHeader(stored.header, stored.hash); status && status->month == month)
            return *status;
        MonthStatus status;
        status.month = month;
        status.state = MonthState::Closed;
        status.isOver = status.isDamaged = true;
        status.hash = stored.hash;
        return status;
    }
    const auto record = live(month);
    GPULEDGER_TRY(record);
    MonthStatus status = statusOf(*record, true);
    status.figures = reports::figuresHash(*record);
    auto against = objections(month, !record->after.rows.empty() || !record->after.totals.empty());
    GPULEDGER_TRY(against);
    status.objections = std::move(*against);
    return status;
}

Result<std::vector<MonthStatus>> BillingPeriods::statuses()
{
    std::set<Month> all;
    for (const auto &[month, hasMoney] : m_lines)
        all.insert(month);
    for (const auto &[month, close] : m_closes) {
        all.insert(month);
        const Month told = openAfter(month);
        if (hasLines(told) || all.contains(told))
            continue;
        // A damaged month must not prevent the list from being shown.
        const auto adjusted = adjustments(told);
        if (adjusted && !adjusted->empty())
            all.insert(told);
    }
    std::vector<MonthStatus> out;
    for (const Month &month : all) {
        if (isClosed(month)) {
            auto status = this->status(month);
            GPULEDGER_TRY(status);
            out.push_back(std::move(*status));
            continue;
        }
        MonthRecord record;
        record.month = month;
        if (m_reviews.contains(month)) {
            auto live = this->live(month);
            GPULEDGER_TRY(live);
            record = std::move(*live);
        }
        out.push_back(statusOf(record));
    }
    return out;
}

Result<std::vector<store::FetchedRanges>> BillingPeriods::fetched()
{
    const auto ranges = m_cache.months().fetched();
    GPULEDGER_TRY(ranges);
    const ports::SourceKinds kinds = m_catalog.kinds();
    std::vector<store::FetchedRanges> out;
    for (const model::SourceSettings &source : m_setup.settings.sources) {
        const ports::SourceKind *const kind = ports::findKind(kinds, source.kind);
        if (kind && (kind->tellsBills() || kind->isPlatform())) // it has no data over time
            continue;
        const auto known = std::find_if(ranges->begin(), ranges->end(),
                                        [&](const store::FetchedRanges &one) { return one.source == source.name; });
        out.push_back(known == ranges->end() ? store::FetchedRanges{source.name, {}} : *known);
    }
    return out;
}

Result<std::vector<reports::Objection>> BillingPeriods::objections(const Month &month, bool hasFigures)
{
    const auto reconciliation = reconciliationOf(m_cache, m_setup.settings.currency, month);
    GPULEDGER_TRY(reconciliation);
    auto sources = fetched();
    GPULEDGER_TRY(sources);
    std::vector<Month> open;
    for (const auto &[earlier, hasMoney] : m_lines) {
        if (earlier < month && hasMoney && !isClosed(earlier))
            open.push_back(earlier);
    }
    auto twice = accountsCountedTwice(m_cache, m_setup, m_catalog, month);
    GPULEDGER_TRY(twice);
    return reports::objectionsTo({month, m_now, base::SystemClock().now(), hasFigures, *reconciliation, std::move(open),
                                  std::move(*sources), std::move(*twice)});
}

} // namespace gpuledger::services
