// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/alerts/alertlist.h"

#include "widgets/delegates/badgedelegate.h"
#include "widgets/state/plaintext.h"
#include "widgets/table/datatable.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QTreeView>
#include <QVBoxLayout>

namespace gpuledger::ui {

using widgets::Color;
using widgets::plainLabel;
using widgets::Space;
using widgets::TextSize;

AlertList::AlertList(const widgets::Theme &theme, const QString &title, const QString &none, TableModel &model,
                     QWidget *parent)
    : Card(theme, parent)
    , m_model(model)
{
    setAccessibleName(title);
    auto *layout = new QVBoxLayout(this);
    const int side = theme.space(Space::Medium);
    layout->setContentsMargins(side, side, side, side);
    layout->setSpacing(theme.space(Space::Small));
    m_header = new QHBoxLayout;
    m_header->setSpacing(theme.space(Space::Small));
    m_header->addWidget(plainLabel(theme, title, TextSize::Section, Color::Text, QFont::DemiBold, this));
    m_header->addStretch();
    m_titleButton = new QPushButton(this); // before the table, as the keyboard reaches it
    m_titleButton->setAutoDefault(false);
    m_titleButton->hide();
    m_header->addWidget(m_titleButton);
    layout->addLayout(m_header);
    m_none = plainLabel(theme, none, TextSize::Body, Color::Muted, QFont::Normal, this);
    m_none->setWordWrap(true);
    layout->addWidget(m_none);
    m_table = new widgets::DataTable(theme, title, model, this);
    for (const char *badge : {"state", "severity", "note"}) // a key without such a column is ignored
        m_table->setDelegate(QLatin1String(badge), new widgets::BadgeDelegate(theme, m_table));
    layout->addWidget(m_table, 1);
    m_buttons = new QHBoxLayout;
    m_buttons->setSpacing(theme.space(Space::Small));
    m_buttons->addStretch();
    layout->addLayout(m_buttons);
    layout->addStretch();
    connect(m_table, &widgets::DataTable::currentRowChanged, this, &AlertList::currentChanged);
    m_table->hide();
}

QPushButton *AlertList::addButton(const QString &text)
{
    auto *button = new QPushButton(text, this);
    button->setAutoDefault(false);
    m_buttons->insertWidget(m_buttons->count() - 1, button);
    button->setVisible(!m_table->isHidden());
    return button;
}

QPushButton *AlertList::showTitleButton(const QString &text)
{
    m_titleButton->setText(text);
    m_titleButton->show();
    return m_titleButton;
}

QString AlertList::current() const
{
    return m_table->isHidden() ? QString() : m_table->currentRowId();
}

void AlertList::showRows()
{
    const auto &rows = m_model.snapshot();
    const bool isEmpty = !rows || rows->rowCount() == 0;
    m_none->setVisible(isEmpty);
    m_table->setVisible(!isEmpty);
    for (int i = 0; i < m_buttons->count(); ++i) {
        if (QWidget *button = m_buttons->itemAt(i)->widget())
            button->setVisible(!isEmpty);
    }
    if (!isEmpty && m_table->currentRowId().isEmpty())
        m_table->setCurrentRow(rows->id(0));
    Q_EMIT currentChanged();
}

} // namespace gpuledger::ui
