// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

#include <vector>

class QMimeData;

namespace gpuledger::widgets {

// A table for the clipboard, as tab-separated text and as HTML. Names come from outside: no tab or line break moves a
// cell, none is markup, and none becomes a formula in a spreadsheet. A value; any thread, but mimeData() only where
// QtGui is.
class CopyTable {
public:
    void addHeader(const QStringList &names);
    void beginRow();
    void addText(const QString &text);
    // In the person's notation without grouping, because the receiver is a spreadsheet with the same settings. What is
    // missing (NaN, infinite) stays empty.
    void addNumber(double value);

    // The caller owns it. Very large tables come without HTML, which would only make the receiver slow.
    QMimeData *mimeData() const;
    QString text() const; // tab-separated

private:
    struct Row {
        QStringList cells;
        bool header = false;
    };
    std::vector<Row> m_rows;
    qsizetype m_cells = 0;
};

} // namespace gpuledger::widgets
