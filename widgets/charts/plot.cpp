// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/charts/plot.h"

#include "widgets/state/plaintext.h"

#include <QGraphicsLayout>
#include <QGraphicsScene>
#include <QGraphicsTextItem>
#include <QPainter>
#include <QtCharts/QAreaSeries>
#include <QtCharts/QBarSet>
#include <QtCharts/QCategoryAxis>
#include <QtCharts/QChart>
#include <QtCharts/QLegend>
#include <QtCharts/QLegendMarker>
#include <QtCharts/QLineSeries>
#include <QtCharts/QScatterSeries>
#include <QtCharts/QStackedBarSeries>

#include <algorithm>
#include <cmath>

namespace gpuledger::widgets {

namespace {

constexpr double kPaleShare = 0.4;
constexpr float kAreaOpacity = 0.14F;
constexpr qreal kPlotLine = 1.5;
constexpr double kFarAway = 1000; // times the height of the plot: nothing beyond it is visible
constexpr int kPlacings = 8;

QPen noOutline()
{
    return QPen(Qt::NoPen);
}

// Qt Charts takes the texts of its axes for HTML and wants each of them to be different.
QString axisMarkup(const QString &text, std::size_t index)
{
    QStringList lines;
    for (const QString &line : text.split(QLatin1Char('\n')))
        lines << plainLine(line).toHtmlEscaped();
    const QString unique = QStringLiteral("<!--%1-->").arg(index);
    return lines.size() == 1
        ? lines.front() + unique
        : QStringLiteral("<div align=center>%1</div>").arg(lines.join(QStringLiteral("<br>"))) + unique;
}

// Moves the square and the name of an entry in a legend.
void placeMark(QGraphicsItem &item, const LegendPlace &place, bool mirrored)
{
    for (QGraphicsItem *part : item.childItems()) {
        const QRectF now = part->sceneBoundingRect();
        if (!qgraphicsitem_cast<QGraphicsTextItem *>(part)) {
            const QPointF move = place.swatch.center() - now.center();
            part->moveBy(move.x(), move.y());
            continue;
        }
        const qreal x = mirrored ? place.name.right() - now.right() : place.name.left() - now.left();
        part->moveBy(x, std::round(place.name.center().y() - now.height() / 2) - now.top());
    }
}

} // namespace

QColor paleColor(const QColor &color, const Theme &theme)
{
    const QColor ground = theme.color(Color::Surface);
    const auto mix = [](int a, int b) { return qRound(a * kPaleShare + b * (1 - kPaleShare)); };
    return {mix(color.red(), ground.red()), mix(color.green(), ground.green()), mix(color.blue(), ground.blue())};
}

struct Plot::Parts {
    Parts()
        : chart(new QChart)
    {
        scene.setItemIndexMethod(QGraphicsScene::NoIndex);
        scene.addItem(chart);
        chart->setBackgroundVisible(false);
        chart->setMargins({});
        chart->setMinimumSize(0, 0);
        chart->layout()->setContentsMargins(0, 0, 0, 0);
        QLegend *legend = chart->legend();
        legend->detachFromChart();
        legend->setBackgroundVisible(false);
        legend->setMarkerShape(QLegend::MarkerShapeFromSeries);
    }

    // Without a marker in the legend, which has its own series.
    void add(QAbstractSeries *series)
    {
        chart->addSeries(series);
        for (QLegendMarker *marker : chart->legend()->markers(series))
            marker->setVisible(false);
        plotted.push_back(series);
    }

    QGraphicsScene scene; // owns the chart, which owns the rest
    QChart *chart;
    std::vector<QAbstractSeries *> plotted;
    std::vector<QBarSet *> hatched;
    std::vector<QScatterSeries *> hatchedMarks;
};

Plot::Plot(const Theme &theme)
    : m_theme(theme)
{
}

Plot::~Plot() = default;

void Plot::invalidate()
{
    m_built = false;
    dropPixmap();
}

void Plot::dropPixmap()
{
    m_pixmap = QPixmap();
}

void Plot::build(PlotSpec spec)
{
    m_spec = std::move(spec);
    // A scene of its own for each build: Qt Charts deletes the texts and the grid of a removed axis only later, so that
    // they would still be painted with the new ones.
    m_parts = std::make_unique<Parts>();
    m_parts->chart->legend()->setFont(m_theme.font(TextSize::Caption));
    m_parts->chart->legend()->setLabelColor(m_theme.color(Color::Muted));
    addStacks();
    for (const PlotLine &line : m_spec.lines)
        addLine(line);
    for (const PlotDots &dots : m_spec.dots)
        addDots(dots);
    for (const PlotRule &rule : m_spec.rules)
        addRule(rule);
    for (const LegendPlace &mark : m_spec.legend)
        addMark(mark);
    addAxes();
    m_placed = place();
    dropPixmap();
    m_built = true;
}

void Plot::addStacks()
{
    if (m_spec.stacks.empty())
        return;
    auto *bars = new QStackedBarSeries;
    bars->setBarWidth(m_spec.barWidth);
    const double farAway = kFarAway * (m_spec.top - m_spec.bottom);
    for (const PlotStack &stack : m_spec.stacks) {
        auto *set = new QBarSet({});
        QList<qreal> values;
        for (const double value : stack.values)
            values.append(std::isnan(value) ? 0 : std::clamp(value, -farAway, farAway));
        set->append(values);
        set->setPen(noOutline());
        set->setBrush(stack.color.isValid() ? QBrush(stack.color) : QBrush(Qt::transparent));
        if (stack.hatched)
            m_parts->hatched.push_back(set);
        if (!stack.pale.empty()) {
            set->setSelectedColor(paleColor(stack.color, m_theme));
            set->selectBars(QList<int>(stack.pale.begin(), stack.pale.end()));
        }
        bars->append(set);
    }
    m_parts->add(bars);
}

void Plot::addLine(const PlotLine &line)
{
    const QList<QPointF> points(line.points.begin(), line.points.end());
    if (line.filled) {
        auto *edge = new QLineSeries;
        edge->append(points);
        auto *area = new QAreaSeries(edge);
        edge->setParent(area);
        QColor soft = line.color;
        soft.setAlphaF(kAreaOpacity);
        area->setPen(noOutline());
        area->setBrush(soft);
        m_parts->add(area);
    }
    auto *series = new QLineSeries;
    series->append(points);
    series->setPen(QPen(line.color, kPlotLine, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    m_parts->add(series);
}

void Plot::addDots(const PlotDots &dots)
{
    auto *series = new QScatterSeries;
    series->append(QList<QPointF>(dots.points.begin(), dots.points.end()));
    series->setMarkerSize(dots.diameter);
    series->setPen(noOutline());
    series->setBrush(dots.color);
    m_parts->add(series);
}

void Plot::addRule(const PlotRule &rule)
{
    auto *series = new QLineSeries;
    const double y = snapped(rule.at);
    series->append(m_spec.left, y);
    series->append(m_spec.right, y);
    QPen pen(rule.color, 1, Qt::SolidLine, Qt::FlatCap);
    if (rule.dashed)
        pen.setDashPattern({5, 4});
    series->setPen(pen);
    m_parts->add(series);
}

// An entry of the legend is a series without values: not every entry has a series, and not every series an entry.
void Plot::addMark(const LegendPlace &place)
{
    const LegendEntry &entry = place.entry;
    const QColor color = entry.color.resolve(m_theme);
    QXYSeries *series = nullptr;
    if (entry.line) {
        series = new QLineSeries;
        series->setPen(QPen(color, 2, Qt::SolidLine, Qt::FlatCap));
    } else {
        auto *square = new QScatterSeries;
        square->setMarkerShape(QScatterSeries::MarkerShapeRectangle);
        square->setMarkerSize(place.swatch.width() - (entry.pale ? 1 : 0));
        square->setPen(entry.pale ? QPen(color, 1) : noOutline());
        square->setBrush(entry.pale ? paleColor(color, m_theme) : color);
        if (entry.hatched)
            m_parts->hatchedMarks.push_back(square);
        series = square;
    }
    series->setName(place.text.toHtmlEscaped());
    m_parts->chart->addSeries(series);
}

// Rounded to a whole number of pixels above the bottom.
double Plot::snapped(double y) const
{
    const double share = (y - m_spec.bottom) / (m_spec.top - m_spec.bottom);
    const double height = m_spec.area.height();
    return m_spec.bottom + std::round(share * height) / height * (m_spec.top - m_spec.bottom);
}

void Plot::addAxes()
{
    const auto add = [this](const std::vector<PlotTick> &ticks, double from, double to, Qt::Alignment side) {
        auto *axis = new QCategoryAxis;
        axis->setLabelsPosition(QCategoryAxis::AxisLabelsPositionOnValue);
        axis->setTruncateLabels(false); // they were chosen to fit
        axis->setLineVisible(false);
        axis->setLabelsFont(m_theme.font(TextSize::Caption));
        axis->setLabelsBrush(m_theme.color(Color::Muted));
        axis->setGridLinePen(QPen(m_theme.color(Color::Border), 1));
        axis->setRange(from, to);
        axis->setStartValue(from - (to - from)); // the first text is at the end of a category too
        for (std::size_t i = 0; i < ticks.size(); ++i)
            axis->append(axisMarkup(ticks[i].text, i), side == Qt::AlignBottom ? ticks[i].at : snapped(ticks[i].at));
        m_parts->chart->addAxis(axis, side);
        for (QAbstractSeries *series : m_parts->plotted)
            series->attachAxis(axis);
        return axis;
    };
    add(m_spec.x, m_spec.left, m_spec.right, Qt::AlignBottom)->setGridLineVisible(false);
    add(m_spec.y, m_spec.bottom, m_spec.top, m_spec.mirrored ? Qt::AlignRight : Qt::AlignLeft)
        ->setVisible(m_spec.valueAxis);
}

// False if the chart is too small for its axes.
bool Plot::place()
{
    QChart *chart = m_parts->chart;
    // Half a pixel lower, so that smooth lines at round pixels are crisp.
    const QRectF wanted = m_spec.stacks.empty() ? m_spec.area.translated(0, 0.5) : m_spec.area;
    // Axes take as much room around the plot as their texts need, so the chart gets what the plot needs and theirs.
    QRectF whole = wanted.adjusted(-40, -10, 40, 30);
    for (int i = 0; i < kPlacings; ++i) {
        chart->setGeometry(whole);
        chart->layout()->activate();
        const QRectF got = chart->plotArea().translated(chart->pos());
        const QMarginsF missing(got.left() - wanted.left(), got.top() - wanted.top(), wanted.right() - got.right(),
                                wanted.bottom() - got.bottom());
        const auto isSmall = [](qreal one) { return std::abs(one) < 0.01; };
        if (isSmall(missing.left()) && isSmall(missing.top()) && isSmall(missing.right()) && isSmall(missing.bottom()))
            break;
        whole = whole.marginsAdded(missing);
    }
    // Nothing of the legend is visible outside its own rectangle.
    chart->legend()->setGeometry(QRectF(-chart->pos(), m_spec.size));
    const QPointF end = chart->plotArea().translated(chart->pos()).bottomRight() - wanted.bottomRight();
    return end.manhattanLength() < 0.5;
}

QPointF Plot::positionOf(const QPointF &point) const
{
    if (!m_parts || m_parts->plotted.empty())
        return {};
    return m_parts->chart->mapToPosition(point, m_parts->plotted.front()) + m_parts->chart->pos();
}

// The legend of Qt Charts cuts names instead of wrapping, and has no right-to-left; so its items get our places.
void Plot::placeLegend()
{
    QLegend *legend = m_parts->chart->legend();
    legend->layout()->activate();
    std::size_t next = 0;
    for (QGraphicsItem *group : legend->childItems()) {
        for (QGraphicsItem *item : group->childItems()) {
            if (item->isVisible() && next < m_spec.legend.size())
                placeMark(*item, m_spec.legend[next++], m_spec.mirrored);
        }
    }
}

void Plot::render(QPainter &painter)
{
    if (!m_placed)
        return;
    const QBrush hatch = m_theme.hatch(painter.device()->devicePixelRatio());
    for (QBarSet *set : m_parts->hatched)
        set->setBrush(hatch);
    for (QScatterSeries *mark : m_parts->hatchedMarks)
        mark->setBrush(hatch);
    m_parts->chart->layout()->activate();
    placeLegend();
    painter.save();
    // Bars keep sharp edges; lines are smooth.
    painter.setRenderHint(QPainter::Antialiasing, m_spec.stacks.empty());
    const QRectF all(QPointF(0, 0), m_spec.size);
    m_parts->scene.render(&painter, all, all);
    painter.restore();
}

void Plot::paint(QPainter &painter, bool keep)
{
    if (!keep)
        return render(painter);
    const qreal ratio = painter.device()->devicePixelRatioF();
    if (m_pixmap.isNull() || m_pixmap.devicePixelRatio() != ratio) {
        m_pixmap = QPixmap((QSizeF(m_spec.size) * ratio).toSize().expandedTo({1, 1}));
        m_pixmap.setDevicePixelRatio(ratio);
        m_pixmap.fill(Qt::transparent);
        QPainter once(&m_pixmap);
        render(once);
    }
    painter.drawPixmap(QPointF(0, 0), m_pixmap);
}

} // namespace gpuledger::widgets
