// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/heatmap/heatmappage.h"

#include "ui/format/local/localtext.h"
#include "ui/pages/heatmap/heatmapfigures.h"
#include "ui/pages/heatmap/heatmappath.h"
#include "ui/pages/heatmap/heatmapstrip.h"
#include "ui/pages/heatmap/zoombuttons.h"
#include "ui/viewmodels/device/deviceplace.h"
#include "widgets/cards/card.h"
#include "widgets/heatmap/heatmap.h"
#include "widgets/inputs/choicebutton.h"
#include "widgets/inputs/segmentedswitch.h"
#include "widgets/state/plaintext.h"
#include "widgets/state/statepanel.h"

#include <QDateTime>
#include <QHBoxLayout>
#include <QLocale>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>

#include <cmath>

namespace gpuledger::ui {

using insight::Bins;
using insight::Metric;

namespace {

constexpr Metric kMetrics[] = {Metric::IdleCost,     Metric::Cost,    Metric::Utilization, Metric::SmActive,
                               Metric::TensorActive, Metric::Memory,  Metric::Power,       Metric::Allocation,
                               Metric::Effective,    Metric::Coverage};
constexpr int kStripHeight = 208;
constexpr int kExplainDelay = 150; // ms
constexpr QLatin1String kIdlePage("idle"); // no-tr: the page

constexpr Bins kBins[] = {Bins::HourOfWeek, Bins::HourOfDay, Bins::Day, Bins::Hour, Bins::FiveMinutes};

QString keyOf(std::string_view name)
{
    return QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()));
}

} // namespace

HeatmapPage::HeatmapPage(const PageContext &context, QWidget *parent)
    : StatePage(context, parent)
    , m_model(context.workspace.config(), context.workspace.fleet(), context.tasks)
{
    const int side = context.theme.space(widgets::Space::Large);
    auto *outer = new QVBoxLayout(this);
    outer->setContentsMargins(side, side, side, side);
    m_card = new widgets::Card(context.theme, this);
    auto *layout = new QVBoxLayout(m_card);
    layout->setContentsMargins(side, context.theme.space(widgets::Space::Medium), side,
                               context.theme.space(widgets::Space::Medium));
    layout->setSpacing(context.theme.space(widgets::Space::Small));
    auto *maps = new QWidget;
    auto *mapsLayout = new QVBoxLayout(maps);
    mapsLayout->setContentsMargins(0, 0, 0, 0);
    m_allocation = new widgets::Heatmap(context.theme, maps);
    m_allocation->hide();
    m_heatmap = new widgets::Heatmap(context.theme, maps);
    mapsLayout->addWidget(m_allocation, 1);
    mapsLayout->addWidget(m_heatmap, 1);
    makePanel(maps);
    layout->addWidget(header());
    layout->addWidget(m_panel, 1);
    outer->setSpacing(context.theme.space(widgets::Space::Medium));
    outer->addWidget(m_card);
    m_strip = new HeatmapStrip(context.theme, context.workspace.settings().currency, this);
    m_strip->setMinimumHeight(kStripHeight);
    m_strip->hide();
    rememberTable(QStringLiteral("holders"), m_strip->table()); // no-tr: key
    outer->addWidget(m_strip);
    m_explain = new QTimer(this);
    m_explain->setSingleShot(true);
    m_explain->setInterval(kExplainDelay);
    connect(m_explain, &QTimer::timeout, this, &HeatmapPage::explain);
    connect(m_heatmap, &widgets::Heatmap::currentChanged, this, [this] {
        showStrip();
        m_explain->start();
    });
    connect(&m_model, &HeatmapViewModel::detailChanged, this, [this] {
        showStrip();
        Q_EMIT settledChanged();
    });
    bindStrip();
    offerProofs();
    bindChoices();
    for (widgets::Heatmap *heatmap : {m_allocation, m_heatmap})
        connect(heatmap, &widgets::Heatmap::activated, this, [this, heatmap](int row) { open(*heatmap, row); });
    connect(&m_model, &HeatmapViewModel::changed, this, &HeatmapPage::showState);
    connect(&m_model, &HeatmapViewModel::askingChanged, this, [this] { m_panel->setBusy(m_model.isAsking()); });
    connect(&m_model, &HeatmapViewModel::choiceChanged, this, [this] {
        showChoices();
        m_path->showPath(m_model);
        if (!m_restoring)
            Q_EMIT placeChanged();
    });
    setMainControl(m_heatmap);
    m_path->showPath(m_model);
    showChoices();
    m_panel->showLoading();
    m_model.setActive(false);
    m_model.refresh();
}

void HeatmapPage::bindStrip()
{
    connect(m_strip, &HeatmapStrip::allWanted, this, [this] { open(*m_heatmap, m_heatmap->currentRow()); });
    connect(m_strip, &HeatmapStrip::grafanaWanted, this, [this] {
        if (const auto link = grafanaLink())
            m_context.openAddress(*link);
    });
    connect(m_strip, &HeatmapStrip::opened, this, [this](const QString &key) {
        const int row = m_heatmap->currentRow();
        const auto &rows = m_heatmap->data().rows;
        const auto detail = m_model.detail();
        if (detail && detail->by == insight::Dimension::Device)
            m_context.navigator.openPage(devicePage(), devicePlace(key));
        else if (row >= 0 && static_cast<std::size_t>(row) < rows.size())
            m_model.drill(rows[static_cast<std::size_t>(row)].key.toStdString(), key.toStdString());
    });
    connect(m_strip, &HeatmapStrip::idleWanted, this, [this] {
        const auto &rows = m_heatmap->data().rows;
        const int row = m_heatmap->currentRow();
        if (row >= 0 && static_cast<std::size_t>(row) < rows.size())
            m_context.navigator.go(
                {kIdlePage, m_model.scopeOf(rows[static_cast<std::size_t>(row)].key.toStdString()), {}});
    });
}

void HeatmapPage::offerProofs()
{
    for (widgets::Heatmap *heatmap : {m_allocation, m_heatmap})
        offerExplain(heatmap, m_context, this, [this, heatmap](int row, int column) {
            const bool isAllocation = heatmap == m_allocation || m_model.view() == HeatmapViewModel::View::Allocation;
            return heatmapExplained(m_model, heatmap->data(), {row, column},
                                    isAllocation ? Metric::Allocation : m_model.metric());
        });
    offerExplain(m_strip->table(), m_context, this, [this](const QString &key) {
        return heatmapHolderExplained(m_model, m_heatmap->data(), m_heatmap->currentColumn(), key);
    });
}

QWidget *HeatmapPage::header()
{
    auto *bar = new QWidget;
    auto *layout = new QHBoxLayout(bar);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(m_context.theme.space(widgets::Space::Small));
    m_path = new HeatmapPath(m_context.theme, bar);
    connect(m_path, &HeatmapPath::climbed, &m_model, &HeatmapViewModel::climb);
    layout->addWidget(m_path);
    layout->addStretch();
    layout->addWidget(new ZoomButtons(m_context.theme, {m_allocation, m_heatmap}, bar));
    m_metric = new widgets::ChoiceButton(tr("Metric"), bar);
    std::vector<widgets::ChoiceButton::Choice> choices;
    for (const Metric metric : kMetrics)
        choices.push_back({keyOf(insight::toString(metric)), LocalText::metricName(metric)});
    m_metric->setChoices(choices);
    m_rows = new widgets::ChoiceButton(tr("Rows"), bar);
    m_bins = new widgets::ChoiceButton(tr("Columns"), bar);
    choices.clear();
    for (const Bins bins : kBins)
        choices.push_back({keyOf(insight::toString(bins)), LocalText::binsName(bins)});
    m_bins->setChoices(choices);
    m_view = new widgets::SegmentedSwitch(m_context.theme, tr("Shown"),
                                          {{QStringLiteral("allocation"), tr("Allocation")},
                                           {QStringLiteral("compute"), tr("Compute")},
                                           {QStringLiteral("both"), tr("Both")}},
                                          bar);
    m_view->setCurrentKey(QStringLiteral("compute"));
    m_full = new QToolButton(bar);
    m_full->setCheckable(true);
    m_full->setText(tr("0–100 %"));
    m_full->setAccessibleName(tr("Colours from 0 to 100 %"));
    m_full->setToolTip(widgets::plainToolTip(tr("Colours from 0 to 100 %, instead of the range of the data")));
    for (QWidget *w : std::initializer_list<QWidget *>{m_metric, m_rows, m_bins, m_view, m_full})
        layout->addWidget(w);
    return bar;
}

void HeatmapPage::bindChoices()
{
    connect(m_metric, &widgets::ChoiceButton::chosen, this, [this](const QString &key) {
        if (const auto metric = insight::metricFromString(key.toStdString()))
            m_model.setMetric(*metric);
    });
    connect(m_rows, &widgets::ChoiceButton::chosen, this, [this](const QString &key) {
        if (const auto dimension = insight::dimensionFromString(key.toStdString()))
            m_model.setDimension(*dimension);
    });
    connect(m_bins, &widgets::ChoiceButton::chosen, this, [this](const QString &key) {
        if (const auto bins = insight::binsFromString(key.toStdString()))
            m_model.setBins(*bins);
    });
    connect(m_view, &widgets::SegmentedSwitch::chosen, this, [this](const QString &key) {
        using View = HeatmapViewModel::View;
        m_model.setView(key == QLatin1String("both") // no-tr: key
                            ? View::Both
                            : key == QLatin1String("allocation") ? View::Allocation // no-tr: key
                                                                 : View::Compute);
    });
    connect(m_full, &QToolButton::clicked, this,
            [this](bool isFull) { m_model.setRange(isFull ? ShareRange::Full : ShareRange::Fitted); });
}

void HeatmapPage::showEmpty()
{
    m_panel->showEmpty(emptyMessage());
}

void HeatmapPage::resolveEmpty()
{
    m_context.navigator.setScope({m_model.scope().time, {}, m_model.scope().cost});
}

void HeatmapPage::showError()
{
    const auto snapshot = m_model.snapshot();
    const QString dated = snapshot && !snapshot->covered.empty()
        ? tr("Data until %1")
              .arg(QLocale().toString(QDateTime::fromSecsSinceEpoch(base::toUnix(snapshot->covered.end)),
                                      QLocale::ShortFormat))
        : QString();
    m_panel->showError(
        {tr("The heat map can't be shown"), LocalText::sentence(*m_model.error()), {}, tr("Try again"), {}}, dated);
}

widgets::StateMessage HeatmapPage::emptyMessage() const
{
    if (m_model.scope().filter.empty())
        return {tr("No devices in this range"),
                tr("No GPU was paid for in the chosen time."),
                tr("Choose a longer time range."),
                {},
                {}};
    return {tr("Nothing matches this filter"),
            tr("No GPU within the filter was paid for in the chosen time."),
            tr("Remove a filter or choose a longer time range."),
            tr("Remove all filters"),
            {}};
}

void HeatmapPage::showData()
{
    const auto snapshot = m_model.snapshot();
    m_heatmap->setData(snapshot->matrix);
    m_allocation->setVisible(snapshot->allocation != nullptr);
    if (snapshot->allocation)
        m_allocation->setData(snapshot->allocationMatrix);
    m_panel->showData();
    m_explain->start();
}

void HeatmapPage::explain()
{
    const auto &rows = m_heatmap->data().rows;
    const int row = m_heatmap->currentRow();
    if (row >= 0 && static_cast<std::size_t>(row) < rows.size())
        m_model.explain(rows[static_cast<std::size_t>(row)].key.toStdString());
    showStrip();
}

void HeatmapPage::showStrip()
{
    const widgets::HeatmapData &matrix = m_heatmap->data();
    const int row = m_heatmap->currentRow(), column = m_heatmap->currentColumn();
    // Data stay visible under an error, and so does their detail.
    const bool any = m_panel->isContentShown() && m_model.hasDetail() && row >= 0 && column >= 0
        && row < matrix.rowCount() && column < matrix.columnCount();
    m_strip->setVisible(any);
    // The matrix takes what its rows need; the rest goes to the detail strip.
    m_card->setSizePolicy(QSizePolicy::Preferred, any ? QSizePolicy::Maximum : QSizePolicy::Preferred);
    if (!any)
        return;
    m_strip->offerGrafana(grafanaLink().has_value());
    const widgets::HeatmapData::Row &shown = matrix.rows[static_cast<std::size_t>(row)];
    m_strip->offerIdle(!m_model.isUnallocated(shown.key.toStdString()));
    const QString title = heatmapCellName(m_heatmap->data(), {row, column});
    const auto detail = m_model.detail();
    if (detail && detail->key == shown.key.toStdString())
        m_strip->showCell(title, detail, static_cast<std::size_t>(column), doubtOf(row, column));
    else if (m_model.detailError())
        m_strip->showNote(title, LocalText::sentence(*m_model.detailError()));
    else
        m_strip->showNote(title, tr("Finding out who held it…"));
}

// Describes what part of the cell is not known.
QString HeatmapPage::doubtOf(int row, int column) const
{
    const widgets::HeatmapData &matrix = m_heatmap->data();
    const int known = matrix.knownPercent(row, column);
    if (matrix.isMissing(row, column) || known == 0)
        return tr("not observed");
    return matrix.isPart(row, column)
        ? tr("only %1 of this time was observed").arg(LocalText::percent(known / 100.0, 0))
        : QString();
}

std::optional<QUrl> HeatmapPage::grafanaLink() const
{
    const auto &rows = m_heatmap->data().rows;
    const int row = m_heatmap->currentRow(), column = m_heatmap->currentColumn();
    if (!m_context.openAddress || row < 0 || static_cast<std::size_t>(row) >= rows.size() || column < 0)
        return std::nullopt;
    return m_model.grafanaLink(rows[static_cast<std::size_t>(row)].key.toStdString(), static_cast<std::size_t>(column));
}

void HeatmapPage::open(const widgets::Heatmap &heatmap, int row)
{
    const auto &rows = heatmap.data().rows;
    if (row < 0 || static_cast<std::size_t>(row) >= rows.size())
        return;
    const QString &key = rows[static_cast<std::size_t>(row)].key;
    if (m_model.canDrill())
        m_model.drill(key.toStdString());
    else
        m_context.navigator.openPage(devicePage(), devicePlace(key));
}

void HeatmapPage::showChoices()
{
    using View = HeatmapViewModel::View;
    m_metric->setCurrentKey(keyOf(insight::toString(m_model.metric())));
    m_metric->setEnabled(m_model.view() != View::Allocation);
    std::vector<widgets::ChoiceButton::Choice> rows;
    for (const insight::Dimension &dimension : m_model.dimensions())
        rows.push_back({keyOf(insight::toString(dimension)), LocalText::dimensionPlural(dimension)});
    m_rows->setChoices(rows);
    m_rows->setCurrentKey(keyOf(insight::toString(m_model.dimension())));
    m_rows->setEnabled(rows.size() > 1);
    m_bins->setCurrentKey(keyOf(insight::toString(m_model.bins())));
    const char *view = m_model.view() == View::Both ? "both" // no-tr: keys
        : m_model.view() == View::Allocation        ? "allocation" // no-tr: keys
                                                    : "compute"; // no-tr: keys
    m_view->setCurrentKey(QLatin1String(view));
    m_view->setVisible(m_model.hasViews());
    m_full->setVisible(m_model.hasViews() && (m_model.metric() != Metric::Power || m_model.view() != View::Compute));
    m_full->setChecked(m_model.range() == ShareRange::Full);
}

void HeatmapPage::setScope(const Scope &scope)
{
    m_model.setScope(scope);
}

QUrlQuery HeatmapPage::place() const
{
    return m_model.place();
}

void HeatmapPage::restore(const QUrlQuery &place)
{
    m_restoring = true;
    m_model.restore(place);
    m_restoring = false;
}

bool HeatmapPage::goBack()
{
    if (m_model.path().empty())
        return false;
    m_model.climb(static_cast<int>(m_model.path().size()) - 1);
    return true;
}

bool HeatmapPage::settled() const
{
    const bool stripPending = !m_strip->isHidden() && !m_model.detail() && !m_model.detailError();
    return m_model.state() != PageState::Loading && !m_model.isAsking() && !stripPending;
}

void HeatmapPage::refresh()
{
    m_model.refresh();
}

void HeatmapPage::setActive(bool active)
{
    m_model.setActive(active);
}

} // namespace gpuledger::ui
