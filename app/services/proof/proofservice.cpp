// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/proof/proofservice.h"

#include "app/base/remedy.h"
#include "app/insight/proof/changeproof.h"
#include "app/insight/proof/idleproof.h"
#include "app/insight/proof/usageproof.h"
#include "app/services/billing/billingperiods.h"
#include "app/services/engine/engine.h"
#include "app/services/proof/closedproof.h"
#include "app/services/proof/idleproofs.h"
#include "app/services/proof/moneyproof.h"
#include "app/services/proof/savingsproof.h"
#include "app/services/sources/sourceservice.h"
#include "app/services/sources/syncreport.h"
#include "app/services/spend/ledgeranswers.h"

#include <algorithm>

namespace gpuledger::services {

using base::Result;
using insight::Figure;
using insight::FigureKind;
using insight::Proof;

namespace {

constexpr char kPolicy[] = "gpu-first"; // the ledger's split policy: a machine's whole price goes to its GPUs

// Rebuilds the ledger's lines from the facts.
class Anew {
public:
    Anew(store::LedgerStore &cache, const Setup &setup, const Figure &figure, std::stop_token stop)
        : m_cache(cache)
        , m_setup(setup)
        , m_rows(meaningOf(figure, setup.settings.currency,
                           [&setup](model::SplitPolicy policy, std::string_view instanceType) {
                               return setup.ledger->splitOf(policy, instanceType);
                           }))
        , m_stop(std::move(stop))
    {
    }
    LedgerLines lines(model::LineDetail detail)
    {
        return [this, detail](base::Day first, base::Day last, const store::LedgerVisitor &visit) -> Result<void> {
            auto facts = m_cache.factsByLine();
            GPULEDGER_TRY(facts);
            return m_setup.ledger->lines(
                first, last, detail, **facts,
                [&](base::Day day, const model::LedgerKey &key, const model::LedgerAmounts &amounts) -> Result<void> {
                    GPULEDGER_TRY(m_rows.end(key, amounts));
                    return visit(day, key, amounts);
                },
                [&](const ledger::LedgerPart &part) -> Result<void> {
                    if (m_stop.stop_requested())
                        return base::fail(base::ErrorCode::Cancelled, "cancelled");
                    return m_rows.add(part);
                });
        };
    }
    MoneyRows &rows() { return m_rows; }

private:
    store::LedgerStore &m_cache;
    const Setup &m_setup;
    MoneyRows m_rows;
    std::stop_token m_stop;
};

struct Sides {
    insight::FigureValue shown, recomputed;
    std::optional<insight::ProofOfClose> closed{};
    std::vector<insight::ProofInput> inputs{};
};

insight::LedgerQuery statementQuery(const insight::Month &month)
{
    insight::LedgerQuery query;
    query.range = month.range();
    query.by = reports::statementDimensions();
    return query;
}

Result<Sides> ledgerSides(store::LedgerStore &cache, const Setup &setup, const Figure &figure, Anew &anew)
{
    if (figure.range.empty())
        return base::fail(base::ErrorCode::InvalidArgument, "the range of days is empty");
    insight::LedgerQuery query;
    query.range = figure.range;
    query.include = figure.include;
    query.split = figure.split;
    const auto shown = ledgerOf(cache, setup, query);
    GPULEDGER_TRY(shown);
    const auto recomputed = ledgerFrom(setup, query, anew.lines(insight::detailOf(query)), cache,
                                       store::LedgerStore::BillCheck::Recomputed);
    GPULEDGER_TRY(recomputed);
    return Sides{valueIn(*shown, figure), valueIn(*recomputed, figure)};
}

Result<Sides> reconcileSides(store::LedgerStore &cache, const Setup &setup, const Figure &figure, Anew &anew)
{
    const base::Currency report = setup.settings.currency;
    const auto shown = reconciliationOf(cache, report, figure.month);
    GPULEDGER_TRY(shown);
    const auto recomputed = reconciliationFrom(cache, report, figure.month, anew.lines({}));
    GPULEDGER_TRY(recomputed);
    return Sides{valueIn(*shown, figure), valueIn(*recomputed, figure)};
}

using Spends = std::pair<insight::Spend, insight::Spend>; // before and after

// Both periods from answers of the ledger, which `of` returns for a query.
template <typename LedgerOf> Result<Spends> spendsOf(const Figure &figure, base::UtcTime now, const LedgerOf &of)
{
    Spends out;
    for (const auto &[range, to] : {std::pair(figure.before, &out.first), std::pair(figure.range, &out.second)}) {
        insight::LedgerQuery query;
        query.range = range;
        query.by = insight::spendDimensions();
        const auto answer = of(query);
        GPULEDGER_TRY(answer);
        auto spend = insight::spendOf(*answer, figure.currency, now);
        GPULEDGER_TRY(spend);
        *to = std::move(*spend);
    }
    return out;
}

Result<Sides> spendChangeSides(store::LedgerStore &cache, const Setup &setup, const Figure &figure, base::UtcTime now,
                               Anew &anew)
{
    if (figure.range.empty() || figure.before.empty())
        return base::fail(base::ErrorCode::InvalidArgument, "a comparison needs two periods that are not empty");
    const auto shown = spendsOf(figure, now, [&](const auto &query) { return ledgerOf(cache, setup, query); });
    GPULEDGER_TRY(shown);
    const auto recomputed = spendsOf(figure, now, [&](const auto &query) {
        return ledgerFrom(setup, query, anew.lines(insight::detailOf(query)), cache,
                          store::LedgerStore::BillCheck::Recomputed);
    });
    GPULEDGER_TRY(recomputed);
    const auto valueOf = [&](const Spends &both) -> Result<insight::FigureValue> {
        const auto change = insight::changeOf(both.first, both.second);
        GPULEDGER_TRY(change);
        return insight::FigureValue::of(
            base::Money(insight::partOf(*change, both.first, both.second, figure.measure), figure.currency));
    };
    const auto value = valueOf(*shown), again = valueOf(*recomputed);
    GPULEDGER_TRY(value);
    GPULEDGER_TRY(again);
    return Sides{*value, *again, {}, insight::inputsOf(*shown, *recomputed)};
}

Result<Sides> showbackSides(store::LedgerStore &cache, const Setup &setup, BillingPeriods &book, const Figure &figure,
                            Anew &anew)
{
    auto record = book.live(figure.month);
    GPULEDGER_TRY(record);
    GPULEDGER_TRY(book.addBefore(*record)); // a team may only have something there
    const auto view =
        figure.view == insight::MoneyView::Billed ? reports::CostView::Billed : reports::CostView::Effective;
    const auto shown = reports::makeStatement(*record, {}, view, {});
    GPULEDGER_TRY(shown);
    auto after = ledgerFrom(setup, statementQuery(figure.month), anew.lines({}), cache,
                            store::LedgerStore::BillCheck::Recomputed);
    GPULEDGER_TRY(after);
    record->after = std::move(*after);
    const insight::Month last = reports::before(figure.month);
    if (figure.measure.starts_with("team.change.") && !book.isClosed(last)) { // closed months use what was stored
        auto before =
            ledgerFrom(setup, statementQuery(last), anew.lines({}), cache, store::LedgerStore::BillCheck::Recomputed);
        GPULEDGER_TRY(before);
        record->before = std::move(*before);
    }
    const auto recomputed = reports::makeStatement(*record, {}, view, {});
    GPULEDGER_TRY(recomputed);
    return Sides{valueIn(*shown, figure), valueIn(*recomputed, figure)};
}

// For a closed month: what was stored, and also what follows from the current facts.
Result<Sides> closedSides(store::LedgerStore &cache, const Setup &setup, BillingPeriods &book, const Figure &figure,
                          Anew &anew, MoneyRows &rows)
{
    auto kept = keptFigure(cache, book, figure, rows);
    GPULEDGER_TRY(kept);
    const auto now = showbackSides(cache, setup, book, figure, anew);
    GPULEDGER_TRY(now);
    kept->closed.now = now->recomputed;
    return Sides{kept->shown, kept->recomputed, std::move(kept->closed)};
}

// In a report: it has the statement and the facts of its month. The month before is what the statement has of it,
// because its facts are not in the file; neither are the stored lines of a closed month.
Result<Sides> reportSides(store::LedgerStore &cache, const Setup &setup, const reports::KeptMonth &report,
                          const Figure &figure, Anew &anew)
{
    const auto view =
        figure.view == insight::MoneyView::Billed ? reports::CostView::Billed : reports::CostView::Effective;
    const auto shown = reports::makeStatement(report.record, report.status, view, {});
    GPULEDGER_TRY(shown);
    reports::MonthRecord record = report.record;
    auto after = ledgerFrom(setup, statementQuery(figure.month), anew.lines({}), cache,
                            store::LedgerStore::BillCheck::Recomputed);
    GPULEDGER_TRY(after);
    record.after = std::move(*after);
    const auto recomputed = reports::makeStatement(record, report.status, view, {});
    GPULEDGER_TRY(recomputed);
    Sides sides{valueIn(*shown, figure), valueIn(*recomputed, figure)};
    if (report.status.state == reports::MonthState::Closed) {
        sides.closed = closeOf(report.status);
        sides.closed->now = sides.recomputed;
    }
    return sides;
}

// A report can prove the figures of its own month only.
Result<void> mustCover(const reports::KeptMonth &report, const Figure &figure)
{
    const insight::Month month = report.record.month;
    const base::TimeRange whole = month.range();
    const auto has = [&](const base::TimeRange &range) { return range.start >= whole.start && range.end <= whole.end; };
    bool isInside = false;
    switch (figure.kind) {
    case FigureKind::Showback:
    case FigureKind::Reconcile:
        isInside = figure.month == month;
        break;
    case FigureKind::Idle:
        isInside = figure.at >= whole.start && figure.at <= whole.end;
        break;
    case FigureKind::Change:
    case FigureKind::SpendChange:
        isInside = has(figure.range) && has(figure.before);
        break;
    case FigureKind::Summary:
    case FigureKind::Heatmap:
    case FigureKind::Ledger:
    case FigureKind::Replay:
    case FigureKind::Savings:
        isInside = has(figure.range);
        break;
    case FigureKind::Action:
        return base::fail(base::ErrorCode::NotFound, "a report has no log of actions", base::Remedy::UseReportOrigin);
    }
    if (isInside)
        return {};
    return base::fail(base::ErrorCode::NotFound,
                      "this is the report of " + insight::toString(month) + ": it can't prove a figure of other days",
                      base::Remedy::UseReportOrigin);
}

bool isOfUsage(FigureKind kind)
{
    return kind == FigureKind::Idle || kind == FigureKind::Summary || kind == FigureKind::Heatmap
        || kind == FigureKind::Change;
}

constexpr char kFacts[] = "bill_line, bill_item, usage_day, holder, holder_span, placement, device, node,"
                          " allocation_day, allocation_node";

Result<Proof> usageOrIdleProof(store::LedgerStore &cache, const Setup &setup, const Figure &figure,
                               const std::stop_token &stop)
{
    auto view = viewOf(cache, *setup.ledger);
    GPULEDGER_TRY(view);
    const base::Currency currency = setup.settings.currency;
    auto out = figure.kind == FigureKind::Idle
        ? insight::idleProof(*view->attribution, figure, setup.settings.idle, currency)
        : figure.kind == FigureKind::Change
        ? insight::changeProof(*view->cube, *view->attribution, figure, currency, stop)
        : insight::usageProof(*view->cube, *view->attribution, figure, currency, stop);
    GPULEDGER_TRY(out);
    if (figure.kind == FigureKind::Change)
        return out; // its formula needs no threshold
    const auto threshold = insight::FigureValue::of(setup.settings.idle.threshold, "share");
    out->inputs.push_back({"idle threshold", threshold, threshold});
    return out;
}

Result<Proof> proofOf(const Figure &figure, Sides sides, MoneyRows &rows)
{
    Proof out;
    out.figure = figure;
    out.shown = std::move(sides.shown);
    out.recomputed = std::move(sides.recomputed);
    out.inputs = std::move(sides.inputs);
    out.agrees = out.shown == out.recomputed
        && std::all_of(out.inputs.begin(), out.inputs.end(),
                       [](const insight::ProofInput &input) { return input.shown == input.recomputed; });
    out.closed = std::move(sides.closed);
    out.shownFrom = figure.kind == FigureKind::Reconcile ? "ledger_line, ledger_key; bill_line"
                                                         : "ledger_line, ledger_key; bill_sum";
    out.recomputedFrom = kFacts;
    if (out.closed && !out.closed->hash.empty())
        out.shownFrom = "month_close, closed_row (the statement's sums)";
    GPULEDGER_TRY(rows.moveTo(out));
    return out;
}

} // namespace

Result<Proof> ProofService::explain(const Figure &figure, const std::stop_token &stop)
{
    const Setup &setup = m_engine.setup();
    const reports::KeptMonth *report = m_engine.options().report.get();
    if (report)
        GPULEDGER_TRY(mustCover(*report, figure));
    auto proof = ofOneState(m_engine.cache(), [&]() -> Result<Proof> {
        if (isOfUsage(figure.kind))
            return usageOrIdleProof(m_engine.cache(), setup, figure, stop);
        if (figure.kind == FigureKind::Replay)
            return replayProofOf(m_engine.cache(), setup, figure, stop);
        if (figure.kind == FigureKind::Action)
            return actionProofOf(m_engine.cache(), setup, figure, stop);
        if (figure.kind == FigureKind::Savings)
            return savingsProof(m_engine, m_savings, figure, stop);
        Anew anew(m_engine.cache(), setup, figure, stop);
        BillingPeriods book(m_engine.cache(), setup, m_engine.catalog(), m_engine.clock().now());
        if (figure.kind != FigureKind::Showback) {
            auto sides = figure.kind == FigureKind::Ledger ? ledgerSides(m_engine.cache(), setup, figure, anew)
                : figure.kind == FigureKind::SpendChange
                ? spendChangeSides(m_engine.cache(), setup, figure, m_engine.clock().now(), anew)
                : reconcileSides(m_engine.cache(), setup, figure, anew);
            GPULEDGER_TRY(sides);
            return proofOf(figure, std::move(*sides), anew.rows());
        }
        if (report) {
            auto sides = reportSides(m_engine.cache(), setup, *report, figure, anew);
            GPULEDGER_TRY(sides);
            auto out = proofOf(figure, std::move(*sides), anew.rows());
            GPULEDGER_TRY(out);
            out->shownFrom = "the statement in the report";
            return out;
        }
        GPULEDGER_TRY(book.read());
        if (book.isClosed(figure.month)) {
            MoneyRows kept(meaningOf(figure, setup.settings.currency));
            auto sides = closedSides(m_engine.cache(), setup, book, figure, anew, kept);
            GPULEDGER_TRY(sides);
            auto out = proofOf(figure, std::move(*sides), kept);
            GPULEDGER_TRY(out);
            out->recomputedFrom = "closed_row (the ledger's lines of then)";
            return out;
        }
        auto sides = showbackSides(m_engine.cache(), setup, book, figure, anew);
        GPULEDGER_TRY(sides);
        return proofOf(figure, std::move(*sides), anew.rows());
    });
    GPULEDGER_TRY(proof);
    proof->policy = figure.split ? model::toString(*figure.split) : kPolicy;
    proof->made = m_engine.clock().now();
    const auto states = m_sources.statuses();
    GPULEDGER_TRY(states);
    for (const SourceStatus &one : *states)
        proof->ages.push_back({one.settings.name, one.settings.kind, one.state.lastSuccess, one.state.covered});
    return proof;
}

} // namespace gpuledger::services
