// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/viewmodels/heatmap/heatmapmatrix.h"

#include "ui/format/localtext.h"

#include <QCoreApplication>
#include <QDate>
#include <QLocale>

#include <algorithm>
#include <cmath>

namespace gpuledger::ui {

using insight::Bins;
using insight::Heatmap;
using insight::HeatmapCell;
using insight::Metric;
using widgets::HeatmapData;

namespace {

class HeatmapMatrix {
    Q_DECLARE_TR_FUNCTIONS(gpuledger::ui::HeatmapAdapter)
public:
    HeatmapMatrix(std::shared_ptr<const Heatmap> heatmap, insight::Dimension by)
        : m_heatmap(std::move(heatmap))
        , m_by(std::move(by))
    {
    }

    HeatmapData run()
    {
        m_data.name = tr("%1 heat map").arg(LocalText::metricName(metric()));
        m_data.valueName = LocalText::metricName(metric());
        m_data.legendText = tr("%1, %2", "metric, unit")
                                .arg(LocalText::inSentence(LocalText::metricName(metric())),
                                     LocalText::metricUnit(metric(), m_heatmap->currency));
        m_data.meanTitle = isMoney() ? tr("sum", "of a row") : tr("mean", "of a row");
        m_data.blankText = tr("nothing held");
        m_data.partText = tr("observed in part", "a cell of a heat map");
        m_data.sideTitle = tr("idle cost, %1").arg(currency());
        addColumns();
        addRows();
        addScale();
        m_data.firstColumn = firstColumn();
        m_data.details = [heatmap = m_heatmap, shownRows = m_shown](int row, int column) {
            return row >= 0 && static_cast<std::size_t>(row) < shownRows.size()
                ? details(*heatmap, shownRows[static_cast<std::size_t>(row)], column)
                : std::vector<HeatmapData::Line>();
        };
        m_data.levels = std::make_shared<const widgets::HeatmapLevels>(m_data);
        return std::move(m_data);
    }

private:
    Metric metric() const { return m_heatmap->metric; }
    bool isMoney() const { return metric() == Metric::IdleCost || metric() == Metric::Cost; }
    bool isShare() const { return !isMoney() && metric() != Metric::Power; }
    QString currency() const { return currencyOf(*m_heatmap); }
    static QString currencyOf(const Heatmap &h)
    {
        return QString::fromUtf8(h.currency.code().data(), static_cast<qsizetype>(h.currency.code().size()));
    }

    static double shown(const Heatmap &h, const HeatmapCell &cell)
    {
        const bool share = h.unit == "share";
        return cell.value ? *cell.value * (share ? 100 : 1) : widgets::kMissing;
    }

    static QString textOf(Metric metric, const QString &currency, double value)
    {
        switch (metric) {
        case Metric::Power:
            return LocalText::watts(value);
        case Metric::IdleCost:
        case Metric::Cost:
            return LocalText::money(value, currency);
        default:
            return LocalText::percent(value / 100);
        }
    }

    // An empty cell has two possible reasons, and only one of them is missing telemetry: an owner that held nothing at
    // that time has nothing to be measured.
    static bool isBlank(const HeatmapCell &cell)
    {
        return !cell.value && cell.heldHours <= 0 && (cell.observed ? *cell.observed > 0 : cell.paidHours <= 0);
    }

    // Rounded down: a value just below the limit stays below it.
    static std::uint8_t percentKnown(const HeatmapCell &cell)
    {
        constexpr double kTiny = 1e-9;
        return static_cast<std::uint8_t>(std::clamp(std::floor(cell.known.value_or(1) * 100 + kTiny), 0.0, 100.0));
    }

    static QString missingText(const HeatmapCell &cell)
    {
        return isBlank(cell) ? tr("nothing held") : tr("not observed");
    }

    // Readings of held time are meaningless for an owner that never held anything; for one whose time was not fetched
    // they are unknown.
    bool hasMeaning(const insight::HeatmapRow &row) const
    {
        if (row.overall.paidHours <= 0 && row.overall.notSyncedHours > 0)
            return true;
        switch (metric()) {
        case Metric::Utilization:
        case Metric::SmActive:
        case Metric::TensorActive:
        case Metric::Memory:
        case Metric::Power:
            return row.overall.heldHours > 0;
        default:
            return true;
        }
    }

    static std::vector<HeatmapData::Line> details(const Heatmap &h, std::size_t row, int column)
    {
        if (!h.packed.empty())
            return packedDetails(h, row, column);
        if (column < 0 || static_cast<std::size_t>(column) >= h.rows[row].cells.size())
            return {};
        const HeatmapCell &cell = h.rows[row].cells[static_cast<std::size_t>(column)];
        std::vector<HeatmapData::Line> lines;
        lines.push_back({LocalText::metricName(h.metric),
                         cell.value ? textOf(h.metric, currencyOf(h), shown(h, cell)) : missingText(cell), true});
        lines.push_back({tr("Held"), LocalText::gpuHours(cell.heldHours), false});
        lines.push_back({tr("Paid for"), LocalText::gpuHours(cell.paidHours), false});
        if (cell.notSyncedHours > 0)
            lines.push_back({tr("Not fetched yet"), LocalText::gpuHours(cell.notSyncedHours), false});
        const bool part = cell.isPartial() && cell.known.value_or(0) > 0;
        if (part)
            lines.push_back({tr("Observed in part"), tr("%1 of this time").arg(LocalText::percent(*cell.known)), true});
        else if (cell.observed)
            lines.push_back({tr("Observed"), LocalText::percent(*cell.observed, *cell.observed < 1 ? 1 : 0), false});
        if (h.metric != Metric::IdleCost && cell.observed.value_or(0) > 0)
            lines.push_back({tr("Idle cost"),
                             LocalText::money(static_cast<double>(cell.idleCostNanos) / 1e9, currencyOf(h)), false});
        return lines;
    }

    // A packed cell provides only its value, and whether it covers all of its time.
    static std::vector<HeatmapData::Line> packedDetails(const Heatmap &h, std::size_t row, int column)
    {
        if (column < 0 || static_cast<std::size_t>(column) >= h.bins.size())
            return {};
        const std::size_t index = row * h.bins.size() + static_cast<std::size_t>(column);
        const auto value = h.packed.value(index);
        const QString missing = std::isinf(h.packed.values[index]) ? tr("nothing held") : tr("not observed");
        const double factor = h.unit == "share" ? 100 : 1;
        std::vector<HeatmapData::Line> lines{{LocalText::metricName(h.metric),
                                              value ? textOf(h.metric, currencyOf(h), *value * factor) : missing,
                                              true}};
        const double known = index < h.packed.known.size() ? h.packed.known[index] / 100.0 : 1;
        if (known > 0 && known < insight::kCoverageShownBelow)
            lines.push_back({tr("Observed in part"), tr("%1 of this time").arg(LocalText::percent(known, 0)), true});
        return lines;
    }

    static QString dayName(int weekday) { return QLocale().dayName(weekday + 1, QLocale::ShortFormat); }

    static QString hours(int hour)
    {
        return tr("%1:00–%2:00", "from hour, to hour")
            .arg(hour, 2, 10, QLatin1Char('0'))
            .arg(hour + 1, 2, 10, QLatin1Char('0'));
    }

    void addGroup(const QString &label, int column)
    {
        if (m_data.groups.empty() || m_data.groups.back().label != label)
            m_data.groups.push_back({column, 0, label});
        ++m_data.groups.back().count;
    }

    // A day has one name for its 288 columns: creating it again for each would take longer than all the rest.
    void addBucket(const QString &bin, int column)
    {
        if (!bin.startsWith(m_day)) {
            m_day = bin.left(10);
            const QDate date = QDate::fromString(m_day, Qt::ISODate);
            m_dayShort = QLocale().toString(date, tr("d MMM", "date format"));
            m_dayLong = QLocale().toString(date, QLocale::ShortFormat);
        }
        m_data.columns << m_dayShort + QLatin1Char(' ') + bin.mid(11, 5);
        m_data.columnTitles << m_dayLong + QLatin1Char(' ') + bin.mid(11);
        addGroup(m_dayShort, column);
    }

    void addColumns()
    {
        const int count = static_cast<int>(m_heatmap->bins.size());
        for (int c = 0; c < count; ++c) {
            const QString bin = QString::fromStdString(m_heatmap->bins[static_cast<std::size_t>(c)]);
            switch (m_heatmap->binning) {
            case Bins::HourOfWeek:
                m_data.columns
                    << tr("%1 %2:00", "weekday, hour").arg(dayName(c / 24)).arg(c % 24, 2, 10, QLatin1Char('0'));
                m_data.columnTitles << dayName(c / 24) + QLatin1Char(' ') + hours(c % 24);
                addGroup(dayName(c / 24), c);
                break;
            case Bins::HourOfDay:
                m_data.columns << tr("%1:00", "hour").arg(bin);
                m_data.columnTitles << hours(c);
                addGroup(bin, c);
                break;
            case Bins::Day: {
                const QDate date = QDate::fromString(bin, Qt::ISODate);
                m_data.columns << QLocale().toString(date, QLocale::ShortFormat);
                m_data.columnTitles << QLocale().toString(date, QLocale::LongFormat);
                addGroup(count > 45 ? QLocale().standaloneMonthName(date.month(), QLocale::ShortFormat)
                                    : tr("week of %1")
                                          .arg(QLocale().toString(date.addDays(1 - date.dayOfWeek()),
                                                                  tr("d MMM", "date format"))),
                         c);
                break;
            }
            case Bins::Hour: {
                const QDate date = QDate::fromString(bin.left(10), Qt::ISODate);
                const QString label = QLocale().toString(date, tr("d MMM", "date format"));
                m_data.columns << label + QLatin1Char(' ') + bin.mid(11, 5);
                m_data.columnTitles << QLocale().toString(date, QLocale::ShortFormat) + QLatin1Char(' ') + bin.mid(11);
                addGroup(label, c);
                break;
            }
            case Bins::FiveMinutes:
                addBucket(bin, c);
                break;
            }
            m_data.columnMeans.push_back(shown(*m_heatmap, m_heatmap->columns[static_cast<std::size_t>(c)]));
        }
    }

    // The label of a row for which the engine has no name.
    QString labelOf(const std::string &key) const
    {
        if (!key.empty())
            return QString::fromStdString(key);
        return m_by == insight::Dimension::Workload ? tr("(unallocated)") : tr("(none)");
    }

    void addRows()
    {
        auto known = std::make_shared<std::vector<std::uint8_t>>();
        for (std::size_t i = 0; i < m_heatmap->rows.size(); ++i) {
            const insight::HeatmapRow &row = m_heatmap->rows[i];
            if (m_heatmap->packed.empty() && !hasMeaning(row))
                continue;
            m_shown.push_back(i);
            HeatmapData::Row r;
            r.key = QString::fromStdString(row.key);
            r.label = labelOf(row.key);
            if (row.overall.value) {
                const double v = shown(*m_heatmap, row.overall);
                r.meanText = isMoney() ? LocalText::shortMoney(v)
                    : isShare()        ? LocalText::percent(v / 100, 0)
                                       : LocalText::watts(v);
            }
            const double idle = static_cast<double>(row.overall.idleCostNanos) / 1e9;
            r.side = idle;
            r.sideText = LocalText::shortMoney(idle);
            m_data.rows.push_back(std::move(r));
            for (const HeatmapCell &cell : row.cells) {
                m_data.values.push_back(shown(*m_heatmap, cell));
                m_data.blanks.push_back(isBlank(cell));
                known->push_back(percentKnown(cell));
            }
        }
        m_data.known = std::move(known);
        if (!m_heatmap->packed.empty()) {
            m_data.packed = {m_heatmap, &m_heatmap->packed.values};
            m_data.packedFactor = isShare() ? 100 : 1;
            m_data.known = {m_heatmap, &m_heatmap->packed.known};
        }
    }

    // The first row's most expensive idle time, otherwise its first cell with a value.
    int firstColumn() const
    {
        if (m_shown.empty() || m_data.columns.isEmpty())
            return 0;
        const auto &cells = m_heatmap->rows[m_shown.front()].cells;
        const auto worst = std::max_element(cells.begin(), cells.end(), [](const auto &a, const auto &b) {
            return std::pair(a.idleCostNanos, a.value.has_value()) < std::pair(b.idleCostNanos, b.value.has_value());
        });
        if (worst != cells.end())
            return static_cast<int>(worst - cells.begin());
        for (int column = 0; column < m_data.columnCount(); ++column) {
            if (std::isfinite(m_data.value(0, column)))
                return column;
        }
        return 0;
    }

    // Shares end at 100 %; amounts and watts at the next round number above the highest cell.
    void addScale()
    {
        const Metric m = metric();
        const QString currencyText = currency();
        m_data.valueText = [m, currencyText](double v) { return textOf(m, currencyText, v); };
        if (isShare())
            return;
        double highest = 0;
        for (const double v : m_data.values)
            highest = std::isnan(v) ? highest : std::max(highest, v);
        for (const float v : m_heatmap->packed.values)
            highest = std::isfinite(v) ? std::max(highest, double{v}) : highest;
        const double power = highest > 0 ? std::pow(10, std::floor(std::log10(highest))) : 1;
        m_data.maximum = std::max(power, std::ceil(highest / power) * power);
        m_data.scaleText = [m](double v) {
            return m == Metric::Power ? QLocale().toString(v, 'f', 0) : LocalText::shortMoney(v);
        };
    }

    std::shared_ptr<const Heatmap> m_heatmap;
    insight::Dimension m_by;
    HeatmapData m_data;
    QString m_day = QStringLiteral("-"); // differs from every date
    QString m_dayShort, m_dayLong;
    std::vector<std::size_t> m_shown; // rows of the heat map that are shown
};

} // namespace

HeatmapData heatmapMatrix(std::shared_ptr<const Heatmap> heatmap, insight::Dimension by)
{
    return HeatmapMatrix(std::move(heatmap), std::move(by)).run();
}

} // namespace gpuledger::ui
