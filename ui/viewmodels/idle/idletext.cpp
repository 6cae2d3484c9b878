// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/viewmodels/idle/idletext.h"

#include "app/model/fleet/kindname.h"
#include "ui/format/local/localtext.h"
#include "ui/format/phrases/chance.h"

#include <QDateTime>
#include <QLocale>

#include <algorithm>
#include <cmath>
#include <limits>

namespace gpuledger::ui {

namespace {

constexpr double kHigh = 0.9, kMedium = 0.6; // thresholds of the chance that it stays idle
constexpr double kShownAsNothing = 0.5; // money is shown in whole units

QString inCurrency(const base::Money &money)
{
    return LocalText::money(money.toDouble(), QString::fromStdString(std::string(money.currency().code())));
}

// Local time in the zone; to be formatted as if it were UTC.
QDateTime wallClock(base::UtcTime at, const base::TimeZone &zone)
{
    return QDateTime::fromSecsSinceEpoch(zone.localSeconds(at), Qt::UTC);
}

} // namespace

IdleText::Sureness IdleText::sureness(double chance)
{
    return chance >= kHigh ? Sureness::High : chance >= kMedium ? Sureness::Medium : Sureness::Low;
}

// Never "100 %": what was measured can't be certain.
QString IdleText::chance(double chance)
{
    if (chance > kMostChanceSaid)
        return tr("> %1", "more than a share in percent").arg(LocalText::percent(kMostChanceSaid, 0));
    return LocalText::percent(chance, 0);
}

QString IdleText::chanceBasis(const insight::IdleItem &item)
{
    using From = insight::IdleChance::From;
    const int gaps = static_cast<int>(std::min<std::int64_t>(item.chance.gaps, std::numeric_limits<int>::max()));
    const QString kind = kindName(item.workloadKind);
    switch (item.chance.from) {
    case From::Default:
        break;
    case From::Fleet:
        return tr("%n idle time(s) of all workloads", "what a chance was measured from", gaps);
    case From::Kind:
        return kind.isEmpty()
            ? tr("%n idle time(s) of workloads without a kind", "what a chance was measured from", gaps)
            : tr("%n idle time(s) of the kind %1", "what a chance was measured from", gaps).arg(kind);
    case From::Team:
        return kind.isEmpty()
            ? tr("%n idle time(s) of the team's workloads without a kind", "what a chance was measured from", gaps)
            : tr("%n idle time(s) of the team's workloads of the kind %1", "what a chance was measured from", gaps)
                  .arg(kind);
    case From::Workload:
        return tr("%n idle time(s) of this workload, and those of its team", "what a chance was measured from", gaps);
    }
    return tr("a default, because no past is known");
}

QStringList IdleText::outlook(const insight::IdleItem &item)
{
    QStringList out{tr("Chance that it does no work in the next hour: %1; in the next day: %2. Measured from: %3")
                        .arg(chance(item.chance.hour), chance(item.chance.day), chanceBasis(item))};
    if (item.expectedBack && item.expectedLost)
        out.append(tr("Expected of a stop now, over a day: %1 of idle time back, at most %2 of work lost")
                       .arg(inCurrency(*item.expectedBack), inCurrency(*item.expectedLost)));
    return out;
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

// Where it is not known whether a stop ends the cost, all of it is the most that may be saved.
QString IdleText::avoidable(const insight::IdleItem &item)
{
    if (item.perMonth && !item.avoidablePerMonth)
        return tr("up to %1", "an amount of money").arg(amount(item.perMonth));
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

void IdleSaving::add(const insight::IdleItem &item, const std::vector<std::string> &stopped)
{
    if (!item.perMonth) {
        ++unpriced;
        return;
    }
    isPriced = true;
    if (!item.avoidablePerMonth || !item.sunkPerMonth) {
        undecided += item.perMonth->toDouble();
        return;
    }
    const bool canGo = std::includes(stopped.begin(), stopped.end(), item.stopWith.begin(), item.stopWith.end());
    const double ends = item.avoidablePerMonth->toDouble(), stays = item.sunkPerMonth->toDouble();
    avoidable += canGo ? ends : 0;
    sunk += canGo ? stays : stays + ends;
    shared += (canGo ? 0 : ends) + (item.recoverable == model::Recovery::WithMachine ? stays : 0);
}

IdleSaving IdleSaving::ofStop(const std::vector<insight::IdleItem> &items, const std::vector<insight::IdleItem> &others)
{
    std::vector<std::string> ids;
    for (const auto *some : {&items, &others}) {
        for (const insight::IdleItem &item : *some)
            ids.push_back(item.id);
    }
    std::sort(ids.begin(), ids.end());
    IdleSaving saving;
    for (const insight::IdleItem &item : items)
        saving.add(item, ids);
    return saving;
}

QString IdleText::codeOf(base::Currency currency)
{
    return QString::fromUtf8(currency.code().data(), static_cast<qsizetype>(currency.code().size()));
}

QString IdleText::amounts(const IdleSaving &saving, const QString &code)
{
    if (!saving.isPriced)
        return tr("no price");
    const auto amountOf = [](double units, const QString &currency) {
        return currency.isEmpty() ? LocalText::number(units, 0) : LocalText::money(units, currency, 0);
    };
    const QString most = amountOf(saving.atMost(), code);
    // "3,652, up to 22,169 USD", but "$3,652, up to $22,169": a code is needed only once.
    const bool isOwn = code == QLocale().currencySymbol(QLocale::CurrencyIsoCode);
    if (saving.undecided < kShownAsNothing)
        return most;
    if (saving.avoidable < kShownAsNothing)
        return tr("up to %1", "an amount of money").arg(most);
    return tr("%1, up to %2", "amounts of money").arg(amountOf(saving.avoidable, isOwn ? code : QString()), most);
}

QString IdleText::withUnpriced(const QString &clause, const IdleSaving &saving)
{
    return saving.unpriced > 0 ? tr("%1, %2 without a price").arg(clause).arg(saving.unpriced) : clause;
}

QString IdleText::saves(const IdleSaving &saving, base::Currency currency)
{
    if (!saving.isPriced)
        return {};
    if (saving.atMost() < kShownAsNothing)
        return withUnpriced(saving.shared > 0     ? tr("saves nothing now: the machine stays for others that use it")
                                : saving.sunk > 0 ? tr("saves nothing: it is owned or committed to")
                                                  : tr("saves nothing"),
                            saving);
    return withUnpriced(tr("saves %1 a month", "one or two amounts of money").arg(amounts(saving, codeOf(currency))),
                        saving);
}

QString IdleText::saving(const IdleSaving &saving, base::Currency currency)
{
    if (!saving.isPriced)
        return {};
    if (saving.atMost() < kShownAsNothing)
        return withUnpriced(saving.shared > 0     ? tr("saving nothing now: the machine stays for others that use it")
                                : saving.sunk > 0 ? tr("saving nothing: it is owned or committed to")
                                                  : tr("saving nothing"),
                            saving);
    return withUnpriced(tr("saving %1 a month", "one or two amounts of money").arg(amounts(saving, codeOf(currency))),
                        saving);
}

QStringList IdleText::reasons(const insight::IdleItem &item)
{
    QStringList out;
    if (item.cause != insight::IdleCause::Unknown)
        out.append(LocalText::phrase(causeOf(item)));
    if (item.recoverable != model::Recovery::Unknown)
        out.append(LocalText::phrase(recoveryOf(item)));
    return out + outlook(item);
}

QString IdleText::whyPartly(const insight::IdleItem &item)
{
    return tr("%1 of its %2 do no work and the others do: it can't be stopped, but a smaller size would do", "GPUs")
        .arg(count(item.gpus), gpuCount(item.heldGpus));
}

QString IdleText::whyBlocked(const insight::BlockedItem &item)
{
    return item.blocker == insight::Blocker::Scattered
        ? tr("Each pod that waited needs more GPUs on one node than the %1 that are free on this one")
              .arg(count(item.gpus))
        : tr("Only MIG slices of another size, or what slices leave of a GPU, are free here");
}

QStringList IdleText::whoWaited(const insight::BlockedItem &item, const base::TimeZone &zone)
{
    constexpr std::size_t kMost = 5;
    QStringList out;
    for (std::size_t i = 0; i < std::min(kMost, item.waits.size()); ++i) {
        const model::PastWait &wait = item.waits[i];
        out << tr("%1 waited for %2 × %3 from %4 to %5", "pod, number, Kubernetes resource, times")
                   .arg(QString::fromStdString(wait.nameSpace.empty() ? wait.name : wait.nameSpace + '/' + wait.name),
                        QLocale().toString(static_cast<qlonglong>(wait.gpus)), QString::fromStdString(wait.resource),
                        instant(wait.range.start, zone), instant(wait.range.end, zone));
    }
    if (item.waits.size() > kMost)
        out << tr("%n more pod(s)", nullptr, static_cast<int>(item.waits.size() - kMost));
    return out;
}

QStringList IdleText::unknowns(const insight::IdleItem &item, const insight::Evidence *evidence)
{
    QStringList out;
    if (item.sinceIsLowerBound)
        out.append(tr("Part of the time since then was not observed: it may have worked later"));
    if (!item.ratePerHour)
        out.append(tr("What it costs: there is no price for its GPUs"));
    const bool isPart = item.devices.size() < item.heldDevices; // says nothing of a stop
    if (item.cause == insight::IdleCause::Unknown && !isPart)
        out.append(LocalText::phrase(causeOf(item)));
    if (!isPart && item.ratePerHour && item.recoverable == model::Recovery::Unknown)
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
