// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/format/local/localtext.h"

#include "app/ledger/rules/ownerrules.h"

#include <QDateTime>

#include <algorithm>
#include <cmath>

namespace gpuledger::ui {

using base::ErrorCode;
using insight::Dimension;
using insight::Metric;

QString LocalText::percent(double share, int decimals)
{
    return tr("%1 %", "percentage").arg(number(share * 100, decimals));
}

QString LocalText::gpuHours(double hours)
{
    return tr("%1 GPU-h", "device hours").arg(number(hours, 1));
}

QString LocalText::watts(double watts)
{
    return tr("%1 W", "electric power").arg(number(watts, 0));
}

QString LocalText::money(double units, const QString &currency, int decimals)
{
    const QLocale locale;
    if (!currency.isEmpty() && currency == locale.currencySymbol(QLocale::CurrencyIsoCode))
        return withMinus(locale.toCurrencyString(std::abs(units), {}, decimals), units < 0);
    return tr("%1 %2", "amount and currency").arg(number(units, decimals), currency);
}

QString LocalText::shortMoney(double units)
{
    const double magnitude = std::abs(units);
    if (magnitude >= 1e6)
        return tr("%1M", "millions").arg(number(units / 1e6, 1));
    if (magnitude >= 1e3)
        return tr("%1k", "thousands").arg(number(units / 1e3, 1));
    return number(units, magnitude >= 100 ? 0 : 1);
}

QString LocalText::age(base::Seconds seconds)
{
    const qint64 s = seconds.count();
    if (s < 90)
        return tr("%n s", "age in seconds", static_cast<int>(s));
    if (s < qint64{90} * 60)
        return tr("%n min", "age in minutes", static_cast<int>((s + 30) / 60));
    if (s < qint64{48} * 3600)
        return tr("%n h", "age in hours", static_cast<int>((s + 1800) / 3600));
    return tr("%n d", "age in days", static_cast<int>(s / 86400));
}

QString LocalText::metricName(Metric metric)
{
    switch (metric) {
    case Metric::Utilization:
        return tr("Utilization");
    case Metric::SmActive:
        return tr("SM active");
    case Metric::TensorActive:
        return tr("Tensor active");
    case Metric::Memory:
        return tr("Memory used");
    case Metric::Power:
        return tr("Power");
    case Metric::Allocation:
        return tr("Allocation");
    case Metric::Effective:
        return tr("Effective use");
    case Metric::IdleCost:
        return tr("Idle cost");
    case Metric::Cost:
        return tr("Cost");
    case Metric::Coverage:
        return tr("Coverage");
    }
    return {};
}

QString LocalText::binsName(insight::Bins bins)
{
    switch (bins) {
    case insight::Bins::HourOfWeek:
        return tr("Hour of week");
    case insight::Bins::HourOfDay:
        return tr("Hour of day");
    case insight::Bins::Day:
        return tr("Calendar day");
    case insight::Bins::Hour:
        return tr("Every hour");
    case insight::Bins::FiveMinutes:
        return tr("Every 5 minutes");
    }
    return {};
}

QString LocalText::dimensionPlural(const Dimension &dimension)
{
    switch (dimension.kind) {
    case Dimension::Team:
        return tr("Teams");
    case Dimension::Cluster:
        return tr("Clusters");
    case Dimension::Cloud:
        return tr("Clouds");
    case Dimension::Region:
        return tr("Regions");
    case Dimension::GpuModel:
        return tr("GPU models");
    case Dimension::WorkloadKind:
        return tr("Workload types");
    case Dimension::Environment:
        return tr("Environments");
    case Dimension::NodePool:
        return tr("Node pools");
    case Dimension::Workload:
        return tr("Workloads");
    case Dimension::Node:
        return tr("Nodes");
    case Dimension::Device:
        return tr("Devices");
    case Dimension::WorkloadLabel:
    case Dimension::NamespaceLabel:
    case Dimension::NodeLabel:
        return dimensionName(dimension);
    }
    return {};
}

QString LocalText::dimensionName(const Dimension &dimension)
{
    switch (dimension.kind) {
    case Dimension::Team:
        return tr("Team");
    case Dimension::Cluster:
        return tr("Cluster");
    case Dimension::Cloud:
        return tr("Cloud");
    case Dimension::Region:
        return tr("Region");
    case Dimension::GpuModel:
        return tr("GPU model");
    case Dimension::WorkloadKind:
        return tr("Workload type");
    case Dimension::Environment:
        return tr("Environment");
    case Dimension::NodePool:
        return tr("Node pool");
    case Dimension::Workload:
        return tr("Workload");
    case Dimension::Node:
        return tr("Node");
    case Dimension::Device:
        return tr("Device");
    case Dimension::WorkloadLabel:
        return tr("Label %1", "of a workload: its key").arg(QString::fromStdString(dimension.label));
    case Dimension::NamespaceLabel:
        return tr("Namespace label %1", "its key").arg(QString::fromStdString(dimension.label));
    case Dimension::NodeLabel:
        return tr("Node label %1", "its key").arg(QString::fromStdString(dimension.label));
    }
    return {};
}

QString LocalText::inSentence(QString name)
{
    const bool small =
        tr("small", "how nouns begin inside of a sentence: translate as small or as capital") == QLatin1String("small");
    if (small && name.size() > 1 && name[1].isLower()) // otherwise it begins with an abbreviation
        name[0] = name[0].toLower();
    return name;
}

QString LocalText::valueName(const QString &value)
{
    return value.isEmpty() ? tr("none", "a filter's value: what has no value") : value;
}

QString LocalText::teamName(const std::string &key)
{
    return key == ledger::kShared ? tr("Unallocated", "in place of a team") : QString::fromStdString(key);
}

QString LocalText::filterText(const Dimension &dimension, const QString &value, bool exclude)
{
    return (exclude ? tr("not %1: %2", "filter: dimension, value") : tr("%1: %2", "filter: dimension, value"))
        .arg(inSentence(dimensionName(dimension)),
             valueName(dimension == Dimension::Team ? teamName(value.toStdString()) : value));
}

QString LocalText::timeRange(base::TimeRange range, const base::TimeZone &zone)
{
    constexpr std::int64_t kDay = 86400;
    const std::int64_t from = zone.localSeconds(range.start), to = zone.localSeconds(range.end);
    const bool days = from % kDay == 0 && to % kDay == 0 && to > from;
    const QString format =
        days ? tr("d MMM", "a day: Qt's date format") : tr("d MMM HH:mm", "a day and time: Qt's date format");
    const auto text = [&](std::int64_t reading) -> QString {
        return QLocale().toString(QDateTime::fromSecsSinceEpoch(reading, Qt::UTC), format);
    };
    const QString first = text(from), last = text(days ? to - kDay : to);
    return first == last ? first : tr("%1 – %2", "a range").arg(first, last);
}

QString LocalText::dateTime(base::UtcTime at, const base::TimeZone &zone)
{
    return QLocale().toString(QDateTime::fromSecsSinceEpoch(zone.localSeconds(at), Qt::UTC), QLocale::ShortFormat);
}

QString LocalText::syncFailure(int done, int failed)
{
    if (done == 0)
        return failed == 1 ? tr("The last sync failed.") : tr("The last sync failed: no source could be read.");
    const QString good = done == 1 ? tr("Synced one source") : tr("Synced %n sources", nullptr, done);
    const QString bad = failed == 1 ? tr("one failed", "a source") : tr("%n failed", "sources", failed);
    return tr("%1; %2.", "what went well; what did not").arg(good, bad);
}

QString LocalText::metricUnit(Metric metric, base::Currency currency)
{
    switch (metric) {
    case Metric::Power:
        return tr("W", "watt");
    case Metric::IdleCost:
    case Metric::Cost:
        return QString::fromUtf8(currency.code().data(), static_cast<qsizetype>(currency.code().size()));
    default:
        return tr("%", "percent sign");
    }
}

QString LocalText::hours(base::Seconds length)
{
    const qint64 h = length.count() / 3600, m = length.count() / 60 % 60;
    if (h == 0)
        return tr("%1 min", "length of time").arg(m);
    return m == 0 ? tr("%1 h", "length of time").arg(h) : tr("%1 h %2 min", "length of time").arg(h).arg(m);
}

QString LocalText::monthText(const QString &month)
{
    const QDate first = QDate::fromString(month, QStringLiteral("yyyy-MM"));
    return first.isValid()
        ? tr("%1 %2", "month year").arg(QLocale().standaloneMonthName(first.month())).arg(first.year())
        : month;
}

QString LocalText::sourceKind(const ports::SourceKind &kind)
{
    return connectorText(kind.title);
}

QString LocalText::sourceUse(const ports::SourceKind &kind)
{
    return connectorText(kind.use.empty() ? kind.title : kind.use);
}

QString LocalText::protection(const std::string &rule)
{
    const QString text = QString::fromStdString(rule), label = QStringLiteral("label "),
                  nameSpace = QStringLiteral("namespace ");
    if (text.startsWith(nameSpace))
        return tr("namespace %1").arg(text.mid(nameSpace.size()));
    return text.startsWith(label) ? tr("label %1", "a rule").arg(text.mid(label.size())) : text;
}

namespace {

// The kind of failure in plain words; the error's own text has the details.
QString kindOf(ErrorCode code)
{
    switch (code) {
    case ErrorCode::Cancelled:
        return LocalText::tr("Cancelled.");
    case ErrorCode::InvalidArgument:
        return LocalText::tr("The request is invalid.");
    case ErrorCode::InvalidConfig:
        return LocalText::tr("The configuration is invalid.");
    case ErrorCode::Unauthorized:
        return LocalText::tr("The server rejected the credential.");
    case ErrorCode::Forbidden:
        return LocalText::tr("A permission is missing.");
    case ErrorCode::RateLimited:
        return LocalText::tr("The server is rate limiting requests.");
    case ErrorCode::Timeout:
        return LocalText::tr("The server did not respond in time.");
    case ErrorCode::Network:
        return LocalText::tr("The server can't be reached.");
    case ErrorCode::Tls:
        return LocalText::tr("The server's certificate can't be trusted.");
    case ErrorCode::StorageFull:
        return LocalText::tr("The disk is full.");
    case ErrorCode::StorageReadOnly:
        return LocalText::tr("The data folder can't be written to.");
    case ErrorCode::StorageBusy:
        return LocalText::tr("Another program is using the cache.");
    case ErrorCode::StorageCorrupt:
        return LocalText::tr("The cache is damaged.");
    case ErrorCode::StorageNewer:
        return LocalText::tr("The cache was written by a newer version.");
    case ErrorCode::Parse:
        return LocalText::tr("The response can't be read.");
    case ErrorCode::NotFound:
        return LocalText::tr("Not found.");
    case ErrorCode::Server:
        return LocalText::tr("The server failed.");
    case ErrorCode::TooMuch:
        return LocalText::tr("Too much data.");
    case ErrorCode::Unsupported:
        return LocalText::tr("Not supported.");
    case ErrorCode::Storage:
        return LocalText::tr("The cache failed.");
    case ErrorCode::Refused:
        return LocalText::tr("Refused.");
    case ErrorCode::Overflow:
    case ErrorCode::Internal:
        return LocalText::tr("Something went wrong.");
    }
    return LocalText::tr("Something went wrong.");
}

} // namespace

namespace {

// Adds a full stop if the text lacks sentence punctuation, as server messages often do.
QString ended(QString text)
{
    text = text.trimmed();
    const bool ends = text.endsWith(QLatin1Char('.')) || text.endsWith(QLatin1Char('?'))
        || text.endsWith(QLatin1Char('!')) || text.endsWith(QStringLiteral("…"));
    return ends || text.isEmpty() ? text : text + QLatin1Char('.');
}

} // namespace

QString LocalText::sentence(const base::Error &error)
{
    QString text = kindOf(error.code);
    if (!error.source.empty())
        text = tr("%1: %2", "source: what happened").arg(QString::fromStdString(error.source), text);
    if (!error.text.empty())
        text += QLatin1Char(' ') + ended(QString::fromStdString(error.text));
    if (!error.hint.empty()) {
        QString remedy = QCoreApplication::translate("gpuledger::ui::Remedy", error.hint.c_str());
        if (remedy.endsWith(QLatin1Char('.')))
            remedy.chop(1);
        text += QLatin1Char(' ')
            + (remedy.endsWith(QLatin1Char('?')) ? tr("To fix this: %1", "a question").arg(remedy)
                                                 : tr("To fix this: %1.").arg(remedy));
    }
    return text;
}

QString LocalText::sourceLine(const std::vector<std::string> &sources, base::Seconds length)
{
    QStringList names;
    for (const std::string &name : sources)
        names.append(QString::fromStdString(name));
    return tr("From %1, %2 old").arg(names.join(QStringLiteral(", ")), age(std::max(base::Seconds{0}, length)));
}

} // namespace gpuledger::ui
