// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/statementdocument.h"

#include "ui/export/statementchart.h"
#include "widgets/state/plaintext.h"

#include <QCoreApplication>
#include <QTextCursor>
#include <QTextTable>

#include <algorithm>

namespace gpuledger::ui {

using Sheet = StatementSheet;

namespace {

constexpr int kRowProperty = QTextFormat::UserProperty + 17; // table, section, row
// Relative to the body size.
constexpr double kTitle = 1.5, kFigure = 1.9, kSection = 1.15, kSmallText = 0.85;
constexpr QChar kMinus(0x2212);
constexpr int kPadding = 5, kGap = 14; // of 1/96 inch
constexpr int kWholeWidth = 100, kTitleWidth = 55; // percent
constexpr int kFigureWidth = 12, kWideFigureWidth = 16; // of a table with many or few columns

class Builder {
    Q_DECLARE_TR_FUNCTIONS(gpuledger::ui::StatementDocument)
public:
    Builder(const Sheet &sheet, const DocumentLook &look, QTextDocument &document)
        : m_sheet(sheet)
        , m_look(look)
        , m_document(document)
        , m_cursor(&document)
    {
    }

    // As one edit: otherwise Qt lays out the document again after each change of a cell.
    void build()
    {
        m_cursor.beginEditBlock();
        for (const Sheet::Section &section : m_sheet.sections)
            add(section);
        if (!m_sheet.savingsNote.isEmpty() && !m_sheet.sections.empty())
            addSavings();
        if (m_sheet.sections.empty()) {
            write(m_sheet.title, titleFormat());
            block(kGap);
            write(tr("This team has no figures in this month."), format(m_look.muted));
        }
        m_cursor.endEditBlock();
    }

private:
    struct Column {
        QString title;
        bool isFigure = true;
    };
    struct Cell {
        QString text;
        QColor color;
        Sheet::Swatch swatch = Sheet::Swatch::None;
    };

    QTextCharFormat format(const QColor &color, double size = 1, bool bold = false) const
    {
        QTextCharFormat out;
        QFont font = m_look.font;
        if (font.pixelSize() > 0)
            font.setPixelSize(qRound(font.pixelSize() * size));
        else
            font.setPointSizeF(font.pointSizeF() * size);
        font.setBold(bold);
        out.setFont(font);
        out.setForeground(color);
        return out;
    }
    QTextCharFormat titleFormat() const { return format(m_look.text, kTitle, true); }

    void write(const QString &text, const QTextCharFormat &format) { m_cursor.insertText(written(text), format); }

    // Paper has the minus that every program can read.
    QString written(const QString &text) const
    {
        QString line = widgets::plainLine(text);
        return m_look.hasPlainMinus ? line.replace(kMinus, QLatin1Char('-')) : line;
    }

    void block(int gap, Qt::Alignment alignment = Qt::AlignLeft)
    {
        QTextBlockFormat out;
        out.setTopMargin(gap);
        out.setAlignment(alignment);
        if (m_cursor.block().length() <= 1 && m_cursor.block().position() == 0)
            m_cursor.setBlockFormat(out);
        else
            m_cursor.insertBlock(out);
    }

    void add(const Sheet::Section &section)
    {
        addHead(section);
        addLines(section);
        if (!section.teams.empty())
            addTeams(section);
        if (!section.adjustments.empty())
            addAmounts(tr("Adjustments of closed months"), tr("Month"), section.adjustments, true);
        if (!section.shared.empty())
            addAmounts(tr("Who pays for shared and idle cost"), tr("Rules"), section.shared,
                       section.shared.back().month.isEmpty());
        if (!section.budgets.empty())
            addBudgets(section);
        addChart(section);
        if (!section.workloads.empty())
            addWorkloads(section);
        for (const QString &note : section.notes) {
            block(note == section.notes.front() ? kGap : kPadding);
            write(note, format(m_look.muted, kSmallText));
        }
    }

    static QTextTableFormat plainTable()
    {
        QTextTableFormat out;
        out.setBorder(0);
        out.setCellSpacing(0);
        out.setCellPadding(0);
        out.setBorderCollapse(true); // only then cells can have borders of their own
        out.setWidth(QTextLength(QTextLength::PercentageLength, kWholeWidth));
        return out;
    }

    void addHead(const Sheet::Section &section)
    {
        QTextTableFormat layout = plainTable();
        layout.setColumnWidthConstraints({QTextLength(QTextLength::PercentageLength, kTitleWidth),
                                          QTextLength(QTextLength::PercentageLength, kWholeWidth - kTitleWidth)});
        if (&section != m_sheet.sections.data()) { // another currency has a statement of its own
            layout.setTopMargin(3 * kGap);
            layout.setPageBreakPolicy(QTextFormat::PageBreak_AlwaysBefore);
        }
        QTextTable *table = m_cursor.insertTable(1, 2, layout);
        QTextCursor left = table->cellAt(0, 0).firstCursorPosition();
        left.insertText(widgets::plainLine(m_sheet.title), titleFormat());
        left.insertBlock();
        left.insertText(m_sheet.subtitle, format(m_look.muted));
        left.insertBlock();
        left.insertText(m_sheet.standing, format(m_look.muted));
        QTextBlockFormat right;
        right.setAlignment(Qt::AlignRight);
        QTextCursor end = table->cellAt(0, 1).firstCursorPosition();
        end.setBlockFormat(right);
        end.insertText(tr("Total, %1").arg(section.currency), format(m_look.muted));
        end.insertBlock(right);
        end.insertText(written(section.total), format(m_look.text, kFigure, true));
        if (!section.change.isEmpty()) {
            end.insertBlock(right);
            end.insertText(written(section.change), format(toneColor(section.tone)));
        }
        m_cursor.movePosition(QTextCursor::End);
        addChange(section);
    }

    // The components of the change, side by side.
    void addChange(const Sheet::Section &section)
    {
        if (section.why.empty())
            return;
        std::vector<Column> columns{{{}, false}};
        std::vector<Cell> row{{section.whyTitle, m_look.text}};
        for (const auto &[name, amount] : section.why) {
            columns.push_back({name});
            row.push_back({amount, m_look.text});
        }
        addTable(columns, {row}, false);
    }

    QColor toneColor(Sheet::Tone tone) const
    {
        return tone == Sheet::Tone::Dearer ? m_look.dearer
            : tone == Sheet::Tone::Cheaper ? m_look.cheaper
                                           : m_look.text;
    }

    void heading(const QString &title)
    {
        block(kGap);
        QTextBlockFormat mark;
        mark.setProperty(kHeadingProperty, true);
        m_cursor.mergeBlockFormat(mark);
        write(title, format(m_look.text, kSection, true));
    }

    void addLines(const Sheet::Section &section)
    {
        std::vector<Column> columns{{tr("Line"), false}, {tr("GPU-hours")}, {m_sheet.amountTitle}};
        if (section.hasEstimate)
            columns.push_back({tr("incl. estimated")});
        if (section.hasBefore) {
            columns.push_back({m_sheet.beforeTitle});
            columns.push_back({tr("Change")});
        }
        std::vector<std::vector<Cell>> rows;
        for (const Sheet::Line &line : section.lines) {
            std::vector<Cell> row{
                {line.name, m_look.text, line.swatch}, {line.hours, m_look.text}, {line.amount, m_look.text}};
            if (section.hasEstimate)
                row.push_back({line.estimated, m_look.muted});
            if (section.hasBefore) {
                row.push_back({line.before, m_look.text});
                row.push_back({line.change, toneColor(line.tone)});
            }
            rows.push_back(std::move(row));
        }
        addTable(columns, rows, true, mark(SheetRow::Line, section));
    }

    void addTeams(const Sheet::Section &section)
    {
        heading(tr("Teams"));
        std::vector<Column> columns{{tr("Team"), false}, {tr("GPU-hours")}, {m_sheet.amountTitle}};
        if (section.hasBefore) {
            columns.push_back({m_sheet.beforeTitle});
            columns.push_back({tr("Change")});
        }
        std::vector<std::vector<Cell>> rows;
        for (const Sheet::Team &team : section.teams) {
            std::vector<Cell> row{{team.name, m_look.text}, {team.hours, m_look.text}, {team.amount, m_look.text}};
            if (section.hasBefore) {
                row.push_back({team.before, m_look.text});
                row.push_back({team.change, toneColor(team.tone)});
            }
            rows.push_back(std::move(row));
        }
        for (const Sheet::Adjustment &step : section.toBill) {
            rows.push_back({{step.name, m_look.text}, {{}, m_look.text}, {step.amount, m_look.text}});
            rows.back().resize(columns.size(), Cell{{}, m_look.text});
        }
        addTable(columns, rows, true, mark(SheetRow::Team, section));
    }

    // By a month or rule, and a name.
    void addAmounts(const QString &title, const QString &first, const std::vector<Sheet::Adjustment> &amounts,
                    bool hasTotal)
    {
        heading(title);
        std::vector<std::vector<Cell>> rows;
        for (const Sheet::Adjustment &one : amounts)
            rows.push_back({{one.month, m_look.text}, {one.name, m_look.text}, {one.amount, toneColor(one.tone)}});
        addTable({{first, false}, {tr("Line"), false}, {tr("Amount")}}, rows, hasTotal);
    }

    void addBudgets(const Sheet::Section &section)
    {
        heading(tr("Budgets of the month"));
        std::vector<std::vector<Cell>> rows;
        for (const Sheet::Budget &one : section.budgets)
            rows.push_back({{one.name, m_look.text},
                            {one.available, m_look.text},
                            {one.spent, m_look.text},
                            {one.left, toneColor(one.leftTone)},
                            {one.forecast, toneColor(one.forecastTone)},
                            {one.low, m_look.muted},
                            {one.high, m_look.muted}});
        addTable({{tr("Team"), false},
                  {tr("Available")},
                  {tr("Spent")},
                  {tr("Left")},
                  {tr("Forecast")},
                  {tr("Low")},
                  {tr("High")}},
                 rows, false);
    }

    void addWorkloads(const Sheet::Section &section)
    {
        heading(tr("Most expensive workloads"));
        std::vector<std::vector<Cell>> rows;
        for (const Sheet::Workload &one : section.workloads)
            rows.push_back({{one.name, m_look.text},
                            {one.hours, m_look.text},
                            {one.amount, m_look.text},
                            {one.idle, m_look.text}});
        addTable({{tr("Workload"), false}, {tr("GPU-hours")}, {m_sheet.amountTitle}, {tr("incl. idle")}}, rows, false,
                 mark(SheetRow::Workload, section));
    }

    void addSavings()
    {
        heading(tr("Savings"));
        std::vector<std::vector<Cell>> rows;
        for (const Sheet::Saving &one : m_sheet.savings)
            rows.push_back({{one.name, m_look.text},
                            {one.who, m_look.text},
                            {one.currency, m_look.text},
                            {one.low, m_look.muted},
                            {one.middle, m_look.text},
                            {one.high, m_look.muted}});
        if (!rows.empty())
            addTable({{tr("Saving"), false},
                      {tr("Who"), false},
                      {tr("Currency"), false},
                      {tr("p10")},
                      {tr("p50")},
                      {tr("p90")}},
                     rows, false);
        block(kPadding);
        write(m_sheet.savingsNote, format(m_look.muted, kSmallText));
    }

    QList<QVariant> mark(SheetRow::Table table, const Sheet::Section &section) const
    {
        return {static_cast<int>(table), static_cast<int>(&section - m_sheet.sections.data())};
    }

    void addTable(const std::vector<Column> &columns, const std::vector<std::vector<Cell>> &rows, bool hasTotal,
                  const QList<QVariant> &mark = {})
    {
        QTextTableFormat layout = plainTable();
        layout.setTopMargin(kGap);
        layout.setCellPadding(kPadding);
        layout.setHeaderRowCount(1);
        // Names get what figures leave; the sum is exactly the full width, otherwise edges would not align.
        const auto figures = static_cast<int>(
            std::count_if(columns.begin(), columns.end(), [](const Column &column) { return column.isFigure; }));
        const int names = static_cast<int>(columns.size()) - figures;
        constexpr int kMany = 4;
        const int each = figures >= kMany ? kFigureWidth : kWideFigureWidth;
        QList<QTextLength> widths(columns.size(), QTextLength(QTextLength::PercentageLength, each));
        for (int i = 0; i < names; ++i) // they come first
            widths[i] =
                QTextLength(QTextLength::PercentageLength, static_cast<double>(kWholeWidth - figures * each) / names);
        layout.setColumnWidthConstraints(widths);
        block(0);
        QTextTable *table =
            m_cursor.insertTable(static_cast<int>(rows.size()) + 1, static_cast<int>(columns.size()), layout);
        for (std::size_t c = 0; c < columns.size(); ++c)
            put(*table, 0, c, columns[c], {columns[c].title, m_look.muted}, format(m_look.muted, kSmallText, true),
                false);
        for (std::size_t r = 0; r < rows.size(); ++r) {
            const bool isTotal = hasTotal && r + 1 == rows.size();
            const QList<QVariant> of = mark.isEmpty() ? mark : mark + QList<QVariant>{static_cast<int>(r)};
            for (std::size_t c = 0; c < columns.size(); ++c)
                put(*table, static_cast<int>(r) + 1, c, columns[c], rows[r][c], format(rows[r][c].color, 1, isTotal),
                    isTotal, of);
        }
        m_cursor.movePosition(QTextCursor::End);
    }

    void put(QTextTable &table, int row, std::size_t column, const Column &of, const Cell &cell,
             const QTextCharFormat &look, bool filled, const QList<QVariant> &mark = {})
    {
        QTextTableCell to = table.cellAt(row, static_cast<int>(column));
        QTextTableCellFormat frame;
        if (!mark.isEmpty())
            frame.setProperty(kRowProperty, mark);
        frame.setPadding(kPadding);
        frame.setBottomBorder(1);
        frame.setBottomBorderStyle(QTextFrameFormat::BorderStyle_Solid);
        frame.setBottomBorderBrush(m_look.line);
        if (filled)
            frame.setBackground(m_look.fill);
        to.setFormat(frame);
        QTextBlockFormat block;
        block.setAlignment(of.isFigure ? Qt::AlignRight : Qt::AlignLeft);
        block.setNonBreakableLines(of.isFigure);
        QTextCursor cursor = to.firstCursorPosition();
        cursor.setBlockFormat(block);
        if (cell.swatch != Sheet::Swatch::None) {
            insertSwatch(cursor, cell.swatch);
            cursor.insertText(QStringLiteral("  "), look);
        }
        cursor.insertText(of.isFigure ? written(cell.text.isEmpty() ? QStringLiteral("–") : cell.text)
                                      : widgets::plainLine(cell.text),
                          look);
    }

    void addChart(const Sheet::Section &section)
    {
        heading(tr("Twelve months, %1").arg(section.currency));
        block(kPadding);
        insertChart(m_cursor, static_cast<int>(&section - m_sheet.sections.data()));
    }

    const Sheet &m_sheet;
    const DocumentLook &m_look;
    QTextDocument &m_document;
    QTextCursor m_cursor;
};

} // namespace

std::optional<SheetRow> sheetRowAt(const QTextCursor &place)
{
    const QTextTable *table = place.currentTable();
    if (!table)
        return std::nullopt;
    const QList<QVariant> mark = table->cellAt(place).format().property(kRowProperty).toList();
    constexpr qsizetype kParts = 3;
    if (mark.size() != kParts)
        return std::nullopt;
    return SheetRow{static_cast<SheetRow::Table>(mark[0].toInt()), static_cast<std::size_t>(mark[1].toInt()),
                    static_cast<std::size_t>(mark[2].toInt())};
}

std::unique_ptr<QTextDocument> statementDocument(const StatementSheet &sheet, const DocumentLook &look)
{
    auto document = std::make_unique<QTextDocument>();
    document->setUndoRedoEnabled(false);
    document->setDocumentMargin(0);
    document->setDefaultFont(look.font);
    registerStatementObjects(*document, sheet, look);
    Builder(sheet, look, *document).build();
    return document;
}

} // namespace gpuledger::ui
