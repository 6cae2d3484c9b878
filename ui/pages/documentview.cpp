// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/documentview.h"

#include <QContextMenuEvent>
#include <QEvent>
#include <QMenu>
#include <QScrollBar>

#include <algorithm>
#include <cmath>

namespace gpuledger::ui {

namespace {

constexpr int kWidestSheet = 860; // a wider one would only pull its columns apart
constexpr int kInside = 36, kInsideNarrow = 16; // around the text, inside the sheet
// Below this width the text is smaller, so that no column is cut.
constexpr int kNarrowText = 620;
constexpr double kLeastScale = 0.85, kScaleStep = 0.05;

} // namespace

DocumentView::DocumentView(const widgets::Theme &theme, QWidget *parent)
    : QTextBrowser(parent)
    , m_theme(theme)
{
    setAccessibleName(tr("Statement"));
    setOpenLinks(false);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    setTabChangesFocus(true);
    connect(&theme, &widgets::Theme::changed, this, &DocumentView::rebuild);
}

void DocumentView::setSheet(StatementSheet sheet)
{
    m_sheet = std::move(sheet);
    rebuild();
}

void DocumentView::rebuild()
{
    const int at = verticalScrollBar()->value();
    const bool same = m_shown && documentTitle() == m_sheet.title;
    DocumentLook look = DocumentLook::onScreen(m_theme);
    look.font.setPixelSize(qRound(look.font.pixelSize() * m_scale));
    auto made = statementDocument(m_sheet, look);
    made->setMetaInformation(QTextDocument::DocumentTitle, m_sheet.title);
    setDocument(made.get());
    m_shown = std::move(made); // the previous one is destroyed after it is no longer shown
    QPalette colors = palette();
    colors.setColor(QPalette::Base, m_theme.color(widgets::Color::Surface));
    setPalette(colors);
    verticalScrollBar()->setValue(same ? at : 0);
}

void DocumentView::resizeEvent(QResizeEvent *event)
{
    const int inside = width() < kNarrowText + 2 * kInside ? kInsideNarrow : kInside;
    const int aside = std::max(inside, (width() - kWidestSheet) / 2 + kInside);
    setViewportMargins(aside, kInside, aside, 0);
    QTextBrowser::resizeEvent(event);
    const double fits = std::floor((width() - 2.0 * aside) / kNarrowText / kScaleStep) * kScaleStep;
    const double scale = std::clamp(fits, kLeastScale, 1.0);
    if (std::abs(scale - m_scale) < kScaleStep / 2)
        return;
    m_scale = scale;
    if (m_shown)
        rebuild();
}

void DocumentView::contextMenuEvent(QContextMenuEvent *event)
{
    const bool byKey = event->reason() == QContextMenuEvent::Keyboard;
    if (!byKey && !textCursor().hasSelection())
        setTextCursor(cursorForPosition(viewport()->mapFromGlobal(event->globalPos())));
    auto *menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    Q_EMIT menuOpening(menu);
    if (!menu->isEmpty())
        menu->addSeparator();
    QAction *copyText = menu->addAction(tr("Copy"), this, &QTextEdit::copy);
    copyText->setShortcut(QKeySequence::Copy);
    copyText->setEnabled(textCursor().hasSelection());
    menu->addAction(tr("Select all"), this, &QTextEdit::selectAll)->setShortcut(QKeySequence::SelectAll);
    menu->popup(byKey ? currentPlace() : event->globalPos());
}

void DocumentView::changeEvent(QEvent *event)
{
    QTextBrowser::changeEvent(event);
    if (event->type() == QEvent::LanguageChange)
        setAccessibleName(tr("Statement"));
}

} // namespace gpuledger::ui
