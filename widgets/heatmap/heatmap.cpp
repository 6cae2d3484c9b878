// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/heatmap/heatmap.h"

#include "widgets/heatmap/heatmapaccessible.h"
#include "widgets/state/hovercard.h"

#include <QAccessible>
#include <QLocale>
#include <QPainter>
#include <QPaintEvent>
#include <QScrollBar>

#include <algorithm>
#include <cmath>

namespace gpuledger::widgets {

namespace {

constexpr int kLeastStep = 12; // minimum pixels per wheel line, however small the cells

// The widest of many texts. Measuring a text takes microseconds, too long for thousands of rows: after the first few,
// only texts that are long enough to be wider are measured.
class WidestText {
public:
    explicit WidestText(const QFontMetrics &metrics)
        : m_metrics(metrics)
    {
    }
    void add(const QString &text)
    {
        constexpr int kAllMeasured = 500;
        if (text.isEmpty() || (++m_count > kAllMeasured && text.size() <= m_longest))
            return;
        m_longest = std::max(m_longest, text.size());
        m_width = std::max(m_width, m_metrics.horizontalAdvance(text.simplified()) + 1);
    }
    int width() const { return m_width; }

private:
    const QFontMetrics &m_metrics;
    int m_count = 0;
    qsizetype m_longest = 0;
    int m_width = 0;
};

} // namespace

Heatmap::Heatmap(const Theme &theme, QWidget *parent)
    : QAbstractScrollArea(parent)
    , m_theme(theme)
{
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Heat map"));
    viewport()->setMouseTracking(true);
    // Without the table interface, the accessibility events about cells would ask a plain widget for children that it
    // does not have.
    installHeatmapAccessibility();
    // Everything in the dirty region is painted, so it need not be cleared first.
    viewport()->setAttribute(Qt::WA_OpaquePaintEvent);
    connect(&theme, &Theme::changed, this, &Heatmap::rebuild);
    m_levels = std::make_shared<const HeatmapLevels>(m_data);
    rebuild();
}

Heatmap::~Heatmap()
{
    delete m_card.data();
}

void Heatmap::setData(HeatmapData data)
{
    const QString key = m_marks.row >= 0 ? m_data.rows[static_cast<std::size_t>(m_marks.row)].key : QString();
    const QString column = m_marks.column >= 0 ? m_data.columns.at(m_marks.column) : QString();
    hideCard();
    m_data = std::move(data);
    const HeatmapMarks before = m_marks;
    m_marks = {};
    m_marks.focused = before.focused;
    if (!m_data.name.isEmpty())
        setAccessibleName(m_data.name);
    // Before the position is restored: from here on, screen readers use the new cell numbers.
    if (QAccessible::isActive()) {
        QAccessibleTableModelChangeEvent reset(this, QAccessibleTableModelChangeEvent::ModelReset);
        QAccessible::updateAccessibility(&reset);
    }
    restoreCurrent(key, column);
    m_levels = m_data.levels ? m_data.levels : std::make_shared<const HeatmapLevels>(m_data);
    rebuild();
    Q_EMIT zoomChanged();
    if (m_marks.row != before.row || m_marks.column != before.column)
        Q_EMIT currentChanged(m_marks.row, m_marks.column);
}

void Heatmap::restoreCurrent(const QString &key, const QString &column)
{
    if (m_data.rows.empty() || m_data.columns.isEmpty())
        return;
    const auto row = std::find_if(m_data.rows.begin(), m_data.rows.end(), [&](const auto &r) { return r.key == key; });
    const auto index = m_data.columns.indexOf(column);
    const bool same = row != m_data.rows.end() && index >= 0;
    m_marks.row =
        same ? static_cast<int>(row - m_data.rows.begin()) : std::clamp(m_data.firstRow, 0, m_data.rowCount() - 1);
    m_marks.column = index >= 0 ? static_cast<int>(index) : std::clamp(m_data.firstColumn, 0, m_data.columnCount() - 1);
}

void Heatmap::rebuild()
{
    measureTexts();
    layOut();
}

void Heatmap::measureTexts()
{
    const QFontMetrics caption(m_theme.font(TextSize::Caption));
    const QFontMetrics body(m_theme.font(TextSize::Body));
    HeatmapMeasures m;
    m.zoom = m_measures.zoom;
    m.rows = m_data.rowCount();
    m.columns = m_data.columnCount();
    m.captionHeight = caption.height();
    m.bodyHeight = body.height();
    m.hasGroups = !m_data.groups.empty();
    m.hasMeans = !m_data.columnMeans.empty();
    m_bars = {};
    bool bars = false;
    WidestText label(body), meanText(body), sideText(caption);
    for (const HeatmapData::Row &row : m_data.rows) {
        label.add(row.label);
        meanText.add(row.meanText);
        sideText.add(row.sideText);
        if (!std::isnan(row.side)) {
            bars = true;
            m_bars.longest = std::max(m_bars.longest, row.side);
        }
    }
    m.labelWidth = label.width();
    m_bars.textWidth = sideText.width();
    const int mean = meanText.width();
    constexpr int kShortestLongBar = 44; // minimum length of the longest bar
    if (mean > 0)
        m.meanWidth = std::max(mean, caption.horizontalAdvance(m_data.meanTitle) + 1);
    if (bars)
        m.sideWidth =
            std::max(m_bars.textWidth + 8 + kShortestLongBar, caption.horizontalAdvance(m_data.sideTitle) + 1);
    m_measures = m;
}

void Heatmap::layOut()
{
    m_measures.viewport = viewport()->size();
    m_measures.devicePixelRatio = devicePixelRatioF();
    m_measures.mirrored = isRightToLeft();
    m_geometry = HeatmapGeometry(m_measures);
    const int preferred = m_geometry.preferredHeight();
    const QSize content = m_geometry.contentSize();
    const QSize page = m_geometry.pageSize();
    verticalScrollBar()->setPageStep(page.height());
    verticalScrollBar()->setSingleStep(
        std::max(1, static_cast<int>(std::max<qreal>(m_geometry.rowPitch(), kLeastStep))));
    horizontalScrollBar()->setPageStep(page.width());
    horizontalScrollBar()->setSingleStep(std::max(kLeastStep, static_cast<int>(m_geometry.columnWidth() * 4)));
    verticalScrollBar()->setRange(0, std::max(0, content.height() - page.height()));
    horizontalScrollBar()->setRange(0, std::max(0, content.width() - page.width()));
    scrollTo();
    if (const bool larger = isLargerThanView(); larger != m_larger) {
        m_larger = larger;
        Q_EMIT zoomChanged();
    }
    if (preferred != m_preferredHeight) {
        m_preferredHeight = preferred;
        updateGeometry();
    }
}

void Heatmap::scrollTo()
{
    m_measures.scroll = {horizontalScrollBar()->value(), verticalScrollBar()->value()};
    m_geometry = HeatmapGeometry(m_measures);
    viewport()->update();
}

void Heatmap::setCurrent(int row, int column)
{
    if (m_data.rows.empty() || m_data.columns.isEmpty())
        return;
    row = std::clamp(row, 0, m_data.rowCount() - 1);
    column = std::clamp(column, 0, m_data.columnCount() - 1);
    ensureVisible(row, column);
    if (row == m_marks.row && column == m_marks.column)
        return;
    updateCell(m_marks.row, m_marks.column);
    m_marks.row = row;
    m_marks.column = column;
    updateCell(row, column);
    if (hasFocus())
        announceCurrent();
    Q_EMIT currentChanged(row, column);
}

void Heatmap::ensureVisible(int row, int column)
{
    const int top = static_cast<int>(row * m_geometry.rowPitch());
    const int bottom = static_cast<int>(std::ceil((row + 1) * m_geometry.rowPitch())) - m_geometry.pageSize().height();
    QScrollBar *vertical = verticalScrollBar();
    vertical->setValue(std::clamp(vertical->value(), std::min(bottom, top), top));
    const int left = static_cast<int>(column * m_geometry.columnWidth());
    const int right =
        static_cast<int>(std::ceil((column + 1) * m_geometry.columnWidth())) - m_geometry.pageSize().width();
    QScrollBar *horizontal = horizontalScrollBar();
    horizontal->setValue(std::clamp(horizontal->value(), std::min(right, left), left));
}

bool Heatmap::cellAt(const QPointF &position, int &row, int &column) const
{
    row = m_geometry.rowAt(static_cast<int>(std::floor(position.y())));
    column = m_geometry.columnAt(position.x());
    return row >= 0 && column >= 0;
}

QString Heatmap::valueText(int row, int column) const
{
    const QString value = plainValueText(row, column);
    if (!m_data.isPart(row, column))
        return value;
    const int known = m_data.knownPercent(row, column);
    if (known == 0)
        return tr("%1, %2", "value, not observed").arg(value, tr("not observed", "a cell without measurements"));
    return tr("%1, %2: %3 %", "value, what a cell is that is known only in part, share that is known")
        .arg(value, m_data.partText, QLocale().toString(known));
}

QString Heatmap::plainValueText(int row, int column) const
{
    const double value = m_data.value(row, column);
    if (m_data.isBlank(row, column))
        return m_data.blankText;
    if (std::isnan(value))
        return tr("not observed", "a cell without measurements");
    return m_data.valueText ? m_data.valueText(value) : QLocale().toString(value, 'f', 1);
}

QString Heatmap::cellText(int row, int column) const
{
    return tr("%1, %2: %3", "row, column: value")
        .arg(m_data.rows[static_cast<std::size_t>(row)].label, m_data.columns.at(column), valueText(row, column));
}

QSize Heatmap::sizeHint() const
{
    return {900, m_preferredHeight};
}

QSize Heatmap::minimumSizeHint() const
{
    return {480, 160};
}

void Heatmap::updateCell(int row, int column)
{
    if (row < 0 || column < 0)
        return;
    constexpr int margin = HeatmapPainter::kMarkMargin;
    viewport()->update(m_geometry.cellRect(row, column).toAlignedRect().adjusted(-margin, -margin, margin, margin));
}

void Heatmap::updateLabel(int row)
{
    if (row >= 0)
        viewport()->update(m_geometry.rowRect(row, m_geometry.labels()));
}

void Heatmap::paintEvent(QPaintEvent *event)
{
    // The window may have moved to a screen with another scale.
    if (!qFuzzyCompare(m_measures.devicePixelRatio, devicePixelRatioF()))
        QMetaObject::invokeMethod(this, &Heatmap::layOut, Qt::QueuedConnection);
    QPainter painter(viewport());
    paintWith(painter, event->region(), m_marks);
}

void Heatmap::paintWith(QPainter &painter, const QRegion &region, const HeatmapMarks &marks) const
{
    HeatmapPainter(m_theme, m_data, m_geometry, *m_levels, marks, m_bars, m_measures,
                   tr("not observed", "a cell without measurements"))
        .paint(painter, region);
}

} // namespace gpuledger::widgets
