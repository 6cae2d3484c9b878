// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/topbar/timechoice.h"

#include "app/services/fleet/fleetservice.h"
#include "ui/dialogs/timerangedialog.h"
#include "ui/format/local/localtext.h"
#include "ui/viewmodels/shell/askablerange.h"

namespace gpuledger::ui {

namespace {

const QString kCustom = QStringLiteral("custom"); // the current custom range
const QString kAsk = QStringLiteral("ask");

} // namespace

std::vector<TimeChoiceButton::SpanName> TimeChoiceButton::spans()
{
    return {{Span::Day, QStringLiteral("day"), tr("Last 24 hours")},
            {Span::Week, QStringLiteral("week"), tr("Last 7 days")},
            {Span::Month, QStringLiteral("month"), tr("Last 30 days")},
            {Span::Quarter, QStringLiteral("quarter"), tr("Last 90 days")},
            {Span::ThisMonth, QStringLiteral("this-month"), tr("This month")},
            {Span::LastMonth, QStringLiteral("last-month"), tr("Last month")},
            {Span::All, QStringLiteral("all"), tr("All time")}};
}

TimeChoiceButton::TimeChoiceButton(const WindowContext &context, Navigator &navigator, QWidget *parent)
    : ChoiceButton(tr("Time range"), parent)
    , m_context(context)
    , m_navigator(navigator)
{
    connect(this, &ChoiceButton::chosen, this, &TimeChoiceButton::choose);
    connect(&m_navigator, &Navigator::moved, this, [this] { show(m_navigator.scope().time); });
    show(m_navigator.scope().time);
}

void TimeChoiceButton::show(const TimeChoice &time)
{
    std::vector<Choice> choices;
    QString current = kCustom;
    for (const SpanName &name : spans()) {
        choices.push_back({name.key, name.text});
        if (name.span == time.span)
            current = name.key;
    }
    if (time.span == Span::Custom)
        choices.push_back({kCustom, LocalText::timeRange(time.custom, m_context.workspace.timeZone())});
    choices.push_back({kAsk, tr("Custom range…"), true});
    setChoices(choices);
    setCurrentKey(current);
}

void TimeChoiceButton::choose(const QString &key)
{
    if (key == kAsk)
        return askForRange();
    for (const SpanName &name : spans()) {
        if (name.key != key)
            continue;
        Scope scope = m_navigator.scope();
        scope.time = {name.span, {}};
        m_navigator.setScope(scope);
        return;
    }
}

void TimeChoiceButton::askForRange()
{
    const TimeChoice time = m_navigator.scope().time;
    if (time.span == Span::Custom)
        return openDialog(time.custom);
    using Answer = base::Result<base::TimeRange>;
    m_context.tasks.run<Answer>(
        this,
        [&workspace = m_context.workspace, time](const std::stop_token &) -> Answer {
            auto covered = workspace.fleet().coveredRange();
            GPULEDGER_TRY(covered);
            return time.resolve(askableRange(workspace.config(), *covered), workspace.timeZone());
        },
        [this](const Answer &shown) {
            const base::TimeZone &zone = m_context.workspace.timeZone();
            const auto today = zone.localDay(m_context.workspace.clock().now());
            openDialog(shown && !shown->empty()
                           ? *shown
                           : base::TimeRange{zone.startOfLocalDay(today - 7), zone.startOfLocalDay(today)});
        });
}

void TimeChoiceButton::openDialog(base::TimeRange range)
{
    const base::TimeZone &zone = m_context.workspace.timeZone();
    auto *dialog = new TimeRangeDialog(m_context.theme, zone, range, window());
    connect(dialog, &TimeRangeDialog::chosen, this, [this](base::TimeRange chosen) {
        Scope scope = m_navigator.scope();
        scope.time = {Span::Custom, chosen};
        m_navigator.setScope(scope);
    });
    dialog->open();
}

} // namespace gpuledger::ui
