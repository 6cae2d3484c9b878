// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/theme/theme.h"

#include <QDialog>
#include <QList>
#include <QUrl>

#include <functional>

class QTextBlock;
class QTextBrowser;
class QTextDocument;
class QTextTable;
class QToolButton;

namespace gpuledger::ui {

// Shows the handbook in its own window. The chapters are built into the program, so it works offline. A link to another
// chapter opens here, an https link through `openAddress` (empty: not at all), and nothing else opens. GUI thread.
class HelpWindow : public QDialog {
    Q_OBJECT
public:
    // `theme` must outlive this object.
    HelpWindow(const widgets::Theme &theme, std::function<bool(const QUrl &)> openAddress, QWidget *parent = nullptr);

    // Shows a chapter by its path below docs, such as "pages/idle.md"; the table of contents if there is no such
    // chapter.
    void showChapter(const QString &chapter);
    // The path of the current chapter below docs.
    QString chapter() const;
    // The first heading of a chapter; empty if there is no such chapter.
    static QString titleOf(const QString &chapter);

private:
    struct Visit {
        QUrl address;
        int scrolled; // scroll position of its text
    };
    QToolButton *step(const QString &icon, const QString &name, const QKeySequence &keys);
    void follow(const QUrl &link);
    void visit(const QUrl &address);
    void turn(int steps); // moves through the history; 0: shows the current chapter again
    void arrive();
    void dress(const QTextBlock &block);
    void dress(QTextTable &table);
    void goToHeading(const QString &anchor);

    const widgets::Theme &m_theme;
    const std::function<bool(const QUrl &)> m_openAddress;
    QToolButton *m_back, *m_forward;
    QTextBrowser *m_text;
    QTextDocument *m_document = nullptr; // shown and owned by m_text
    QList<Visit> m_read; // history, oldest first
    int m_at = 0; // position in m_read
};

} // namespace gpuledger::ui
