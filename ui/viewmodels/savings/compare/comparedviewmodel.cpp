// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/viewmodels/savings/compare/comparedviewmodel.h"

#include "ui/format/local/localtext.h"

#include <utility>

namespace gpuledger::ui {

ComparedViewModel::ComparedViewModel(std::vector<TableColumn> columns, const QString &groupTitle, QObject *parent)
    : QObject(parent)
    , m_table(std::move(columns))
{
    m_table.setGroupTitle(groupTitle);
}

QString ComparedViewModel::errorText() const
{
    return error() ? LocalText::sentence(*error()) : QString();
}

void ComparedViewModel::show(std::shared_ptr<const TableSnapshot> rows)
{
    if (!rows) {
        const bool isNone = error()->code == base::ErrorCode::NotFound && error()->source.empty();
        m_state = isNone ? PageState::FirstRun : PageState::Error;
    } else {
        m_state = rows->rowCount() == 0 ? PageState::Empty : PageState::Data;
        m_table.setGrouped(true);
        m_table.setSnapshot(std::move(rows));
    }
    Q_EMIT changed();
}

} // namespace gpuledger::ui
