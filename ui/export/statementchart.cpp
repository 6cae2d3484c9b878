// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/statementchart.h"

#include "ui/export/statementdocument.h"
#include "ui/format/local/localtext.h"

#include <QAbstractTextDocumentLayout>
#include <QCoreApplication>
#include <QFontMetricsF>
#include <QLocale>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace gpuledger::ui {

using Sheet = StatementSheet;

namespace {

constexpr int kSwatchObject = QTextFormat::UserObject + 1, kChartObject = QTextFormat::UserObject + 2;
constexpr int kWhich = QTextFormat::UserProperty + 1; // swatch; section of the sheet
constexpr double kSwatchSide = 9, kChartHeight = 150, kLegendRoom = 22, kLabelRoom = 20, kAxisRoom = 62; // 1/96 inch
constexpr double kBarShare = 0.62; // of the width of a month
constexpr double kSmall = 0.85;
constexpr double kHatch = 4; // between the hatching lines for what was not observed, 1/96 inch
constexpr double kFaint = 0.45; // months other than the statement's
constexpr int kGridLines = 4;

// Diagonal lines; a brush pattern would become a bitmap in print.
void hatch(QPainter &painter, const QRectF &area, const QColor &color, double unit)
{
    painter.save();
    painter.setClipRect(area, Qt::IntersectClip);
    painter.setPen(QPen(color, unit));
    for (double x = area.left() - area.height(); x < area.right(); x += kHatch * unit)
        painter.drawLine(QPointF(x, area.bottom()), QPointF(x + area.height(), area.top()));
    painter.setPen(QPen(color, unit));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(area);
    painter.restore();
}

QColor mixed(const QColor &a, const QColor &b, double share)
{
    const auto part = [share](float x, float y) { return static_cast<float>(x * (1 - share) + y * share); };
    return QColor::fromRgbF(part(a.redF(), b.redF()), part(a.greenF(), b.greenF()), part(a.blueF(), b.blueF()));
}

// `faint`: how much of the paper shows through, 0..1. Nothing is transparent, because printers rasterize transparency.
void fill(QPainter &painter, const QRectF &area, std::size_t swatch, const DocumentLook &look, double faint = 0)
{
    const QColor color = mixed(look.swatches[swatch], look.paper, faint);
    if (swatch != static_cast<std::size_t>(Sheet::Swatch::Unobserved)) {
        painter.fillRect(area, color);
        return;
    }
    painter.fillRect(area, look.paper);
    hatch(painter, area, color, look.unit);
}

QString axisText(double value)
{
    QString text = LocalText::shortMoney(value);
    const QString none = QLocale().decimalPoint() + QLocale().zeroDigit();
    const auto at = text.indexOf(none); // "300.0k" becomes 300k on an axis
    if (at > 0 && (at + none.size() == text.size() || !text.at(at + none.size()).isDigit()))
        text.remove(at, none.size());
    return text;
}

// The axis from the lowest to the highest sum, in steps of 1, 2 or 5.
struct Axis {
    double low = 0, high = 1, step = 1;

    static Axis of(const std::vector<Sheet::Month> &months)
    {
        Axis axis;
        double high = 0, low = 0;
        for (const Sheet::Month &month : months) {
            double above = 0, below = 0;
            for (const double value : month.values)
                (value > 0 ? above : below) += value;
            high = std::max(high, above);
            low = std::min(low, below);
        }
        const double raw = std::max(high - low, 1e-9) / kGridLines;
        const double power = std::pow(10, std::floor(std::log10(raw)));
        const double part = raw / power;
        constexpr double kHalf = 5;
        axis.step = power * (part <= 1 ? 1 : part <= 2 ? 2 : part <= kHalf ? kHalf : 10);
        axis.high = std::max(1.0, std::ceil(high / axis.step)) * axis.step;
        axis.low = std::floor(low / axis.step) * axis.step;
        return axis;
    }
};

class ChartPainter {
    Q_DECLARE_TR_FUNCTIONS(gpuledger::ui::StatementChart)
public:
    ChartPainter(QPainter &painter, const QRectF &area, const Sheet::Section &section, const DocumentLook &look)
        : m_painter(painter)
        , m_section(section)
        , m_look(look)
        , m_axis(Axis::of(section.months))
        , m_plot(area.adjusted(kAxisRoom * look.unit, kLegendRoom * look.unit, 0, -kLabelRoom * look.unit))
        , m_area(area)
    {
    }

    void draw()
    {
        m_painter.save();
        QFont font = m_look.font;
        if (font.pixelSize() > 0)
            font.setPixelSize(qRound(font.pixelSize() * kSmall));
        else
            font.setPointSizeF(font.pointSizeF() * kSmall);
        m_painter.setFont(font);
        drawLegend();
        drawGrid();
        const double room = m_plot.width() / static_cast<double>(m_section.months.size());
        for (std::size_t i = 0; i < m_section.months.size(); ++i)
            drawMonth(m_section.months[i], m_plot.left() + room * static_cast<double>(i), room);
        m_painter.restore();
    }

private:
    double y(double value) const
    {
        return m_plot.bottom() - (value - m_axis.low) / (m_axis.high - m_axis.low) * m_plot.height();
    }

    void drawLegend()
    {
        const std::array<QString, 5> names{tr("Active"), tr("Idle"), tr("Unallocated"), tr("Not observed"),
                                           tr("Everything else")};
        const QFontMetricsF metrics(m_painter.font(), m_painter.device());
        double x = m_plot.left();
        const double side = kSwatchSide * m_look.unit;
        for (std::size_t i = 0; i < names.size(); ++i) {
            const bool any = std::any_of(m_section.months.begin(), m_section.months.end(),
                                         [&](const Sheet::Month &month) { return month.values[i] != 0; });
            if (!any)
                continue;
            fill(m_painter, {x, m_area.top() + side / 3, side, side}, i + 1, m_look);
            x += side * 1.5;
            m_painter.setPen(m_look.muted);
            m_painter.drawText(QPointF(x, m_area.top() + side / 3 + side), names[i]);
            x += metrics.horizontalAdvance(names[i]) + side * 1.5;
        }
    }

    void drawGrid()
    {
        for (double value = m_axis.low; value <= m_axis.high + m_axis.step / 2; value += m_axis.step) {
            QString text = axisText(value);
            if (m_look.hasPlainMinus)
                text.replace(QChar(0x2212), QLatin1Char('-'));
            m_painter.setPen(QPen(m_look.line, m_look.unit));
            m_painter.drawLine(QPointF(m_plot.left(), y(value)), QPointF(m_plot.right(), y(value)));
            m_painter.setPen(m_look.muted);
            const double half = kLabelRoom / 2 * m_look.unit;
            m_painter.drawText(QRectF(m_area.left(), y(value) - half, (kAxisRoom - 8) * m_look.unit, 2 * half),
                               Qt::AlignRight | Qt::AlignVCenter, text);
        }
    }

    void drawMonth(const Sheet::Month &month, double left, double room)
    {
        const QRectF label(left, m_plot.bottom(), room, kLabelRoom * m_look.unit);
        QFont font = m_painter.font();
        font.setBold(month.isShown);
        m_painter.setFont(font);
        m_painter.setPen(month.isShown ? m_look.text : m_look.muted);
        m_painter.drawText(label, Qt::AlignHCenter | Qt::AlignBottom, month.label);
        font.setBold(false);
        m_painter.setFont(font);
        if (!month.isKnown)
            return;
        double above = 0, below = 0;
        for (std::size_t i = 0; i < month.values.size(); ++i) {
            const double value = month.values[i];
            double &from = value > 0 ? above : below;
            const double start = y(from), end = y(from + value);
            from += value;
            if (std::abs(end - start) > 0)
                fill(m_painter,
                     QRectF(left + room * (1 - kBarShare) / 2, std::min(start, end), room * kBarShare,
                            std::abs(end - start)),
                     i + 1, m_look, month.isShown ? 0 : kFaint);
        }
    }

    QPainter &m_painter;
    const Sheet::Section &m_section;
    const DocumentLook &m_look;
    Axis m_axis;
    QRectF m_plot, m_area;
};

void insert(QTextCursor &cursor, int object, int which)
{
    QTextCharFormat format;
    format.setObjectType(object);
    format.setProperty(kWhich, which);
    cursor.insertText(QString(QChar::ObjectReplacementCharacter), format);
}

} // namespace

StatementObjects::StatementObjects(const StatementSheet &sheet, const DocumentLook &look, QTextDocument &document)
    : QObject(&document)
    , m_sections(sheet.sections)
    , m_look(std::make_unique<const DocumentLook>(look))
{
}

StatementObjects::~StatementObjects() = default;

QSizeF StatementObjects::intrinsicSize(QTextDocument *document, int, const QTextFormat &format)
{
    if (format.objectType() == kSwatchObject)
        return {kSwatchSide * m_look->unit, kSwatchSide * m_look->unit};
    // As wide as the document; a fraction of a pixel more would cause a line break.
    return {std::max(1.0, std::floor(document->textWidth() - 2 * document->documentMargin()) - 1),
            kChartHeight * m_look->unit};
}

void StatementObjects::drawObject(QPainter *painter, const QRectF &rect, QTextDocument *, int,
                                  const QTextFormat &format)
{
    const auto which = static_cast<std::size_t>(format.intProperty(kWhich));
    if (format.objectType() == kSwatchObject)
        fill(*painter, rect, which, *m_look);
    else if (which < m_sections.size())
        ChartPainter(*painter, rect, m_sections[which], *m_look).draw();
}

void registerStatementObjects(QTextDocument &document, const StatementSheet &sheet, const DocumentLook &look)
{
    auto *objects = new StatementObjects(sheet, look, document);
    document.documentLayout()->registerHandler(kSwatchObject, objects);
    document.documentLayout()->registerHandler(kChartObject, objects);
}

void insertSwatch(QTextCursor &cursor, StatementSheet::Swatch swatch)
{
    insert(cursor, kSwatchObject, static_cast<int>(swatch));
}

void insertChart(QTextCursor &cursor, int section)
{
    insert(cursor, kChartObject, section);
}

} // namespace gpuledger::ui
