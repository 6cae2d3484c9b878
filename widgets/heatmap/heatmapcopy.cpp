// SPDX-License-Identifier: GPL-3.0-or-later
// What Heatmap puts on the clipboard.
#include "widgets/heatmap/heatmap.h"
#include "widgets/state/copytable.h"

namespace gpuledger::widgets {

QMimeData *Heatmap::mimeData() const
{
    const QString corner = m_data.legendText.isEmpty() ? m_data.valueName : m_data.legendText;
    CopyTable table;
    table.addHeader(QStringList(corner.isEmpty() ? QStringLiteral("–") : corner) + m_data.columns);
    for (int row = 0; row < m_data.rowCount(); ++row) {
        table.beginRow();
        table.addText(m_data.rows[static_cast<std::size_t>(row)].label);
        for (int column = 0; column < m_data.columnCount(); ++column)
            table.addNumber(m_data.value(row, column));
    }
    return table.mimeData();
}

} // namespace gpuledger::widgets
