// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/heatmap/heatmapstrip.h"

#include "ui/format/local/celltext.h"
#include "ui/format/local/localtext.h"
#include "ui/viewmodels/tables/tablecolumns.h"
#include "widgets/charts/sparkline.h"
#include "widgets/delegates/bardelegate.h"
#include "widgets/delegates/sparklinedelegate.h"
#include "widgets/state/plaintext.h"
#include "widgets/table/datatable.h"

#include <QCoreApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>
#include <chrono>
#include <limits>

namespace gpuledger::ui {

using insight::HeatmapCell;

namespace {

using tablecolumns::figure;

constexpr std::size_t kMostPoints = 168; // of a sparkline, which is hardly wider

constexpr int kWidestBar = 320, kWidestHistory = 600; // pixels

enum class Column { Holder, Kind, Devices, Value, Held, IdleCost, Observed, History };

// A workload is "namespace/Kind/name" or "Kind/name"; other holders have no kind.
struct HolderName {
    QString name, kind;
};
HolderName holderName(const std::string &key)
{
    const QString all = QString::fromStdString(key);
    const auto last = all.lastIndexOf(QLatin1Char('/'));
    if (last < 0)
        return {all, {}};
    const auto before = last > 0 ? all.lastIndexOf(QLatin1Char('/'), last - 1) : -1;
    return {all.left(before + 1) + all.mid(last + 1), all.mid(before + 1, last - before - 1)};
}

class StripRows : public TableSnapshot {
    Q_DECLARE_TR_FUNCTIONS(gpuledger::ui::StripRows)
public:
    StripRows(std::shared_ptr<const HeatmapDetail> detail, std::size_t column)
        : m_detail(std::move(detail))
        , m_column(column)
    {
        const auto &rows = m_detail->heatmap.rows;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            if (m_column >= rows[i].cells.size())
                continue;
            const HeatmapCell &cell = rows[i].cells[m_column];
            if (cell.paidHours > 0 || cell.notSyncedHours > 0)
                m_rows.push_back(i);
        }
        std::stable_sort(m_rows.begin(), m_rows.end(), [&](std::size_t a, std::size_t b) {
            return rows[a].cells[m_column].idleCostNanos > rows[b].cells[m_column].idleCostNanos;
        });
    }

    static std::vector<TableColumn> columns(const QString &currency, insight::Metric metric, insight::Bins bins)
    {
        TableColumn holder;
        holder.key = QStringLiteral("holder");
        holder.title = tr("Held by");
        holder.isEmphasized = holder.isSearched = true;
        holder.stretch = 3;
        TableColumn value = figure(QStringLiteral("value"), LocalText::metricName(metric),
                                   tr("The metric shown above, or utilization"));
        value.isFigure = false;
        value.width = 200;
        value.widest = kWidestBar;
        value.stretch = 1;
        TableColumn history = figure(QStringLiteral("history"), historyTitle(bins),
                                     tr("%1 in all columns of the heat map").arg(LocalText::metricName(metric)));
        history.isFigure = false;
        history.width = 140;
        history.widest = kWidestHistory;
        history.stretch = 1;
        return {
            holder,
            tablecolumns::words(QStringLiteral("kind"), tr("Kind")),
            figure(QStringLiteral("devices"), tr("GPUs"), tr("GPUs held on average in this cell")),
            value,
            figure(QStringLiteral("held"), tr("Held, GPU-h"), tr("GPU-hours held in this cell")),
            figure(QStringLiteral("idle-cost"), tr("Idle cost, %1").arg(currency), tr("Cost of held and idle time")),
            figure(QStringLiteral("observed"), tr("Observed"), tr("Observed share of paid time")),
            history};
    }

    int rowCount() const override { return static_cast<int>(m_rows.size()); }
    QString id(int row) const override { return QString::fromStdString(source(row).key); }

    TableValue value(int row, int column) const override
    {
        const HeatmapCell &c = cell(row);
        const auto known = [](std::optional<double> v) -> TableValue {
            return v ? TableValue(*v) : TableValue(std::monostate());
        };
        switch (static_cast<Column>(column)) {
        case Column::Holder:
            return name(row);
        case Column::Kind:
            return kind(row);
        case Column::Devices:
            return known(devices(c));
        case Column::Value:
            return known(c.value);
        case Column::Held:
            return isFetched(c) ? TableValue(c.heldHours) : TableValue(std::monostate());
        case Column::IdleCost:
            return isFetched(c) ? TableValue(units(c.idleCostNanos)) : TableValue(std::monostate());
        case Column::Observed:
            return known(c.observed);
        case Column::History:
            return known(source(row).overall.value);
        }
        return {};
    }

    QString sourceLine(int, int) const override { return m_detail->source; }

    QString text(int row, int column) const override
    {
        const HeatmapCell &c = cell(row);
        switch (static_cast<Column>(column)) {
        case Column::Holder:
            return name(row);
        case Column::Kind:
            return kind(row).isEmpty() ? dash() : kind(row);
        case Column::Devices:
            return devices(c) ? QLocale().toString(*devices(c), 'f', 1) : dash();
        case Column::Value:
            return c.value ? valueText(*c.value) : dash();
        case Column::Held:
            return isFetched(c) ? QLocale().toString(c.heldHours, 'f', 1) : dash();
        case Column::IdleCost:
            return isFetched(c) ? LocalText::number(units(c.idleCostNanos), 2) : dash();
        case Column::Observed:
            return c.observed ? LocalText::percent(*c.observed, 0) : dash();
        case Column::History:
            return {};
        }
        return {};
    }

    QVariant extra(int row, int column, int role) const override
    {
        if (static_cast<Column>(column) == Column::Value && role == widgets::kBarShareRole && isShare()
            && cell(row).value)
            return *cell(row).value;
        if (static_cast<Column>(column) != Column::History)
            return {};
        if (role == widgets::kSparklineRole)
            return QVariant::fromValue(history(row));
        if (role == Qt::AccessibleTextRole)
            return widgets::sparklineText(history(row), [this](double v) { return valueText(v); });
        return {};
    }

private:
    static QString historyTitle(insight::Bins bins)
    {
        switch (bins) {
        case insight::Bins::HourOfWeek:
            return tr("Over the week");
        case insight::Bins::HourOfDay:
            return tr("Over the day");
        default:
            return tr("Over time");
        }
    }
    QString valueText(double value) const { return isShare() ? LocalText::percent(value, 0) : LocalText::watts(value); }
    // The mean of as many columns as a point stands for.
    QList<double> history(int row) const
    {
        const auto &cells = source(row).cells;
        const std::size_t step = 1 + (cells.size() - 1) / kMostPoints;
        QList<double> out;
        for (std::size_t from = 0; from < cells.size(); from += step) {
            double sum = 0;
            int count = 0;
            for (std::size_t i = from; i < std::min(cells.size(), from + step); ++i) {
                sum += cells[i].value.value_or(0);
                count += cells[i].value.has_value();
            }
            out << (count > 0 ? sum / count : std::numeric_limits<double>::quiet_NaN());
        }
        return out;
    }
    std::optional<double> devices(const HeatmapCell &cell) const
    {
        const auto &lengths = m_detail->heatmap.lengths;
        const double hours =
            m_column < lengths.size() ? std::chrono::duration<double, std::ratio<3600>>(lengths[m_column]).count() : 0;
        return isFetched(cell) && hours > 0 ? std::optional(cell.heldHours / hours) : std::nullopt;
    }
    // Time that was not fetched is not zero.
    static bool isFetched(const HeatmapCell &cell) { return cell.paidHours > 0; }
    bool isShare() const { return m_detail->heatmap.unit == "share"; }
    const insight::HeatmapRow &source(int row) const
    {
        return m_detail->heatmap.rows[m_rows[static_cast<std::size_t>(row)]];
    }
    const HeatmapCell &cell(int row) const { return source(row).cells[m_column]; }
    QString name(int row) const
    {
        const std::string &key = source(row).key;
        if (key.empty())
            return tr("(unallocated)");
        return m_detail->by == insight::Dimension::Workload ? holderName(key).name : QString::fromStdString(key);
    }
    QString kind(int row) const
    {
        return m_detail->by == insight::Dimension::Workload ? holderName(source(row).key).kind : QString();
    }

    std::shared_ptr<const HeatmapDetail> m_detail;
    std::size_t m_column;
    std::vector<std::size_t> m_rows;
};

} // namespace

std::shared_ptr<const TableSnapshot> heatmapStripRows(std::shared_ptr<const HeatmapDetail> detail, std::size_t column)
{
    return std::make_shared<StripRows>(std::move(detail), column);
}

HeatmapStrip::HeatmapStrip(const widgets::Theme &theme, base::Currency currency, QWidget *parent)
    : Card(theme, parent)
    , m_currency(codeOf(currency))
    , m_model(StripRows::columns(m_currency, insight::Metric::Utilization, insight::Bins::HourOfWeek))
    , m_title(widgets::plainLabel(theme, {}, widgets::TextSize::Section, widgets::Color::Text, QFont::DemiBold))
    , m_doubt(widgets::plainLabel(theme, {}, widgets::TextSize::Caption, widgets::Color::Text, QFont::DemiBold))
    , m_note(widgets::plainLabel(theme, {}, widgets::TextSize::Caption, widgets::Color::Muted))
    , m_grafana(new QPushButton(tr("Open in Grafana"), this))
    , m_idle(new QPushButton(tr("Show all in Idle"), this))
    , m_all(new QPushButton(tr("Show details"), this))
    , m_table(new widgets::DataTable(theme, tr("Holders of the cell"), m_model, this))
{
    const int side = theme.space(widgets::Space::Large), above = theme.space(widgets::Space::Small);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(side, above, side, above);
    layout->setSpacing(theme.space(widgets::Space::Tiny));
    auto *head = new QHBoxLayout;
    head->addWidget(m_title);
    head->addSpacing(theme.space(widgets::Space::Small));
    head->addWidget(m_doubt, 1);
    m_doubt->setObjectName(QStringLiteral("cellDoubt")); // no-tr: for the accessibility tree
    m_doubt->setMinimumWidth(1); // shrinks in favour of a long name
    m_doubt->hide();
    head->addStretch();
    head->addWidget(m_note);
    head->addWidget(m_grafana);
    head->addWidget(m_idle);
    head->addWidget(m_all);
    layout->addLayout(head);
    layout->addWidget(m_table, 1);
    m_table->setDelegate(QStringLiteral("value"), new widgets::BarDelegate(theme, m_table));
    m_table->setDelegate(QStringLiteral("history"), new widgets::SparklineDelegate(theme, m_table));
    m_idle->setToolTip(
        widgets::plainToolTip(tr("What is idle now in this row, with the reasons and a way to stop it")));
    connect(m_idle, &QPushButton::clicked, this, &HeatmapStrip::idleWanted);
    connect(m_table, &widgets::DataTable::rowActivated, this, &HeatmapStrip::opened);
    connect(m_all, &QPushButton::clicked, this, &HeatmapStrip::allWanted);
    connect(m_grafana, &QPushButton::clicked, this, &HeatmapStrip::grafanaWanted);
    m_grafana->hide();
}

void HeatmapStrip::offerGrafana(bool offered)
{
    m_grafana->setVisible(offered);
}

void HeatmapStrip::offerIdle(bool offered)
{
    m_idle->setVisible(offered);
}

void HeatmapStrip::showCell(const QString &title, const std::shared_ptr<const HeatmapDetail> &detail,
                            std::size_t column, const QString &doubt)
{
    const auto rows = heatmapStripRows(detail, column);
    m_title->setText(title);
    m_doubt->setText(doubt);
    m_doubt->setVisible(!doubt.isEmpty());
    m_note->setText(rows->rowCount() == 0
                        ? tr("nothing was paid for in this cell")
                        : tr("%1 of %2 holders", "holders in this cell, holders in the row")
                              .arg(QLocale().toString(rows->rowCount()),
                                   QLocale().toString(static_cast<int>(detail->heatmap.rows.size()))));
    auto columns = StripRows::columns(m_currency, detail->heatmap.metric, detail->heatmap.binning);
    const auto isSame = [](const TableColumn &a, const TableColumn &b) { return a.title == b.title; };
    if (!std::equal(columns.begin(), columns.end(), m_model.columns().begin(), m_model.columns().end(), isSame))
        m_model.setColumns(std::move(columns));
    m_model.setSnapshot(rows);
    m_all->setEnabled(true);
}

void HeatmapStrip::showNote(const QString &title, const QString &note)
{
    m_title->setText(title);
    m_doubt->hide();
    m_note->setText(note);
    m_model.setSnapshot(nullptr);
    m_all->setEnabled(false);
}

} // namespace gpuledger::ui
