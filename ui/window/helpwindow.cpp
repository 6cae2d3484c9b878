// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/helpwindow.h"

#include "widgets/state/plaintext.h"

#include <QFile>
#include <QHBoxLayout>
#include <QPushButton>
#include <QRegularExpression>
#include <QScrollBar>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTextDocument>
#include <QTextList>
#include <QTextTable>
#include <QToolButton>
#include <QVBoxLayout>

#include <optional>
#include <utility>

namespace gpuledger::ui {

using widgets::Color;
using widgets::Space;
using widgets::TextSize;

namespace {

constexpr QSize kHelpSize(880, 760);
constexpr int kHelpLineHeight = 130; // percent
const QString kChapters = QStringLiteral("/handbook/"); // no-tr: path of a resource
const QString kOutside = QStringLiteral("https"); // no-tr: scheme
const QString kContents = QStringLiteral("README.md"); // no-tr: name of a file

QUrl addressOf(const QString &chapter)
{
    return QUrl(QStringLiteral("qrc:") + kChapters + chapter); // no-tr: scheme
}

// The text of a chapter; std::nullopt if there is no such chapter.
std::optional<QByteArray> chapterText(const QUrl &address)
{
    QFile file(QLatin1Char(':') + address.path());
    if (address.scheme() != QLatin1String("qrc") || !address.path().startsWith(kChapters)
        || !file.open(QIODevice::ReadOnly))
        return std::nullopt;
    return file.readAll();
}

// Loads no resources, so that a text can't access files or servers.
class ChapterBrowser : public QTextBrowser {
public:
    using QTextBrowser::QTextBrowser;
    QVariant loadResource(int, const QUrl &) override { return QByteArray(); }
};

// The anchor of a heading as web renderers of Markdown generate it.
QString anchorOf(const QString &heading)
{
    static const QRegularExpression kLeftOut(QStringLiteral("[^\\w\\- ]"),
                                             QRegularExpression::UseUnicodePropertiesOption);
    QString anchor = heading.toLower();
    anchor.remove(kLeftOut);
    return anchor.replace(QLatin1Char(' '), QLatin1Char('-'));
}

// Whether a line belongs to a code block.
bool isCode(const QTextBlock &block)
{
    return block.blockFormat().hasProperty(QTextFormat::BlockCodeFence)
        || block.blockFormat().hasProperty(QTextFormat::BlockCodeLanguage);
}

} // namespace

HelpWindow::HelpWindow(const widgets::Theme &theme, std::function<bool(const QUrl &)> openAddress, QWidget *parent)
    : QDialog(parent)
    , m_theme(theme)
    , m_openAddress(std::move(openAddress))
    , m_back(step(QStringLiteral("back"), tr("Back"), Qt::ALT | Qt::Key_Left)) // no-tr: icon
    , m_forward(step(QStringLiteral("forward"), tr("Forward"), Qt::ALT | Qt::Key_Right)) // no-tr: icon
    , m_text(new ChapterBrowser(this))
{
    resize(kHelpSize);
    setAccessibleName(tr("Handbook"));
    auto *layout = new QVBoxLayout(this);
    const int side = theme.space(Space::Medium);
    layout->setContentsMargins(side, side, side, side);
    layout->setSpacing(theme.space(Space::Small));
    auto *row = new QHBoxLayout;
    row->setSpacing(theme.space(Space::Small));
    auto *contents = new QPushButton(tr("Contents", "of the handbook"), this);
    auto *close = new QPushButton(tr("Close", "the handbook"), this);
    for (QPushButton *button : {contents, close})
        button->setAutoDefault(false); // Enter opens links
    row->addWidget(m_back);
    row->addWidget(m_forward);
    row->addWidget(contents);
    row->addStretch();
    row->addWidget(close);
    layout->addLayout(row);
    layout->addWidget(m_text, 1);
    setTabOrder(close, m_text);
    m_text->setOpenLinks(false);
    m_text->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff); // long words are broken
    m_text->setAccessibleName(tr("Chapter of the handbook"));
    connect(m_back, &QToolButton::clicked, this, [this] { turn(-1); });
    connect(m_forward, &QToolButton::clicked, this, [this] { turn(1); });
    connect(contents, &QPushButton::clicked, this, [this] { showChapter(kContents); });
    connect(close, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_text, &QTextBrowser::anchorClicked, this, &HelpWindow::follow);
    connect(&theme, &widgets::Theme::changed, this, [this] { turn(0); });
}

QToolButton *HelpWindow::step(const QString &icon, const QString &name, const QKeySequence &keys)
{
    auto *button = new QToolButton(this);
    button->setAutoRaise(true);
    button->setEnabled(false);
    button->setIcon(m_theme.icon(icon));
    button->setAccessibleName(name);
    button->setToolTip(widgets::plainToolTip(tr("%1 (%2)").arg(name, keys.toString(QKeySequence::NativeText))));
    button->setShortcut(keys);
    return button;
}

void HelpWindow::showChapter(const QString &chapter)
{
    const QUrl address = addressOf(chapter);
    visit(chapterText(address) ? address : addressOf(kContents));
    show();
    raise();
    activateWindow();
    m_text->setFocus();
}

QString HelpWindow::chapter() const
{
    return m_read.isEmpty() ? QString() : m_read[m_at].address.path().mid(kChapters.size());
}

QString HelpWindow::titleOf(const QString &chapter)
{
    const auto text = chapterText(addressOf(chapter));
    const QString first = text ? QString::fromUtf8(text->left(text->indexOf('\n'))) : QString();
    return first.startsWith(QLatin1String("# ")) ? first.mid(2).trimmed() : QString();
}

void HelpWindow::follow(const QUrl &link)
{
    const QUrl address = m_read[m_at].address.resolved(link);
    if (chapterText(address))
        visit(address);
    else if (address.scheme() == kOutside && m_openAddress)
        m_openAddress(address);
}

void HelpWindow::visit(const QUrl &address)
{
    if (!m_read.isEmpty()) {
        m_read[m_at].scrolled = m_text->verticalScrollBar()->value();
        m_read.resize(m_at + 1); // a new chapter discards the forward history
    }
    m_read.append({address, 0});
    m_at = static_cast<int>(m_read.size()) - 1;
    arrive();
    goToHeading(address.fragment());
}

void HelpWindow::turn(int steps)
{
    if (m_at + steps < 0 || m_at + steps >= m_read.size())
        return;
    m_read[m_at].scrolled = m_text->verticalScrollBar()->value();
    m_at += steps;
    arrive();
    m_text->verticalScrollBar()->setValue(m_read[m_at].scrolled);
}

void HelpWindow::arrive()
{
    setWindowTitle(tr("Help: %1", "title of a chapter").arg(titleOf(chapter())));
    m_back->setEnabled(m_at > 0);
    m_forward->setEnabled(m_at + 1 < m_read.size());
    // Filled outside the view, which would lay out every line as it is added.
    auto *text = new QTextDocument(m_text);
    text->setUndoRedoEnabled(false);
    text->setDefaultFont(m_theme.font());
    text->setDocumentMargin(m_theme.space(Space::Large));
    const QByteArray chapter = chapterText(m_read[m_at].address).value_or(QByteArray());
    text->setMarkdown(QString::fromUtf8(chapter)); // allowed: built into the program, nothing from outside
    for (QTextBlock block = text->begin(); block.isValid(); block = block.next())
        dress(block);
    for (QTextFrame *frame : text->rootFrame()->childFrames()) {
        if (auto *table = qobject_cast<QTextTable *>(frame))
            dress(*table);
    }
    m_text->setDocument(text);
    delete std::exchange(m_document, text);
}

void HelpWindow::dress(const QTextBlock &block)
{
    QTextCursor cursor(block);
    cursor.movePosition(QTextCursor::EndOfBlock, QTextCursor::KeepAnchor);
    QTextBlockFormat format = block.blockFormat();
    const int gap = m_theme.space(Space::Small);
    if (const int level = format.headingLevel(); level > 0) {
        const bool isTitle = level == 1;
        QTextCharFormat letters;
        letters.setFont(m_theme.font(isTitle ? TextSize::Title : TextSize::Section, QFont::DemiBold),
                        QTextCharFormat::FontPropertiesSpecifiedOnly);
        letters.clearProperty(QTextFormat::FontSizeAdjustment);
        cursor.mergeCharFormat(letters);
        format.setTopMargin(m_theme.space(isTitle ? Space::Tiny : Space::Large));
        format.setBottomMargin(gap);
    } else if (isCode(block)) {
        format.setBackground(m_theme.color(Color::Background));
        format.setNonBreakableLines(false); // no scrolling to the side
        format.setBottomMargin(isCode(block.next()) ? 0 : gap);
    } else {
        format.setLineHeight(kHelpLineHeight, QTextBlockFormat::ProportionalHeight);
        if (!block.textList() && !cursor.currentTable())
            format.setBottomMargin(gap);
    }
    cursor.setBlockFormat(format);
}

void HelpWindow::dress(QTextTable &table)
{
    QTextTableFormat format = table.format();
    format.setBorder(0);
    format.setCellPadding(m_theme.space(Space::Tiny));
    format.setCellSpacing(0);
    format.setBottomMargin(m_theme.space(Space::Small));
    table.setFormat(format);
    for (int row = 0; row < table.rows(); ++row) {
        for (int column = 0; column < table.columns(); ++column) {
            QTextTableCell cell = table.cellAt(row, column);
            QTextTableCellFormat line = cell.format().toTableCellFormat();
            line.setBottomBorder(1);
            line.setBottomBorderStyle(QTextFrameFormat::BorderStyle_Solid);
            line.setBottomBorderBrush(m_theme.color(Color::Border));
            cell.setFormat(line);
        }
    }
}

void HelpWindow::goToHeading(const QString &anchor)
{
    if (anchor.isEmpty())
        return;
    for (QTextBlock block = m_text->document()->begin(); block.isValid(); block = block.next()) {
        if (block.blockFormat().headingLevel() == 0 || anchorOf(block.text()) != anchor)
            continue;
        m_text->setTextCursor(QTextCursor(m_text->document()->lastBlock())); // then the heading scrolls to the top
        m_text->setTextCursor(QTextCursor(block));
        return;
    }
}

} // namespace gpuledger::ui
