// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/heatmap/heatmapstrip.h"

#include "ui/format/localtext.h"
#include "ui/viewmodels/tables/tablecolumns.h"
#include "widgets/delegates/bardelegate.h"
#include "widgets/state/plaintext.h"
#include "widgets/table/datatable.h"

#include <QCoreApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace gpuledger::ui {

using insight::HeatmapCell;

namespace {

using tablecolumns::figure;

enum class Column { Holder, Value, Held, IdleCost, Observed };

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

    static std::vector<TableColumn> columns(const QString &currency)
    {
        TableColumn holder;
        holder.key = QStringLiteral("holder");
        holder.title = tr("Held by");
        holder.isEmphasized = holder.isSearched = true;
        holder.stretch = 3;
        TableColumn value = figure(QStringLiteral("value"), tr("Value"), tr("The metric shown above, or utilization"));
        value.isFigure = false;
        value.width = 200;
        value.stretch = 1;
        return {
            holder, value, figure(QStringLiteral("held"), tr("Held, GPU-h"), tr("GPU-hours held in this cell")),
            figure(QStringLiteral("idle-cost"), tr("Idle cost, %1").arg(currency), tr("Cost of held and idle time")),
            figure(QStringLiteral("observed"), tr("Observed"), tr("Observed share of paid time"))};
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
        case Column::Value:
            return known(c.value);
        case Column::Held:
            return isFetched(c) ? TableValue(c.heldHours) : TableValue(std::monostate());
        case Column::IdleCost:
            return isFetched(c) ? TableValue(units(c.idleCostNanos)) : TableValue(std::monostate());
        case Column::Observed:
            return known(c.observed);
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
        case Column::Value:
            return !c.value ? dash() : isShare() ? LocalText::percent(*c.value, 0) : LocalText::watts(*c.value);
        case Column::Held:
            return isFetched(c) ? QLocale().toString(c.heldHours, 'f', 1) : dash();
        case Column::IdleCost:
            return isFetched(c) ? LocalText::number(units(c.idleCostNanos), 2) : dash();
        case Column::Observed:
            return c.observed ? LocalText::percent(*c.observed, 0) : dash();
        }
        return {};
    }

    QVariant extra(int row, int column, int role) const override
    {
        if (static_cast<Column>(column) == Column::Value && role == widgets::kBarShareRole && isShare()
            && cell(row).value)
            return *cell(row).value;
        return {};
    }

private:
    static QString dash() { return QStringLiteral("–"); }
    static double units(std::int64_t nanos) { return static_cast<double>(nanos) / base::Money::kNanosPerUnit; }
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
        return key.empty() ? tr("(unallocated)") : QString::fromStdString(key);
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
    , m_model(
          StripRows::columns(QString::fromUtf8(currency.code().data(), static_cast<qsizetype>(currency.code().size()))))
    , m_title(widgets::plainLabel(theme, {}, widgets::TextSize::Section, widgets::Color::Text, QFont::DemiBold))
    , m_doubt(widgets::plainLabel(theme, {}, widgets::TextSize::Caption, widgets::Color::Text, QFont::DemiBold))
    , m_note(widgets::plainLabel(theme, {}, widgets::TextSize::Caption, widgets::Color::Muted))
    , m_all(new QPushButton(tr("Show details"), this))
    , m_grafana(new QPushButton(tr("Open in Grafana"), this))
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
    head->addWidget(m_all);
    layout->addLayout(head);
    layout->addWidget(m_table, 1);
    m_table->setDelegate(QStringLiteral("value"), new widgets::BarDelegate(theme, m_table));
    connect(m_table, &widgets::DataTable::rowActivated, this, &HeatmapStrip::opened);
    connect(m_all, &QPushButton::clicked, this, &HeatmapStrip::allWanted);
    connect(m_grafana, &QPushButton::clicked, this, &HeatmapStrip::grafanaWanted);
    m_grafana->hide();
}

void HeatmapStrip::offerGrafana(bool offered)
{
    m_grafana->setVisible(offered);
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
                        : tr("%1 of %2 in the row", "holders in this cell, holders in the row")
                              .arg(QLocale().toString(rows->rowCount()),
                                   QLocale().toString(static_cast<int>(detail->heatmap.rows.size()))));
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
