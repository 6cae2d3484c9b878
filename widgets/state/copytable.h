// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

#include <vector>

class QMimeData;

namespace gpuledger::widgets {

// A table for the clipboard, as tab-separated text and as HTML. Names are external input: tabs and line breaks cannot
// shift cells, and no text is interpreted as markup or as a spreadsheet formula. Value type; any thread, but mimeData()
// requires QtGui.
class CopyTable {
public:
    void addHeader(const QStringList &names);
    void beginRow();
    void addText(const QString &text);
    // In the user's locale without grouping, because the receiver is a spreadsheet with the same settings. A missing
    // value (NaN, infinite) stays empty.
    void addNumber(double value);

    // Owned by the caller. Very large tables come without HTML, which would only slow the receiver down.
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
