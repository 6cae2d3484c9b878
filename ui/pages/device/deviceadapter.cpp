// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/device/deviceadapter.h"

#include "ui/format/local/localtext.h"
#include "ui/viewmodels/idle/idletext.h"
#include "widgets/state/plaintext.h"

#include <QCoreApplication>
#include <QLocale>

#include <cmath>
#include <limits>

namespace gpuledger::ui {

using insight::DeviceDetails;
using insight::DeviceLines;
using widgets::SeriesColor;
using widgets::TimeLines;

namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
constexpr double kMibPerGib = 1024;
constexpr qint64 kMillis = 1000;
constexpr int kLongestName = 80;
constexpr base::Seconds kFresh{30 * 60}; // a value younger than this is of now

using Line = std::vector<std::optional<double>>;

QString text(const std::string &plain)
{
    return QString::fromStdString(plain);
}

std::vector<double> scaled(const Line &line, double unit)
{
    std::vector<double> out;
    out.reserve(line.size());
    for (const auto &value : line)
        out.push_back(value ? *value * unit : kUnknown);
    return out;
}

std::optional<double> newest(const Line &line)
{
    const auto at = std::find_if(line.rbegin(), line.rend(), [](const auto &value) { return value.has_value(); });
    return at == line.rend() ? std::nullopt : *at;
}

QString number(double value)
{
    const double size = std::abs(value);
    const bool odd = size != 0 && (size >= 1e9 || size < 1e-3);
    return QLocale().toString(value, odd ? 'g' : 'f', odd ? 4 : size >= 1000 || value == std::round(value) ? 0 : 3);
}

class DeviceText {
    Q_DECLARE_TR_FUNCTIONS(gpuledger::ui::DeviceText)
public:
    explicit DeviceText(const DeviceSnapshot &snapshot)
        : m_s(snapshot)
        , m_d(*snapshot.details)
    {
    }

    QString title() const
    {
        const QString model = text(m_d.gpuModel);
        return m_d.node ? tr("%1 on %2", "GPU model, node").arg(model, text(m_d.node->name)) : model;
    }

    std::vector<DeviceFact> facts() const
    {
        std::vector<DeviceFact> out;
        const auto add = [&](const QString &name, const QString &value, const QString &tip = {}) {
            if (!value.isEmpty())
                out.push_back({name, value, tip});
        };
        add(tr("Model"), text(m_d.gpuModel), tr("The exporter calls it %1").arg(text(m_d.device.model)));
        add(tr("UUID"), text(m_d.device.uuid));
        add(tr("Index"), m_d.device.index < 0 ? QString() : QString::number(m_d.device.index),
            tr("Its position in the node"));
        if (m_d.node) {
            add(tr("Node"), text(m_d.node->name), text(m_d.node->providerId));
            add(tr("Instance"), text(m_d.node->instanceType), text(m_d.node->region));
        }
        add(tr("Cluster"), text(m_d.device.cluster));
        if (m_d.device.memoryMib > 0)
            add(tr("Memory"), gib(static_cast<double>(m_d.device.memoryMib), 0));
        add(tr("Slices"), slices());
        add(tr("Price"), price(), m_d.priced ? LocalText::priceSource(m_d.priceSource) : QString());
        if (m_d.priced)
            add(tr("Price from"), LocalText::priceSource(m_d.priceSource));
        return out;
    }

    QString paid() const
    {
        if (m_d.notSynced.ticks > 0)
            return tr("%1; %2 not fetched yet", "what was paid for, GPU-hours")
                .arg(fetched(), LocalText::gpuHours(m_d.notSynced.hours()));
        return fetched();
    }

    QString fetched() const
    {
        const insight::TimeByState time = m_d.sums.time();
        const insight::CostByState cost = m_d.sums.cost();
        if (time.paid().ticks == 0)
            return m_s.isFiltered ? tr("None of it passes the filter") : tr("Not paid for in this time");
        const QString hours = tr("%1 paid for").arg(LocalText::gpuHours(time.paid().hours()));
        if (cost.unpriced >= time.paid())
            return tr("%1, no price known", "GPU-hours paid for").arg(hours);
        return tr("%1, %2", "GPU-hours paid for, money")
            .arg(hours, LocalText::money(static_cast<double>(cost.total()) / base::Money::kNanosPerUnit, currency()));
    }

    TimeLines activity() const
    {
        TimeLines lines = frame();
        const QString signal = IdleText::signalName(m_d.lines.signal);
        lines.title = signal.isEmpty() ? tr("Activity") : tr("Activity (%1)").arg(signal);
        addUnits(lines, &DeviceLines::Unit::activity, 100, widgets::Color::Active);
        lines.maximum = 100;
        lines.threshold = m_s.threshold * 100;
        lines.thresholdText = tr("idle below %1").arg(LocalText::percent(m_s.threshold, 0));
        lines.unit = QStringLiteral("%"); // no-tr: unit
        lines.valueText = [](double value) { return LocalText::percent(value / 100); };
        lines.note = only(&DeviceLines::Unit::activity, [](double v) { return LocalText::percent(v); });
        return lines;
    }

    TimeLines memory() const
    {
        TimeLines lines = frame();
        lines.title = tr("Memory used, GiB");
        addUnits(lines, &DeviceLines::Unit::memoryMib, 1 / kMibPerGib, widgets::Color::Accent);
        if (m_d.device.memoryMib > 0 && m_d.lines.units.size() <= 1)
            lines.maximum = static_cast<double>(m_d.device.memoryMib) / kMibPerGib;
        lines.unit = QStringLiteral("GiB"); // no-tr: unit
        lines.valueText = [](double value) { return gib(value * kMibPerGib, 1); };
        lines.note = only(&DeviceLines::Unit::memoryMib, [](double v) { return gib(v, 1); });
        return lines;
    }

    TimeLines power() const
    {
        TimeLines lines = frame();
        lines.title = tr("Power, W");
        lines.series.push_back({tr("Power"), scaled(m_d.lines.powerW, 1), SeriesColor(widgets::Color::Idle), true});
        if (m_d.restingW > 0) {
            lines.threshold = m_d.restingW;
            lines.thresholdText = tr("at rest %1").arg(LocalText::watts(m_d.restingW));
        }
        lines.unit = QStringLiteral("W"); // no-tr: unit
        lines.valueText = [](double value) { return LocalText::watts(value); };
        if (const auto value = newest(m_d.lines.powerW))
            lines.note = dated(LocalText::watts(*value), m_d.lines.powerW);
        return lines;
    }

    TimeLines extra(const QString &expression, const ExtraAnswer *answer) const
    {
        TimeLines lines;
        lines.title = lines.name = expression;
        lines.zone = zone();
        lines.minimum = kUnknown;
        lines.valueText = number;
        if (!answer)
            return lines;
        const insight::ExtraSeries &given = answer->series;
        lines.source = tr("From %1, queried just now", "name of a source").arg(text(given.source));
        lines.step = given.step.count() * kMillis;
        for (const base::UtcTime time : given.times)
            lines.times.push_back(base::toUnix(time) * kMillis);
        const auto names = seriesNames(given.answer.series);
        for (std::size_t i = 0; i < given.answer.series.size(); ++i)
            lines.series.push_back({names[i], given.answer.series[i].values, SeriesColor::series(static_cast<int>(i)),
                                    given.answer.series.size() == 1});
        if (given.answer.series.size() == 1) {
            const auto &values = given.answer.series.front().values;
            const auto last = std::find_if(values.rbegin(), values.rend(), [](double v) { return std::isfinite(v); });
            if (last != values.rend())
                lines.note = number(*last);
        }
        return lines;
    }

    static QString extraNote(const ExtraAnswer &answer)
    {
        const ports::SeriesAnswer &given = answer.series.answer;
        QStringList notes;
        if (given.series.empty())
            notes.append(tr("The server has no data for this expression in the chosen time."));
        if (given.leftOut > 0)
            notes.append(tr("%1 of %2 series are drawn; narrow the expression to see the others.")
                             .arg(QLocale().toString(static_cast<qulonglong>(given.series.size())),
                                  QLocale().toString(qulonglong{given.series.size()} + given.leftOut)));
        for (const std::string &warning : given.warnings)
            notes.append(tr("The server warns: %1").arg(text(warning)));
        return notes.join(QLatin1Char(' '));
    }

private:
    static QString gib(double mib, int decimals)
    {
        return tr("%1 GiB", "memory").arg(QLocale().toString(mib / kMibPerGib, 'f', decimals));
    }
    QString currency() const
    {
        const auto code = m_s.currency.code();
        return QString::fromUtf8(code.data(), static_cast<qsizetype>(code.size()));
    }
    QTimeZone zone() const
    {
        const QTimeZone zone(QByteArray::fromStdString(m_s.zone.name()));
        return zone.isValid() ? zone : QTimeZone::utc();
    }

    QString price() const
    {
        if (!m_d.priced)
            return tr("no price known");
        const QString perHour =
            tr("%1 an hour", "money").arg(LocalText::money(m_d.rate.perHour().toDouble(), currency()));
        return m_d.severalPrices ? tr("%1, changed in this range").arg(perHour) : perHour;
    }

    QString slices() const
    {
        QStringList names;
        for (const model::MigSlice &slice : m_d.device.slices)
            names.append(sliceName(slice.gpuInstance, slice.profile));
        return names.join(QStringLiteral(", "));
    }

    static QString sliceName(const std::string &instance, const std::string &profile)
    {
        return profile.empty() ? tr("instance %1", "of a MIG device").arg(text(instance))
                               : tr("%1 (%2)", "MIG profile, its instance").arg(text(profile), text(instance));
    }

    // Times and everything else that all lines share.
    TimeLines frame() const
    {
        TimeLines lines;
        lines.zone = zone();
        lines.source = deviceSource(m_s);
        lines.step = m_d.lines.step.count() * kMillis;
        for (std::size_t i = 0; i < m_d.lines.count; ++i)
            lines.times.push_back(base::toUnix(m_d.lines.first + static_cast<std::int64_t>(i) * m_d.lines.step)
                                  * kMillis);
        return lines;
    }

    // A device that was partitioned within the range has lines for both.
    void addUnits(TimeLines &lines, Line DeviceLines::Unit::*member, double scale, widgets::Color color) const
    {
        const bool single = m_d.lines.units.size() == 1;
        for (std::size_t i = 0; i < m_d.lines.units.size(); ++i) {
            const DeviceLines::Unit &unit = m_d.lines.units[i];
            const QString name = unit.slice.empty() ? tr("Whole device") : sliceName(unit.slice, unit.profile);
            lines.series.push_back({single && unit.slice.empty() ? lines.title : name, scaled(unit.*member, scale),
                                    single ? SeriesColor(color) : SeriesColor::series(static_cast<int>(i)), single});
        }
    }

    // "now 0.3 %", or with its time if it is older.
    QString dated(const QString &value, const Line &line) const
    {
        const auto from = std::find_if(line.rbegin(), line.rend(), [](const auto &v) { return v.has_value(); });
        const auto after =
            static_cast<std::int64_t>(line.rend() - from); // steps from the first to the end of the value
        const base::UtcTime end = std::min(m_d.lines.first + after * m_d.lines.step, m_d.dataEnd);
        return m_s.asked - end <= kFresh
            ? tr("now %1", "newest value").arg(value)
            : tr("%1 at %2", "newest value, time").arg(value, IdleText::instant(end, m_s.zone));
    }

    template <typename Format> QString only(Line DeviceLines::Unit::*member, Format format) const
    {
        if (m_d.lines.units.size() != 1)
            return {};
        const Line &line = m_d.lines.units.front().*member;
        const auto value = newest(line);
        return value ? dated(format(*value), line) : QString();
    }

    // The labels in which the series differ; all labels if none differ.
    static std::vector<QString> seriesNames(const std::vector<ports::SeriesAnswer::Series> &all)
    {
        std::vector<QString> names;
        for (const auto &series : all) {
            QStringList own, every;
            for (const auto &label : series.labels) {
                const QString part = text(label.first) + QLatin1Char('=') + text(label.second);
                const bool differs = std::any_of(all.begin(), all.end(), [&](const auto &other) {
                    const auto at = other.labels.find(label.first);
                    return at == other.labels.end() || at->second != label.second;
                });
                every.append(part);
                if (differs)
                    own.append(part);
            }
            const QString name = (own.isEmpty() ? every : own).join(QStringLiteral(", "));
            names.push_back(name.isEmpty() ? tr("Value", "of an expression without labels")
                                           : widgets::plainLine(name, kLongestName));
        }
        return names;
    }

    const DeviceSnapshot &m_s;
    const DeviceDetails &m_d;
};

} // namespace

QString deviceTitle(const DeviceSnapshot &snapshot)
{
    return DeviceText(snapshot).title();
}

QString deviceSource(const DeviceSnapshot &snapshot)
{
    return LocalText::sourceLine(snapshot.sources, snapshot.age());
}

std::vector<DeviceFact> deviceFacts(const DeviceSnapshot &snapshot)
{
    return DeviceText(snapshot).facts();
}

QString devicePaid(const DeviceSnapshot &snapshot)
{
    return DeviceText(snapshot).paid();
}

std::array<TimeLines, kDeviceLines> deviceLines(const DeviceSnapshot &snapshot)
{
    const DeviceText text(snapshot);
    return {text.activity(), text.memory(), text.power()};
}

TimeLines deviceExtra(const QString &expression, const ExtraAnswer *answer, const DeviceSnapshot &snapshot)
{
    return DeviceText(snapshot).extra(expression, answer);
}

QString deviceExtraNote(const ExtraAnswer &answer)
{
    return DeviceText::extraNote(answer);
}

} // namespace gpuledger::ui
