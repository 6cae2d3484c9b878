// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/viewmodels/idle/idlerulereplay.h"

#include "app/model/settingsequal.h"
#include "app/services/engine/configservice.h"
#include "app/services/fleet/fleetservice.h"
#include "ui/format/local/celltext.h"
#include "ui/format/local/localtext.h"

#include <QLocale>
#include <QStringList>

#include <utility>

namespace gpuledger::ui {

using base::Result;
using insight::IdleReplay;
using insight::ReplaySum;

namespace {

constexpr QLatin1String kNamespace("namespace:"), kLabel("label:");

Result<std::shared_ptr<const IdleReplay>> replay(services::FleetService &fleet, const IdleRuleQuestion &question,
                                                 base::TimeRange range, const model::IdleSettings &rule,
                                                 const std::stop_token &stop)
{
    insight::ReplayQuery query;
    query.range = range;
    query.rule = rule;
    query.resumeWithin = question.resumeWithin;
    auto rewind = fleet.replayIdle(query, stop);
    GPULEDGER_TRY(rewind);
    return std::make_shared<const IdleReplay>(std::move(*rewind));
}

// std::nullopt if none of it has a price.
std::optional<double> moneyOf(const ReplaySum &sum)
{
    if (sum.back.ticks > 0 && sum.unpriced == sum.back)
        return std::nullopt;
    return static_cast<double>(sum.money) / static_cast<double>(base::Money::kNanosPerUnit);
}

// At least as much back with no more false stops, and not the same.
bool isBetter(const ReplaySum &a, const ReplaySum &b)
{
    return a.back.ticks >= b.back.ticks && a.falseStops <= b.falseStops
        && (a.back.ticks > b.back.ticks || a.falseStops < b.falseStops);
}

} // namespace

Result<std::shared_ptr<const IdleRuleReplay>>
tryIdleRule(const services::ConfigService &config, services::FleetService &fleet, const IdleRuleQuestion &question,
            const std::shared_ptr<const IdleRuleReplay> &last, const std::stop_token &stop)
{
    const auto covered = fleet.coveredRange();
    GPULEDGER_TRY(covered);
    IdleRuleReplay trial{{covered->end - question.span, covered->end}, {}, {}, config.timeZone()};
    if (last && last->range == trial.range && last->now->resumeWithin == question.resumeWithin)
        trial.now = last->now;
    if (!trial.now) {
        auto now = replay(fleet, question, trial.range, question.now, stop);
        GPULEDGER_TRY(now);
        trial.now = std::move(*now);
    }
    trial.tried = trial.now;
    if (!(question.tried == question.now)) {
        auto tried = replay(fleet, question, trial.range, question.tried, stop);
        GPULEDGER_TRY(tried);
        trial.tried = std::move(*tried);
    }
    return std::make_shared<const IdleRuleReplay>(std::move(trial));
}

std::vector<IdleRuleText::Row> IdleRuleText::rows(const IdleRuleReplay &trial)
{
    const ReplaySum &now = trial.now->total, &tried = trial.tried->total;
    const auto code = trial.tried->currency.code();
    const QString currency = QString::fromUtf8(code.data(), static_cast<qsizetype>(code.size()));
    std::vector<Row> rows;
    const auto add = [&](const QString &name, const QString &tip, std::optional<double> a, std::optional<double> b,
                         int decimals) {
        const auto text = [&](const std::optional<double> &value) {
            return value ? decimal(*value, decimals) : tr("not known");
        };
        rows.push_back(
            {name, tip, text(a), text(b), a && b ? LocalText::signedNumber(*b - *a, decimals) : QStringLiteral("–")});
    };
    const auto count = [](std::int64_t value) { return std::optional(static_cast<double>(value)); };
    add(tr("Stops"), tr("How often it would have stopped something"), count(now.stops), count(tried.stops), 0);
    add(tr("False stops"), tr("Work resumed soon after: someone would have been disturbed"), count(now.falseStops),
        count(tried.falseStops), 0);
    add(tr("Recovered, GPU-hours"), tr("Idle GPU-hours after the stops, until work resumed or the workload ended"),
        now.back.hours(), tried.back.hours(), 1);
    add(tr("Recovered, %1", "currency").arg(currency), tr("What these hours cost"), moneyOf(now), moneyOf(tried), 0);
    add(tr("Work interrupted, GPU-hours"), tr("At most: active time after false stops, until the workload ended"),
        now.lost.hours(), tried.lost.hours(), 1);
    return rows;
}

QString IdleRuleText::range(const IdleRuleReplay &trial)
{
    return LocalText::timeRange(trial.now->range, trial.zone);
}

QString IdleRuleText::notes(const IdleRuleReplay &trial)
{
    const IdleReplay &tried = *trial.tried;
    QStringList notes;
    if (isBetter(tried.total, trial.now->total))
        notes << tr("The current rule is worse: this one would have recovered at least as much with no more false "
                    "stops.");
    else if (isBetter(trial.now->total, tried.total))
        notes << tr("The current rule is better: it would have recovered at least as much with no more false stops.");
    notes << tr("Of %1 idle GPU-hours in this time.").arg(decimal(tried.idle.hours(), 1));
    if (trial.now->range.start > trial.range.start)
        notes << tr("There is no older data.");
    if (tried.total.undecided > 0)
        notes << tr("%n stop(s) came too late in this time to tell whether they were false.", nullptr,
                    static_cast<int>(tried.total.undecided));
    if (tried.total.unobserved.ticks > 0)
        notes << tr("%1 GPU-hours after stops were not observed and are not in any sum.")
                     .arg(decimal(tried.total.unobserved.hours(), 1));
    if (tried.total.unpriced.ticks > 0)
        notes << tr("%1 recovered GPU-hours have no price.").arg(decimal(tried.total.unpriced.hours(), 1));
    return notes.join(QLatin1Char(' '));
}

QString IdleRuleText::exceptions(const std::vector<model::ProtectRule> &rules)
{
    QStringList lines;
    for (const model::ProtectRule &rule : rules) {
        QStringList words;
        if (!rule.nameSpace.empty())
            words << kNamespace + QString::fromStdString(rule.nameSpace);
        for (const auto &[key, value] : rule.labels)
            words << kLabel + QString::fromStdString(key) + QLatin1Char('=') + QString::fromStdString(value);
        lines << words.join(QLatin1Char(' '));
    }
    return lines.join(QLatin1Char('\n'));
}

std::optional<std::vector<model::ProtectRule>> IdleRuleText::exceptions(const QString &text, QString &badLine)
{
    std::vector<model::ProtectRule> rules;
    for (const QString &line : text.split(QLatin1Char('\n'))) {
        model::ProtectRule rule;
        const QStringList words = line.simplified().split(QLatin1Char(' '), Qt::SkipEmptyParts);
        for (const QString &word : words) {
            const auto equals = word.indexOf(QLatin1Char('='));
            const bool isNamespace = word.startsWith(kNamespace) && word.size() > kNamespace.size();
            const bool isLabel = word.startsWith(kLabel) && equals > kLabel.size();
            if (!(isLabel || (isNamespace && rule.nameSpace.empty()))) {
                badLine = line.simplified();
                return std::nullopt;
            }
            if (isNamespace)
                rule.nameSpace = word.mid(kNamespace.size()).toStdString();
            else
                rule.labels[word.mid(kLabel.size(), equals - kLabel.size()).toStdString()] =
                    word.mid(equals + 1).toStdString();
        }
        if (!words.isEmpty())
            rules.push_back(std::move(rule));
    }
    return rules;
}

} // namespace gpuledger::ui
