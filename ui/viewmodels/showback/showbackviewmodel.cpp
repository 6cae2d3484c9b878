// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/viewmodels/showback/showbackviewmodel.h"

#include "app/services/billing/billingservice.h"
#include "app/services/engine/configservice.h"
#include "app/services/spend/spendservice.h"
#include "ui/format/local/localtext.h"
#include "ui/format/phrases/phrase.h"

#include <algorithm>

namespace gpuledger::ui {

using Answer = LatestQuery<ShowbackSnapshot>::Answer;
using base::Result;
using insight::Month;
using reports::CostView;

namespace {

constexpr QLatin1String kMonthKey("month"), kTeamKey("team");

// The last complete month, otherwise the newest.
Month firstShown(const std::vector<reports::MonthStatus> &months)
{
    const auto over = std::find_if(months.begin(), months.end(), [](const auto &one) { return one.isOver; });
    return over == months.end() ? months.front().month : over->month;
}

} // namespace

ShowbackViewModel::ShowbackViewModel(const services::ConfigService &config, services::SpendService &spend,
                                     services::BillingService &billing, TaskRunner &tasks, QObject *parent)
    : QObject(parent)
    , m_config(config)
    , m_spend(spend)
    , m_billing(billing)
    , m_tasks(tasks)
    , m_asker(tasks, this, [this] { take(); })
{
}

Answer ShowbackViewModel::ask(const services::ConfigService &config, services::SpendService &spend,
                              services::BillingService &billing, std::optional<Month> month, CostView view,
                              const std::stop_token &stop)
{
    auto snapshot = std::make_shared<ShowbackSnapshot>();
    snapshot->zone = config.timeZone();
    for (const model::SourceSettings &source : config.settings().sources)
        snapshot->sources.push_back(source.name);
    auto months = billing.months();
    GPULEDGER_TRY(months);
    snapshot->months.assign(months->rbegin(), months->rend());
    if (snapshot->months.empty())
        return snapshot;
    snapshot->month = month.value_or(firstShown(snapshot->months));
    auto status = billing.monthStatus(snapshot->month);
    GPULEDGER_TRY(status);
    snapshot->status = std::move(*status);
    auto reconciliation = spend.reconcile(snapshot->month);
    GPULEDGER_TRY(reconciliation);
    snapshot->reconciliation = std::move(*reconciliation);
    if (stop.stop_requested())
        return base::fail(base::ErrorCode::Cancelled, "superseded");
    auto decisions = billing.decisions();
    GPULEDGER_TRY(decisions);
    snapshot->decisions = std::move(*decisions);
    auto savings = billing.acceptedSavings();
    GPULEDGER_TRY(savings);
    snapshot->savings = std::move(*savings);
    auto detail = billing.statementDetail(snapshot->month, view);
    GPULEDGER_TRY(detail);
    snapshot->statement = std::move(detail->statement);
    snapshot->history = std::move(detail->history);
    snapshot->commonest = std::move(detail->commonest);
    return snapshot;
}

void ShowbackViewModel::setMonth(const Month &month)
{
    const auto shown = snapshot() ? std::optional(snapshot()->month) : m_month;
    if (shown == month)
        return;
    m_month = month;
    Q_EMIT placeChanged();
    refresh();
}

void ShowbackViewModel::setView(CostView view)
{
    const CostView shown = view == CostView::Billed ? CostView::Billed : CostView::Effective;
    if (m_view == shown)
        return;
    m_view = shown;
    refresh();
}

void ShowbackViewModel::setTeam(const std::optional<std::string> &team)
{
    if (m_team == team)
        return;
    m_team = team;
    Q_EMIT teamChanged();
    Q_EMIT placeChanged();
}

void ShowbackViewModel::signOff(std::function<SignOff()> wish)
{
    m_isSigning = true;
    Q_EMIT changed();
    m_tasks.run<SignOff>(
        this, [wish = std::move(wish)](const std::stop_token &) { return wish(); },
        [this](const SignOff &answer) {
            m_isSigning = false;
            if (answer) {
                showStatus(answer->status);
                QString text = LocalText::phrase(textOf(*answer));
                text.replace(0, 1, text.left(1).toUpper());
                Q_EMIT signedOff(answer->outcome == reports::SignOff::Outcome::Done, text);
            } else
                Q_EMIT signedOff(false, LocalText::sentence(answer.error()));
            refresh();
        });
}

// The figures follow with the next answer, which takes longer.
void ShowbackViewModel::showStatus(const reports::MonthStatus &status)
{
    const auto shown = snapshot();
    if (!shown || m_state != PageState::Data || shown->month != status.month)
        return;
    auto next = std::make_shared<ShowbackSnapshot>(*shown);
    next->status = next->statement.status = status;
    for (reports::MonthStatus &one : next->months)
        one = one.month == status.month ? status : one;
    m_asker.replace(std::move(next));
    Q_EMIT changed();
}

void ShowbackViewModel::review()
{
    if (const auto shown = snapshot())
        signOff([billing = &m_billing, status = shown->status, team = m_team] {
            if (!team)
                return billing->reviewMonth(status.month, status.figures);
            const auto it = status.teams.find(*team);
            return billing->reviewTeam(status.month, *team, it == status.teams.end() ? "" : it->second.figures);
        });
}

void ShowbackViewModel::close(const QString &reason)
{
    if (const auto shown = snapshot())
        signOff([billing = &m_billing, status = shown->status, reason = reason.toStdString()] {
            return billing->closeMonth(status.month, reason, status.figures);
        });
}

void ShowbackViewModel::keep(std::function<Result<reports::Decision>()> wish)
{
    m_tasks.run<Result<reports::Decision>>(
        this, [wish = std::move(wish)](const std::stop_token &) { return wish(); },
        [this](const Result<reports::Decision> &answer) {
            Q_EMIT decisionKept(answer.has_value(), answer ? QString() : LocalText::sentence(answer.error()));
            refresh();
        });
}

void ShowbackViewModel::decide(const reports::DecisionDraft &draft)
{
    keep([billing = &m_billing, draft] { return billing->decide(draft); });
}

void ShowbackViewModel::settle(std::int64_t decision, reports::DecisionState state)
{
    keep([billing = &m_billing, decision, state] { return billing->settle(decision, state); });
}

void ShowbackViewModel::refresh()
{
    if (!snapshot()) {
        m_state = PageState::Loading;
        Q_EMIT changed();
    }
    askAgain();
}

void ShowbackViewModel::askAgain()
{
    m_asker.ask([config = &m_config, spend = &m_spend, billing = &m_billing, month = m_month, view = m_view](
                    const std::stop_token &stop) { return ask(*config, *spend, *billing, month, view, stop); });
}

void ShowbackViewModel::take()
{
    m_state = error()                              ? PageState::Error
        : snapshot()->months.empty()               ? PageState::FirstRun
        : snapshot()->statement.currencies.empty() ? PageState::Empty
                                                   : PageState::Data;
    Q_EMIT changed();
}

QUrlQuery ShowbackViewModel::place() const
{
    QUrlQuery place;
    if (m_month)
        place.addQueryItem(kMonthKey, QString::fromStdString(insight::toString(*m_month)));
    if (m_team)
        place.addQueryItem(kTeamKey, QString::fromLatin1(QUrl::toPercentEncoding(QString::fromStdString(*m_team))));
    return place;
}

void ShowbackViewModel::restore(const QUrlQuery &place)
{
    const auto month = insight::monthFromString(place.queryItemValue(kMonthKey).toStdString());
    std::optional<std::string> team;
    if (place.hasQueryItem(kTeamKey))
        team = place.queryItemValue(kTeamKey, QUrl::FullyDecoded).toStdString();
    const bool asks = month != m_month;
    m_month = month;
    if (m_team != team) {
        m_team = team;
        Q_EMIT teamChanged();
    }
    if (asks)
        refresh();
}

} // namespace gpuledger::ui
