// SPDX-License-Identifier: GPL-3.0-or-later
// The part of Workspace that proves figures.
#include "app/insight/idleproof.h"
#include "app/insight/usageproof.h"
#include "app/services/moneyproof.h"
#include "app/services/monthbook.h"
#include "app/services/workspaceprivate.h"

namespace gpuledger::services {

using base::Result;
using insight::Figure;
using insight::FigureKind;
using insight::Proof;

namespace {

constexpr char kPolicy[] = "gpu-first"; // the ledger's split policy: definitions.md, Cost

// What the ledger's lines are made from, read anew.
class Anew {
public:
    Anew(store::LedgerStore &cache, const Setup &setup, const Figure &figure, std::stop_token stop)
        : m_cache(cache)
        , m_setup(setup)
        , m_rows(meaningOf(figure, setup.settings.currency))
        , m_stop(std::move(stop))
    {
    }
    LedgerLines lines(model::LineDetail detail)
    {
        return [this, detail](base::Day first, base::Day last, const store::LedgerVisitor &visit) -> Result<void> {
            auto facts = m_cache.factsByLine();
            GPULEDGER_TRY(facts);
            return m_setup.ledger->lines(first, last, detail, **facts, visit,
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
};

Result<Sides> ledgerSides(store::LedgerStore &cache, const Setup &setup, const Figure &figure, Anew &anew)
{
    if (figure.range.empty())
        return base::fail(base::ErrorCode::InvalidArgument, "the range of days is empty");
    insight::LedgerQuery query;
    query.range = figure.range;
    query.include = figure.include;
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

Result<Sides> showbackSides(store::LedgerStore &cache, const Setup &setup, MonthBook &book, const Figure &figure,
                            Anew &anew)
{
    GPULEDGER_TRY(book.read());
    if (book.isClosed(figure.month))
        return base::fail(base::ErrorCode::Unsupported,
                          insight::toString(figure.month) + " is closed: its statement shows what was kept then",
                          "the figures of now are in the ledger: gpuledger-cli ledger --from "
                              + insight::toString(figure.month) + "-01 --by team,category,state --json");
    auto record = book.live(figure.month);
    GPULEDGER_TRY(record);
    GPULEDGER_TRY(book.addBefore(*record)); // a team may have something there alone
    const auto view =
        figure.view == insight::MoneyView::Billed ? reports::CostView::Billed : reports::CostView::Effective;
    const auto shown = reports::makeStatement(*record, {}, view, {});
    GPULEDGER_TRY(shown);
    insight::LedgerQuery query;
    query.range = figure.month.range();
    query.by = reports::statementDimensions();
    auto after = ledgerFrom(setup, query, anew.lines({}), cache, store::LedgerStore::BillCheck::Recomputed);
    GPULEDGER_TRY(after);
    record->after = std::move(*after);
    const auto recomputed = reports::makeStatement(*record, {}, view, {});
    GPULEDGER_TRY(recomputed);
    return Sides{valueIn(*shown, figure), valueIn(*recomputed, figure)};
}

std::string shownFrom(const Figure &figure)
{
    return figure.kind == FigureKind::Reconcile ? "ledger_line, ledger_key; bill_line"
                                                : "ledger_line, ledger_key; bill_sum";
}

} // namespace

Result<Proof> Workspace::explain(const Figure &figure, const std::stop_token &stop)
{
    const Setup &setup = d->setup();
    auto proof = ofOneState(*d->cache, [&]() -> Result<Proof> {
        if (figure.kind == FigureKind::Idle || figure.kind == FigureKind::Summary
            || figure.kind == FigureKind::Heatmap) {
            auto view = viewOf(*d->cache, *setup.ledger);
            GPULEDGER_TRY(view);
            auto out = figure.kind == FigureKind::Idle
                ? insight::idleProof(*view->attribution, figure, setup.settings.idle, setup.settings.currency)
                : insight::usageProof(*view->cube, *view->attribution, figure, setup.settings.currency, stop);
            GPULEDGER_TRY(out);
            const auto threshold = insight::FigureValue::of(setup.settings.idle.threshold, "share");
            out->inputs.push_back({"idle threshold", threshold, threshold});
            return out;
        }
        Anew anew(*d->cache, setup, figure, stop);
        MonthBook book(*d->cache, setup, d->catalog, clock().now());
        const auto sides = figure.kind == FigureKind::Ledger ? ledgerSides(*d->cache, setup, figure, anew)
            : figure.kind == FigureKind::Reconcile           ? reconcileSides(*d->cache, setup, figure, anew)
                                                             : showbackSides(*d->cache, setup, book, figure, anew);
        GPULEDGER_TRY(sides);
        Proof out;
        out.figure = figure;
        out.shown = sides->shown;
        out.recomputed = sides->recomputed;
        out.agrees = out.shown == out.recomputed;
        out.shownFrom = shownFrom(figure);
        out.recomputedFrom = "bill_line, bill_item, usage_day, holder, holder_span, placement, device, node,"
                             " allocation_day, allocation_node";
        GPULEDGER_TRY(anew.rows().moveTo(out));
        return out;
    });
    GPULEDGER_TRY(proof);
    proof->policy = kPolicy;
    proof->made = d->clock.now();
    const auto states = sources();
    GPULEDGER_TRY(states);
    for (const SourceStatus &one : *states)
        proof->ages.push_back({one.settings.name, one.settings.kind, one.state.lastSuccess, one.state.covered});
    return proof;
}

} // namespace gpuledger::services
