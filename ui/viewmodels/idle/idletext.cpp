// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/viewmodels/idle/idletext.h"

#include "app/model/kindname.h"
#include "ui/format/localtext.h"

#include <QDateTime>
#include <QLocale>

#include <cmath>

namespace gpuledger::ui {

namespace {

constexpr double kHigh = 0.9, kMedium = 0.6; // thresholds of the confidence

// Local time in the zone; to be formatted as if it were UTC.
QDateTime wallClock(base::UtcTime at, const base::TimeZone &zone)
{
    return QDateTime::fromSecsSinceEpoch(zone.localSeconds(at), Qt::UTC);
}

} // namespace

IdleText::Sureness IdleText::sureness(double confidence)
{
    return confidence >= kHigh ? Sureness::High : confidence >= kMedium ? Sureness::Medium : Sureness::Low;
}

QString IdleText::sureness(Sureness sureness)
{
    switch (sureness) {
    case Sureness::High:
        return tr("high", "confidence");
    case Sureness::Medium:
        return tr("medium", "confidence");
    case Sureness::Low:
        return tr("low", "confidence");
    }
    return {};
}

QString IdleText::duration(base::Seconds length)
{
    const qint64 minutes = std::max<qint64>(length.count(), 0) / 60;
    const qint64 days = minutes / 1440, hours = minutes / 60 % 24, rest = minutes % 60;
    if (days > 0)
        return hours > 0 ? tr("%1 d %2 h", "length of time").arg(days).arg(hours)
                         : tr("%1 d", "length of time").arg(days);
    if (hours >= 10 || (hours > 0 && rest == 0))
        return tr("%1 h", "length of time").arg(hours);
    return hours > 0 ? tr("%1 h %2 min", "length of time").arg(hours).arg(rest)
                     : tr("%1 min", "length of time").arg(rest);
}

QString IdleText::kindName(model::WorkloadKind kind)
{
    switch (kind) {
    case model::WorkloadKind::Unknown:
        break;
    case model::WorkloadKind::Notebook:
        return tr("notebook");
    case model::WorkloadKind::Development:
        return tr("development");
    case model::WorkloadKind::Training:
        return tr("training");
    case model::WorkloadKind::Batch:
        return tr("batch");
    case model::WorkloadKind::Inference:
        return tr("inference");
    }
    return {};
}

QString IdleText::instant(base::UtcTime at, const base::TimeZone &zone)
{
    return QLocale().toString(wallClock(at, zone), tr("d MMM, HH:mm", "format of a day and time in QLocale's letters"));
}

QString IdleText::exactInstant(base::UtcTime at, const base::TimeZone &zone)
{
    return tr("%1 (%2)", "a time and its zone")
        .arg(QLocale().toString(wallClock(at, zone),
                                tr("d MMM yyyy, HH:mm", "format of a date and time in QLocale's letters")),
             QString::fromStdString(zone.name()));
}

QString IdleText::count(double gpus)
{
    const bool whole = std::abs(gpus - std::round(gpus)) < 0.005;
    return QLocale().toString(gpus, 'f', whole ? 0 : 2);
}

QString IdleText::gpuCount(double gpus)
{
    return gpus == 1 ? tr("1 GPU") : tr("%1 GPUs").arg(count(gpus));
}

QString IdleText::deviceCount(std::size_t devices)
{
    return devices == 1 ? tr("1 device") : tr("%n devices", nullptr, static_cast<int>(devices));
}

QString IdleText::gpus(double gpus, const std::string &model)
{
    return model.empty()
        ? count(gpus)
        : tr("%1 × %2", "number of GPUs and their model").arg(count(gpus), QString::fromStdString(model));
}

QString IdleText::name(const insight::IdleItem &item)
{
    if (item.kind != model::SubjectKind::Pod)
        return QString::fromStdString(model::shownName(item.kind, item.name));
    const std::string kind(item.workloadKind == model::WorkloadKind::Unknown ? model::toString(item.kind)
                                                                             : model::toString(item.workloadKind));
    return QString::fromStdString(kind.empty() ? item.name : kind + '/' + item.name);
}

QString IdleText::whereabouts(const std::string &cluster, const std::string &nameSpace, const std::string &node,
                              std::size_t devices)
{
    QStringList parts{tr("cluster %1").arg(QString::fromStdString(cluster))};
    if (!nameSpace.empty())
        parts.append(tr("ns %1", "namespace").arg(QString::fromStdString(nameSpace)));
    if (!node.empty())
        parts.append(tr("node %1").arg(QString::fromStdString(node)));
    parts.append(deviceCount(devices));
    return parts.join(QStringLiteral(" › "));
}

QString IdleText::signalName(model::ActivitySignal signal)
{
    switch (signal) {
    case model::ActivitySignal::None:
        return {};
    case model::ActivitySignal::SmActive:
        return tr("SM active");
    case model::ActivitySignal::GraphicsEngineActive:
        return tr("graphics engine active");
    case model::ActivitySignal::GpuUtilization:
        return tr("GPU utilization");
    case model::ActivitySignal::DutyCycle:
        return tr("duty cycle");
    }
    return {};
}

QString IdleText::avoidable(const insight::IdleItem &item)
{
    return item.perMonth ? amount(item.avoidablePerMonth) : tr("no price");
}

QString IdleText::sunk(const insight::IdleItem &item)
{
    return item.perMonth ? amount(item.sunkPerMonth) : tr("no price");
}

QString IdleText::amount(const std::optional<base::Money> &money)
{
    return money ? LocalText::number(money->toDouble(), 0) : tr("not known", "an amount of money");
}

QStringList IdleText::reasons(const insight::IdleItem &item)
{
    QStringList out;
    if (item.cause != insight::IdleCause::Unknown)
        out.append(LocalText::phrase(causeOf(item)));
    if (item.recoverable != model::Recovery::Unknown)
        out.append(LocalText::phrase(recoveryOf(item)));
    return out;
}

QStringList IdleText::unknowns(const insight::IdleItem &item, const insight::Evidence *evidence)
{
    QStringList out;
    if (item.sinceIsLowerBound)
        out.append(tr("Part of the time since then was not observed: it may have worked later"));
    if (!item.ratePerHour)
        out.append(tr("What it costs: there is no price for its GPUs"));
    if (item.cause == insight::IdleCause::Unknown)
        out.append(LocalText::phrase(causeOf(item)));
    if (item.ratePerHour && item.recoverable == model::Recovery::Unknown)
        out.append(LocalText::phrase(recoveryOf(item)));
    if (!evidence || evidence->devices == 0)
        return out;
    const int devices = evidence->devices;
    if (evidence->activityDevices < devices)
        out.append(
            tr("Activity of %1 of %2 devices is not reported").arg(devices - evidence->activityDevices).arg(devices));
    if (evidence->memoryDevices < devices)
        out.append(
            tr("Memory of %1 of %2 devices is not reported").arg(devices - evidence->memoryDevices).arg(devices));
    if (evidence->powerDevices < devices)
        out.append(tr("Power of %1 of %2 devices is not reported").arg(devices - evidence->powerDevices).arg(devices));
    else if (!evidence->restingW)
        out.append(tr("The resting draw of this model is not known"));
    return out;
}

} // namespace gpuledger::ui
