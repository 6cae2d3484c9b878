// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/statementprint.h"

#include "app/base/remedy.h"

#include <QAbstractTextDocumentLayout>
#include <QBuffer>
#include <QCoreApplication>
#include <QDateTime>
#include <QHashSeed>
#include <QPagedPaintDevice>
#include <QPainter>
#include <QPdfWriter>
#include <QTextBlock>
#include <QTextCursor>

#include <cmath>
#include <mutex>

namespace gpuledger::ui {

namespace {

constexpr double kSide = 68, kAbove = 60, kBelow = 72; // margins, 1/96 inch
constexpr double kRoomBelow = 90; // minimum room that a heading needs below it, 1/96 inch
constexpr double kFooter = 34; // distance of the centre of its line from the edge
constexpr double kFooterSize = 0.8;

// One sheet, laid out for the pages of a device.
struct Laid {
    std::unique_ptr<QTextDocument> document;
    QString title;
    int pages = 1;
};

class Printer {
    Q_DECLARE_TR_FUNCTIONS(gpuledger::ui::StatementPrint)
public:
    Printer(QPagedPaintDevice &device, const DocumentLook &look)
        : m_device(device)
        , m_look(look)
        , m_page(0, 0, device.width(), device.height())
        , m_content(m_page.adjusted(kSide * look.unit, kAbove * look.unit, -kSide * look.unit, -kBelow * look.unit))
    {
    }

    base::Result<void> print(const std::vector<StatementSheet> &sheets, const std::stop_token &stop)
    {
        std::vector<Laid> all;
        int pages = 0;
        for (const StatementSheet &sheet : sheets) {
            if (stop.stop_requested())
                return base::fail(base::ErrorCode::Cancelled, "stopped");
            all.push_back(lay(sheet));
            pages += all.back().pages;
        }
        QPainter painter;
        if (!painter.begin(&m_device))
            return base::fail(base::ErrorCode::Internal, "the printer can't be drawn on",
                              base::Remedy::ChooseOtherPrinter);
        int number = 0;
        for (const Laid &one : all) {
            for (int page = 0; page < one.pages; ++page) {
                if (stop.stop_requested())
                    return base::fail(base::ErrorCode::Cancelled, "stopped");
                if (number > 0)
                    m_device.newPage();
                draw(painter, one, page);
                drawFooter(painter, one.title, ++number, pages);
            }
        }
        return {};
    }

private:
    Laid lay(const StatementSheet &sheet) const
    {
        Laid out{statementDocument(sheet, m_look), sheet.title, 1};
        out.document->documentLayout()->setPaintDevice(&m_device);
        out.document->setPageSize(m_content.size());
        keepHeadings(*out.document);
        out.pages = std::max(1, out.document->pageCount());
        return out;
    }

    // A heading at the end of a page is moved to the next one, together with the content after it.
    void keepHeadings(QTextDocument &document) const
    {
        for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
            if (!block.blockFormat().boolProperty(kHeadingProperty))
                continue;
            const double end = document.documentLayout()->blockBoundingRect(block).bottom();
            const double left = m_content.height() - std::fmod(end, m_content.height());
            if (left >= kRoomBelow * m_look.unit)
                continue;
            QTextBlockFormat format;
            format.setPageBreakPolicy(QTextFormat::PageBreak_AlwaysBefore);
            QTextCursor(block).mergeBlockFormat(format);
        }
    }

    void draw(QPainter &painter, const Laid &one, int page) const
    {
        painter.save();
        const double top = page * m_content.height();
        painter.translate(m_content.left(), m_content.top() - top);
        QAbstractTextDocumentLayout::PaintContext context;
        context.clip = QRectF(0, top, m_content.width(), m_content.height());
        context.palette.setColor(QPalette::Text, m_look.text);
        painter.setClipRect(context.clip);
        one.document->documentLayout()->draw(&painter, context);
        painter.restore();
    }

    void drawFooter(QPainter &painter, const QString &title, int number, int pages) const
    {
        QFont font = m_look.font;
        font.setPointSizeF(font.pointSizeF() * kFooterSize);
        painter.setFont(font);
        painter.setPen(m_look.muted);
        const double middle = m_page.bottom() - kFooter * m_look.unit;
        const QRectF line(m_content.left(), middle - kFooter / 2 * m_look.unit, m_content.width(),
                          kFooter * m_look.unit);
        const QString right = tr("Page %1 of %2").arg(number).arg(pages);
        const double room = line.width() * 0.75;
        painter.drawText(line, Qt::AlignRight | Qt::AlignVCenter, right);
        painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter,
                         QFontMetricsF(painter.font(), painter.device()).elidedText(title, Qt::ElideRight, room));
    }

    QPagedPaintDevice &m_device;
    const DocumentLook &m_look;
    QRectF m_page, m_content;
};

// The writer dates a document by the clock; the replacement must have the same length in bytes.
void setDate(QByteArray &pdf, base::UtcTime made)
{
    constexpr QByteArrayView kKey("/CreationDate (D:");
    const qsizetype at = pdf.indexOf(kKey);
    const qsizetype from = at + kKey.size(), end = at < 0 ? -1 : pdf.indexOf(')', from);
    if (end < 0)
        return;
    QByteArray date = QDateTime::fromSecsSinceEpoch(base::toUnix(made), Qt::UTC)
                          .toString(QStringLiteral("yyyyMMddhhmmss"))
                          .toLatin1();
    date += "+00'00'"; // no-tr: format of PDF
    pdf.replace(from, end - from, date.leftJustified(end - from, ' ', true));
}

// QPdfWriter keeps its fonts in a QHash and writes them in its order, which depends on the hash's seed. For a document
// to have the same bytes in every process, its hashes are created with a fixed seed; a hash keeps its own seed, and
// those of the rest of the program stay unpredictable. Several documents may be drawn at the same time on several
// threads: the last one restores the random seed.
class FixedHashSeed {
public:
    FixedHashSeed()
    {
        const std::lock_guard lock(s_mutex);
        if (s_documents++ == 0)
            QHashSeed::setDeterministicGlobalSeed();
    }
    ~FixedHashSeed()
    {
        const std::lock_guard lock(s_mutex);
        if (--s_documents == 0)
            QHashSeed::resetRandomGlobalSeed();
    }
    Q_DISABLE_COPY_MOVE(FixedHashSeed)

private:
    static inline std::mutex s_mutex;
    static inline int s_documents = 0;
};

} // namespace

base::Result<void> printStatements(const std::vector<StatementSheet> &sheets, const DocumentLook &look,
                                   QPagedPaintDevice &device, const std::stop_token &stop)
{
    return Printer(device, look).print(sheets, stop);
}

base::Result<QByteArray> statementPdf(const std::vector<StatementSheet> &sheets, const DocumentLook &look,
                                      QPageSize::PageSizeId size, const std::stop_token &stop)
{
    QBuffer bytes;
    bytes.open(QIODevice::WriteOnly);
    {
        const FixedHashSeed fixed;
        QPdfWriter writer(&bytes);
        writer.setResolution(kPdfDotsPerInch);
        writer.setPageSize(QPageSize(size));
        writer.setPageMargins(QMarginsF());
        writer.setCreator(QStringLiteral("GPU Ledger"));
        if (!sheets.empty())
            writer.setTitle(sheets.front().title);
        const auto printed = printStatements(sheets, look, writer, stop);
        GPULEDGER_TRY(printed);
    }
    QByteArray pdf = bytes.data();
    if (!sheets.empty())
        setDate(pdf, sheets.front().made);
    return pdf;
}

} // namespace gpuledger::ui
