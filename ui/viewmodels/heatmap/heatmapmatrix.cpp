// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/viewmodels/heatmap/heatmapmatrix.h"

#include "ui/format/local/celltext.h"
#include "ui/format/local/localtext.h"
#include "ui/viewmodels/heatmap/heatmapcard.h"
#include "ui/viewmodels/heatmap/heatmaprange.h"
#include "ui/viewmodels/heatmap/heatmapvalues.h"

#include <QCoreApplication>
#include <QDate>
#include <QLocale>

#include <algorithm>
#include <cmath>

namespace gpuledger::ui {

using insight::Bins;
using insight::Heatmap;
using insight::HeatmapCell;
using insight::HeatmapRow;
using insight::Metric;
using widgets::HeatmapData;

namespace {

constexpr int kManyDays = 45; // above, headings are months

class HeatmapMatrix {
    Q_DECLARE_TR_FUNCTIONS(gpuledger::ui::HeatmapAdapter)
public:
    HeatmapMatrix(std::shared_ptr<const Heatmap> heatmap, insight::Dimension by, ShareRange range)
        : m_values(std::move(heatmap), by)
        , m_by(std::move(by))
        , m_range(range)
    {
    }

    HeatmapData run()
    {
        m_data.name = tr("%1 heat map").arg(LocalText::metricName(metric()));
        m_data.valueName = LocalText::metricName(metric());
        m_data.meanTitle = m_values.isMoney() ? tr("sum", "of a row") : tr("mean", "of a row");
        m_data.blankText = tr("nothing held");
        m_data.partText = tr("observed in part", "a cell of a heat map");
        if (hasSides())
            m_data.sideTitle = tr("idle cost, %1").arg(codeOf(map().currency));
        chooseRows();
        addColumns();
        addRows();
        addScale();
        addStart();
        m_data.details = [values = m_values, shownRows = m_shown](int row, int column) {
            return row >= 0 && static_cast<std::size_t>(row) < shownRows.size()
                ? heatmapCard(values, shownRows[static_cast<std::size_t>(row)], column)
                : std::vector<HeatmapData::Line>();
        };
        m_data.levels = std::make_shared<const widgets::HeatmapLevels>(m_data);
        return std::move(m_data);
    }

private:
    const Heatmap &map() const { return m_values.map(); }
    Metric metric() const { return map().metric; }
    // Beside the sums of idle cost, the same amounts would say nothing new.
    bool hasSides() const { return metric() != Metric::IdleCost; }

    // Rounded down: a value just below the limit stays below it.
    static std::uint8_t percentKnown(const HeatmapCell &cell)
    {
        constexpr double kTiny = 1e-9;
        return static_cast<std::uint8_t>(std::clamp(std::floor(cell.known.value_or(1) * 100 + kTiny), 0.0, 100.0));
    }

    // Readings of held time are meaningless for an owner that never held anything; for one whose time was not fetched
    // they are unknown.
    bool hasMeaning(const HeatmapRow &row) const
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

    // In the order of the engine, except that unallocated time is placed by its own cost and rows of cost by theirs.
    void chooseRows()
    {
        const auto &rows = map().rows;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            if (m_values.isPacked() || hasMeaning(rows[i]))
                m_shown.push_back(i);
        }
        if (m_values.isPacked())
            return; // their cells lie in the order of the engine
        const auto amount = [&](std::size_t i) {
            return metric() == Metric::Cost ? m_values.ofRow(rows[i]).value_or(0) : m_values.waste(rows[i]);
        };
        std::stable_sort(m_shown.begin(), m_shown.end(),
                         [&](std::size_t a, std::size_t b) { return amount(a) > amount(b); });
    }

    static QString dayName(int weekday) { return QLocale().dayName(weekday + 1, QLocale::ShortFormat); }

    static QString hours(int hour)
    {
        return tr("%1:00–%2:00", "from hour, to hour")
            .arg(hour, 2, 10, QLatin1Char('0'))
            .arg(hour + 1, 2, 10, QLatin1Char('0'));
    }

    void addGroup(const QString &label, int column, const QString &shortLabel = {})
    {
        if (m_data.groups.empty() || m_data.groups.back().label != label)
            m_data.groups.push_back({column, 0, label, shortLabel});
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
        const int count = static_cast<int>(map().bins.size());
        for (int c = 0; c < count; ++c) {
            const QString bin = QString::fromStdString(map().bins[static_cast<std::size_t>(c)]);
            switch (map().binning) {
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
                if (count > kManyDays) {
                    addGroup(QLocale().standaloneMonthName(date.month(), QLocale::ShortFormat), c);
                    break;
                }
                const QDate monday = date.addDays(1 - date.dayOfWeek());
                const QString week = QLocale().toString(monday, tr("d MMM", "date format"));
                addGroup(tr("week of %1").arg(week), c, week);
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
            const auto mean = m_values.ofColumn(static_cast<std::size_t>(c));
            m_data.columnMeans.push_back(mean.value_or(widgets::kMissing));
            if (mean && *mean > 0)
                m_data.highestMean = std::isnan(m_data.highestMean) ? *mean : std::max(m_data.highestMean, *mean);
        }
    }

    // The label of a row for which the engine has no name.
    QString labelOf(const std::string &key) const
    {
        if (!key.empty())
            return m_by == insight::Dimension::Team ? LocalText::teamName(key) : QString::fromStdString(key);
        const bool isFree = m_by == insight::Dimension::Workload || m_by == insight::Dimension::WorkloadKind;
        return isFree ? tr("(unallocated)") : tr("(none)");
    }

    QString totalOf(const HeatmapRow &row) const
    {
        const auto total = m_values.ofRow(row);
        return !total            ? QString()
            : m_values.isMoney() ? LocalText::shortMoney(*total)
            : m_values.isShare() ? LocalText::percent(*total / 100, 0)
                                 : LocalText::watts(*total);
    }

    void addRows()
    {
        auto known = std::make_shared<std::vector<std::uint8_t>>();
        for (const std::size_t i : m_shown) {
            const HeatmapRow &row = map().rows[i];
            HeatmapData::Row r;
            r.key = QString::fromStdString(row.key);
            r.label = labelOf(row.key);
            r.meanText = totalOf(row);
            if (hasSides()) {
                r.side = m_values.waste(row);
                r.sideText = LocalText::shortMoney(r.side);
                r.sideColor = m_values.isUnallocated(row) ? widgets::Color::Unallocated : widgets::Color::Idle;
            }
            m_data.rows.push_back(std::move(r));
            for (std::size_t column = 0; column < row.cells.size(); ++column) {
                m_data.values.push_back(m_values.ofCell(row, column).value_or(widgets::kMissing));
                m_data.blanks.push_back(isBlankCell(row.cells[column]));
                known->push_back(percentKnown(row.cells[column]));
            }
        }
        m_data.known = std::move(known);
        if (m_values.isPacked()) {
            m_data.packed = {m_values.shared(), &map().packed.values};
            m_data.packedFactor = m_values.isShare() ? 100 : 1;
            m_data.known = {m_values.shared(), &map().packed.known};
        }
    }

    // The most wasteful holder's most expensive idle time, otherwise its first cell with a value.
    void addStart()
    {
        const auto &rows = map().rows;
        const auto held = std::find_if(m_shown.begin(), m_shown.end(),
                                       [&](std::size_t i) { return !m_values.isUnallocated(rows[i]); });
        if (m_data.columns.isEmpty() || m_shown.empty())
            return;
        m_data.firstRow = held == m_shown.end() ? 0 : static_cast<int>(held - m_shown.begin());
        const auto &cells = rows[m_shown[static_cast<std::size_t>(m_data.firstRow)]].cells;
        std::vector<std::pair<double, bool>> rank;
        for (std::size_t column = 0; column < cells.size(); ++column) {
            const double hours = m_values.isPerHour() ? std::max(m_values.hours(column), 0.25) : 1;
            rank.emplace_back(static_cast<double>(cells[column].idleCostNanos) / hours,
                              cells[column].value.has_value());
        }
        if (const auto worst = std::max_element(rank.begin(), rank.end()); worst != rank.end()) {
            m_data.firstColumn = static_cast<int>(worst - rank.begin());
            return;
        }
        for (int column = m_data.columnCount() - 1; column >= 0; --column) {
            if (std::isfinite(m_data.value(m_data.firstRow, column)))
                m_data.firstColumn = column;
        }
    }

    // What the range is fitted to. Unallocated time costs so much more than what is idle that the rows of the holders
    // would all look alike.
    std::vector<double> valuesOfScale() const
    {
        std::vector<double> out;
        if (m_values.isPacked()) {
            constexpr std::size_t kEnough = 500'000; // of millions, these tell the range as well
            const auto &all = map().packed.values;
            const std::size_t step = 1 + all.size() / kEnough;
            for (std::size_t i = 0; i < all.size(); i += step) {
                if (std::isfinite(all[i]))
                    out.push_back(double{all[i]} * m_data.packedFactor);
            }
            return out;
        }
        for (std::size_t r = 0; r < m_shown.size(); ++r) {
            if (metric() == Metric::IdleCost && m_values.isUnallocated(map().rows[m_shown[r]]))
                continue;
            for (int column = 0; column < m_data.columnCount(); ++column) {
                const double value = m_data.value(static_cast<int>(r), column);
                if (std::isfinite(value))
                    out.push_back(value);
            }
        }
        return out;
    }

    // Rows that the range is not fitted to may lie above it.
    bool anyAbove(double maximum) const
    {
        return std::any_of(m_data.values.begin(), m_data.values.end(), [&](double v) { return v > maximum; });
    }

    void addScale()
    {
        const bool isFitted = !m_values.isShare() || m_range == ShareRange::Fitted;
        HeatmapRange range;
        if (isFitted)
            range = m_values.isShare() ? fittedShares(valuesOfScale()) : fittedAmounts(valuesOfScale());
        m_data.minimum = range.minimum;
        m_data.maximum = range.maximum;
        m_data.hasLower = range.hasLower;
        m_data.hasHigher = range.hasHigher || anyAbove(range.maximum);
        if (m_values.isMoney())
            m_data.scale = widgets::HeatScale::Cost;
        addScaleTexts(isFitted);
    }

    QString rates() const
    {
        switch (map().cost) {
        case model::CostView::Billed:
            return tr("as billed", "rates");
        case model::CostView::List:
            return tr("list prices", "rates");
        case model::CostView::Effective:
            break;
        }
        return tr("effective rates");
    }

    void addScaleTexts(bool isFitted)
    {
        const QString name = LocalText::inSentence(LocalText::metricName(metric()));
        const QString unit = LocalText::metricUnit(metric(), map().currency);
        const bool isPerHour = m_values.isPerHour();
        m_data.legendText = isPerHour ? tr("%1, %2 per hour, %3", "metric, currency, rates").arg(name, unit, rates())
            : m_values.isMoney()      ? tr("%1, %2, %3", "metric, currency, rates").arg(name, unit, rates())
            : isFitted                ? tr("%1, %2, range of the data", "metric, unit").arg(name, unit)
                                      : tr("%1, %2", "metric, unit").arg(name, unit);
        m_data.valueText = [m = metric(), currency = map().currency, isPerHour](double v) {
            const QString text = heatmapValueText(m, currency, v);
            return isPerHour ? tr("%1 per hour", "an amount of money").arg(text) : text;
        };
        const double step = (m_data.maximum - m_data.minimum) / widgets::kHeatSteps;
        const bool isMoney = m_values.isMoney();
        m_data.scaleText = [isMoney, step](double v) {
            const int decimals = step >= 1 ? 0 : std::clamp(static_cast<int>(-std::floor(std::log10(step))), 1, 4);
            return isMoney && (step >= 1 || v >= 1000) ? LocalText::shortMoney(v)
                                                       : QLocale().toString(v, 'f', decimals);
        };
    }

    HeatmapValues m_values;
    insight::Dimension m_by;
    ShareRange m_range;
    HeatmapData m_data;
    QString m_day = QStringLiteral("-"); // differs from every date
    QString m_dayShort, m_dayLong;
    std::vector<std::size_t> m_shown; // rows of the heat map that are shown
};

} // namespace

HeatmapData heatmapMatrix(std::shared_ptr<const Heatmap> heatmap, insight::Dimension by, ShareRange range)
{
    return HeatmapMatrix(std::move(heatmap), std::move(by), range).run();
}

} // namespace gpuledger::ui
