// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/viewmodels/savings/savingsviewmodel.h"

#include "app/base/remedy.h"
#include "ui/viewmodels/savings/savingstext.h"

#include <QUrl>

#include <utility>

namespace gpuledger::ui {

using savings::AssumptionSpec;
using savings::Kind;

namespace {

constexpr int kAskAfter = 250; // ms without another change of an assumption
constexpr QLatin1String kSavingsKind("kind"), kSavingsItem("item"), kAssumed("set."); // keys of a place

QString encoded(const QString &value)
{
    return QString::fromLatin1(QUrl::toPercentEncoding(value));
}

// Whose rows are listed, and whether more is filtered than that.
void addFilter(SavingsSnapshot &snapshot, const insight::Filter &filter)
{
    for (const auto &[dimension, values] : filter.include) {
        if (dimension == insight::Dimension::Team)
            snapshot.teams.insert(values.begin(), values.end());
        else
            snapshot.hasOtherFilter = true;
    }
    snapshot.hasOtherFilter = snapshot.hasOtherFilter || !filter.exclude.empty();
}

LatestQuery<SavingsSnapshot>::Answer askSavings(const SavingsDesk &desk, const Scope &scope,
                                                const savings::Assumptions &assumptions, const std::stop_token &stop)
{
    auto frame = desk.frame(scope.time);
    GPULEDGER_TRY(frame);
    auto snapshot = std::make_shared<SavingsSnapshot>();
    snapshot->frame = std::move(*frame);
    snapshot->cost = scope.cost;
    snapshot->assumptions = assumptions;
    addFilter(*snapshot, scope.filter);
    if (snapshot->frame.range.empty()) // nothing was fetched, or nothing in this range
        return snapshot;
    services::SavingsQuery query;
    query.range = snapshot->frame.range;
    query.cost = scope.cost;
    query.assumptions = assumptions;
    auto list = desk.savings(query, stop);
    GPULEDGER_TRY(list);
    snapshot->list = std::move(*list);
    auto choices = desk.choices();
    GPULEDGER_TRY(choices);
    snapshot->choices = std::move(*choices);
    return snapshot;
}

LatestQuery<SavingsDone>::Answer askDone(const SavingsDesk &desk, model::CostView cost, const std::stop_token &stop)
{
    auto done = std::make_shared<SavingsDone>();
    auto choices = desk.choices();
    GPULEDGER_TRY(choices);
    done->choices = std::move(*choices);
    auto realized = desk.realized(cost, stop);
    GPULEDGER_TRY(realized);
    done->realized = std::move(*realized);
    return done;
}

LatestQuery<SavingsCurve>::Answer answerCurve(const SavingsDesk &desk, const services::SavingsQuery &query,
                                              const std::string &proposal, const std::stop_token &stop)
{
    auto curve = desk.curve(query, proposal, stop);
    GPULEDGER_TRY(curve);
    return std::make_shared<SavingsCurve>(SavingsCurve{proposal, std::move(*curve)});
}

} // namespace

SavingsViewModel::SavingsViewModel(SavingsDesk desk, TaskRunner &tasks, QObject *parent)
    : QObject(parent)
    , m_desk(std::move(desk))
    , m_tasks(tasks)
    , m_table(SavingsTable::columns())
    , m_asker(tasks, this, [this] { take(); })
    , m_done(tasks, this, [this] { Q_EMIT doneChanged(); })
    , m_curve(tasks, this, [this] { Q_EMIT curveChanged(); })
{
    m_assumptions = amongUsual({});
    m_askLater.setSingleShot(true);
    m_askLater.setInterval(kAskAfter);
    connect(&m_askLater, &QTimer::timeout, this, &SavingsViewModel::ask);
    m_table.setGroupTitle(tr("State", "what the rows of the table are grouped into"));
    m_table.setGrouped(true);
    m_table.sort(static_cast<int>(SavingsColumn::Saves), Qt::DescendingOrder);
}

void SavingsViewModel::setKind(std::optional<Kind> kind)
{
    if (kind == m_kind)
        return;
    m_kind = kind;
    showRows();
    Q_EMIT kindChanged();
    Q_EMIT changed();
    chooseCurrent(m_current);
}

std::vector<const AssumptionSpec *> SavingsViewModel::shownAssumptions() const
{
    std::vector<const AssumptionSpec *> out;
    for (const AssumptionSpec &spec : savings::assumptionSpecs()) {
        if (m_kind ? spec.kind == *m_kind : isChanged(spec))
            out.push_back(&spec);
    }
    return out;
}

bool SavingsViewModel::isChanged(const AssumptionSpec &spec) const
{
    return m_assumptions.changed().contains(spec.name);
}

base::Result<void> SavingsViewModel::setAssumption(std::string_view name, std::string_view value)
{
    savings::Assumptions wanted = m_assumptions;
    GPULEDGER_TRY(wanted.set(name, value));
    assume(std::move(wanted));
    return {};
}

void SavingsViewModel::setAssumptions(const savings::Assumptions &chosen)
{
    savings::Assumptions wanted = amongUsual(chosen);
    if (std::exchange(m_assumptions, std::move(wanted)) == m_assumptions)
        return;
    ask();
    Q_EMIT assumptionsChanged();
}

void SavingsViewModel::resetAssumption(std::string_view name)
{
    savings::Assumptions wanted = m_assumptions;
    wanted.reset(name);
    assume(std::move(wanted));
}

void SavingsViewModel::assume(savings::Assumptions wanted)
{
    if (std::exchange(m_assumptions, std::move(wanted)) == m_assumptions)
        return;
    m_askLater.start();
    Q_EMIT assumptionsChanged();
}

savings::Assumptions SavingsViewModel::amongUsual(savings::Assumptions chosen) const
{
    if (m_desk.usual)
        chosen.useDefaultsOf(m_desk.usual());
    return chosen;
}

void SavingsViewModel::resetAssumptions()
{
    savings::Assumptions wanted = m_assumptions;
    for (const AssumptionSpec &spec : savings::assumptionSpecs()) {
        if (!m_kind || spec.kind == *m_kind)
            wanted.reset(spec.name);
    }
    setAssumptions(wanted);
}

void SavingsViewModel::showRows()
{
    if (!snapshot())
        return;
    m_rows = std::make_shared<SavingsTable>(snapshot(), m_kind);
    m_table.setColumns(SavingsTable::columns(onlyCurrencyOf(snapshot()->list)));
    m_table.setSnapshot(m_rows);
}

QString SavingsViewModel::firstShown() const
{
    for (int i = 0; m_rows && i < m_table.rowCount(); ++i) {
        if (const auto rows = m_table.rowsBehind(m_table.index(i, 0)); !rows.empty())
            return m_rows->id(rows.front());
    }
    return m_rows && m_rows->rowCount() > 0 ? m_rows->id(0) : QString();
}

void SavingsViewModel::setCurrent(const QString &id)
{
    if (id == m_current || !proposal(id))
        return;
    m_isPicked = true;
    chooseCurrent(id);
}

void SavingsViewModel::chooseCurrent(const QString &wanted)
{
    m_isPicked = m_isPicked && proposal(wanted);
    m_current = m_isPicked ? wanted : firstShown();
    askCurve();
    Q_EMIT currentChanged();
}

// Not while a list is computed: its answer comes first, and two questions about different ranges would read the facts
// twice. take() asks then.
void SavingsViewModel::askCurve()
{
    if (m_curveId != m_current)
        m_curve.forget();
    const savings::Proposal *one = current();
    if (!one || m_asker.isAsking() || (m_curveId == m_current && m_curveList == snapshot()))
        return;
    m_curveId = m_current;
    m_curveList = snapshot();
    services::SavingsQuery query;
    query.kind = one->kind;
    query.range = m_curveList->frame.range;
    query.cost = m_curveList->cost;
    query.assumptions = m_curveList->assumptions;
    m_curve.ask([desk = m_desk, query, id = one->id](const std::stop_token &stop) {
        return answerCurve(desk, query, id, stop);
    });
}

std::shared_ptr<const SavingsCurve> SavingsViewModel::curve() const
{
    const auto &newest = m_curve.snapshot();
    return newest && !m_curve.error() && newest->proposal == m_current.toStdString() ? newest : nullptr;
}

bool SavingsViewModel::isCurvePending() const
{
    return current() && !curve() && !m_curve.error() && !m_asker.error();
}

const savings::Proposal *SavingsViewModel::proposal(const QString &id) const
{
    const int row = m_rows ? m_rows->rowOf(id) : -1;
    return row < 0 ? nullptr : &m_rows->proposal(row);
}

const savings::Choice *SavingsViewModel::choiceOf(const QString &id) const
{
    return snapshot() ? snapshot()->choiceOf(id.toStdString()) : nullptr;
}

bool SavingsViewModel::canChoose() const
{
    return snapshot() && !snapshot()->frame.isReadOnly && !snapshot()->list.items.empty() && !m_isChoosing;
}

void SavingsViewModel::choose(const savings::ChoiceDraft &draft, std::shared_ptr<const SavingsSnapshot> shown)
{
    using Answer = base::Result<savings::Choice>;
    if (!shown)
        shown = snapshot();
    if (!shown || shown->frame.isReadOnly) {
        Q_EMIT chooseFailed(
            base::Error::make(base::ErrorCode::Refused, "a report records no choices", base::Remedy::UseReportOrigin));
        return;
    }
    if (m_isChoosing) {
        Q_EMIT chooseFailed(base::Error::make(base::ErrorCode::Refused, "another choice is being recorded",
                                              base::Remedy::WaitUntilDone));
        return;
    }
    m_isChoosing = true;
    Q_EMIT choosingChanged();
    m_tasks.run<Answer>(
        this,
        [desk = m_desk, draft, shown](const std::stop_token &) -> Answer { return desk.choose(draft, shown->list); },
        [this](const Answer &answer) {
            m_isChoosing = false;
            Q_EMIT choosingChanged();
            if (answer) {
                refresh();
                Q_EMIT chosen(*answer);
            } else {
                Q_EMIT chooseFailed(answer.error());
            }
        });
}

void SavingsViewModel::setScope(const Scope &scope)
{
    if (scope == m_scope)
        return;
    m_scope = scope;
    m_isOtherScope = true;
    refresh();
}

QUrlQuery SavingsViewModel::place() const
{
    QUrlQuery place;
    if (m_kind)
        place.addQueryItem(kSavingsKind, QString::fromStdString(std::string(savings::toString(*m_kind))));
    if (m_isPicked)
        place.addQueryItem(kSavingsItem, encoded(m_current));
    for (const auto &[name, value] : m_assumptions.changed())
        place.addQueryItem(kAssumed + QString::fromStdString(name), encoded(QString::fromStdString(value)));
    return place;
}

void SavingsViewModel::restore(const QUrlQuery &place)
{
    setKind(savings::kindFrom(place.queryItemValue(kSavingsKind).toStdString()));
    savings::Assumptions wanted = amongUsual({});
    for (const auto &[key, value] : place.queryItems(QUrl::FullyDecoded)) {
        if (key.startsWith(kAssumed))
            (void)wanted.set(key.mid(kAssumed.size()).toStdString(), value.toStdString()); // a bad value: the default
    }
    setAssumptions(wanted);
    const QString item = place.queryItemValue(kSavingsItem, QUrl::FullyDecoded);
    // A place is restored again when the scope changes; a row that was chosen since then is kept. Otherwise the link
    // was followed again.
    const bool isOtherScope = std::exchange(m_isOtherScope, false);
    if (item.isEmpty() || (item == m_restored && isOtherScope))
        return;
    m_restored = item;
    m_isPicked = true;
    m_current = item;
    if (m_rows)
        chooseCurrent(item);
}

void SavingsViewModel::ask()
{
    m_askLater.stop();
    m_asker.ask([desk = m_desk, scope = m_scope, assumptions = m_assumptions](const std::stop_token &stop) {
        return askSavings(desk, scope, assumptions, stop);
    });
}

void SavingsViewModel::refresh()
{
    if (!snapshot() && m_state != PageState::Loading) {
        m_state = PageState::Loading;
        Q_EMIT changed();
    }
    if (auto wanted = amongUsual(m_assumptions); wanted != m_assumptions) { // another configuration
        m_assumptions = std::move(wanted);
        Q_EMIT assumptionsChanged();
    }
    ask();
    m_done.ask([desk = m_desk, cost = m_scope.cost](const std::stop_token &stop) { return askDone(desk, cost, stop); });
}

void SavingsViewModel::setActive(bool active)
{
    m_asker.setActive(active);
    m_done.setActive(active);
    m_curve.setActive(active);
}

void SavingsViewModel::take()
{
    if (error()) {
        m_state = PageState::Error;
    } else {
        showRows();
        m_state = snapshot()->frame.covered.empty() ? PageState::FirstRun
            : snapshot()->list.items.empty()        ? PageState::Empty
                                                    : PageState::Data;
    }
    Q_EMIT changed(); // first, so that the rows are visible when one of them becomes current
    if (!error())
        chooseCurrent(m_current);
}

} // namespace gpuledger::ui
