// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/inputs/pickmodel.h"
#include "widgets/theme/theme.h"

#include <QFrame>
#include <QPointer>

namespace gpuledger::widgets {
class PickList;
} // namespace gpuledger::widgets

namespace gpuledger::ui {

// Ctrl+K: a search field over all commands and destinations, above the page. Escape, or losing the focus, closes it and
// returns the focus. Owned by the window; GUI thread.
class CommandPalette : public QFrame {
    Q_OBJECT
public:
    CommandPalette(const widgets::Theme &theme, QWidget *window);

    void open();
    // While open, the typed text is kept.
    void setEntries(std::vector<widgets::PickEntry> entries);
    widgets::PickList *list() const { return m_list; }

Q_SIGNALS:
    void opening();
    void picked(const QString &key);

protected:
    bool event(QEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    void place();
    void dismiss();

    const widgets::Theme &m_theme;
    widgets::PickList *m_list;
    QPointer<QWidget> m_before; // had the focus before
};

} // namespace gpuledger::ui
