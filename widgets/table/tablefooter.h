// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/theme/theme.h"

#include <QWidget>

#include <memory>

class QAbstractItemModel;

namespace gpuledger::widgets {

class TableView;

// The total of a table, below its rows and aligned with its columns: it neither scrolls away nor takes part in sorting.
// Hidden without a total, and while a filter leaves out rows. A screen reader reads it as one text. Created and owned
// by its table; GUI thread.
class TableFooter : public QWidget {
    Q_OBJECT
public:
    TableFooter(const Theme &theme, TableView &view, QWidget *parent);
    ~TableFooter() override;

    QSize sizeHint() const override;

Q_SIGNALS:
    void shownChanged();

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    void take();
    QString words() const;

    const Theme &m_theme;
    TableView &m_view;
    std::unique_ptr<QAbstractItemModel> m_row; // of the total
};

} // namespace gpuledger::widgets
