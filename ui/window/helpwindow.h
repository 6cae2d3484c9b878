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

// The handbook, read beside the window: chapters that were built into the program, so that it works offline. A link to
// another chapter opens here, https outside by `openAddress` (empty: not at all), and nothing else opens. GUI thread.
class HelpWindow : public QDialog {
    Q_OBJECT
public:
    // `theme` outlives it.
    HelpWindow(const widgets::Theme &theme, std::function<bool(const QUrl &)> openAddress, QWidget *parent = nullptr);

    // Shows a chapter by its path below docs, such as "pages/idle.md"; the contents when there is none of that name.
    void showChapter(const QString &chapter);
    // Path of the chapter that is shown, below docs.
    QString chapter() const;
    // The first heading of a chapter; empty when there is none of that name.
    static QString titleOf(const QString &chapter);

private:
    struct Visit {
        QUrl address;
        int scrolled; // where its text was left
    };
    QToolButton *step(const QString &icon, const QString &name, const QKeySequence &keys);
    void follow(const QUrl &link);
    void visit(const QUrl &address);
    void turn(int steps); // through what was read; 0: shows it anew
    void arrive();
    void dress(const QTextBlock &block);
    void dress(QTextTable &table);
    void goToHeading(const QString &anchor);

    const widgets::Theme &m_theme;
    const std::function<bool(const QUrl &)> m_openAddress;
    QToolButton *m_back, *m_forward;
    QTextBrowser *m_text;
    QTextDocument *m_document = nullptr; // that m_text shows, and owns
    QList<Visit> m_read; // in the order of reading
    int m_at = 0; // in it
};

} // namespace gpuledger::ui
