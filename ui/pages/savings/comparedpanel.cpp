// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/savings/comparedpanel.h"

#include "widgets/state/plaintext.h"
#include "widgets/state/statepanel.h"
#include "widgets/table/datatable.h"

#include <QLabel>
#include <QVBoxLayout>

#include <utility>

namespace gpuledger::ui {

using widgets::StatePanel;

ComparedPanel::ComparedPanel(const widgets::Theme &theme, ComparedViewModel &model, ComparedTexts texts,
                             QWidget *parent)
    : QWidget(parent)
    , m_model(model)
    , m_texts(std::move(texts))
{
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(theme.space(widgets::Space::Small));
    auto *content = new QWidget;
    auto *inner = new QVBoxLayout(content);
    inner->setContentsMargins(0, 0, 0, 0);
    m_table = new widgets::DataTable(theme, m_texts.table, model.table(), content);
    inner->addWidget(m_table);
    m_panel = new StatePanel(theme, content);
    layout->addWidget(m_panel, 1);
    m_note = widgets::plainLabel(theme, {}, widgets::TextSize::Body, widgets::Color::Muted, QFont::Normal, this);
    m_note->setWordWrap(true);
    layout->addWidget(m_note);
    connect(&m_model, &ComparedViewModel::changed, this, &ComparedPanel::showState);
    connect(m_panel, &StatePanel::actionTriggered, this, [this] { m_model.refresh(); });
    m_panel->showLoading();
}

void ComparedPanel::showState()
{
    m_note->setText(m_model.state() == PageState::Error ? QString() : m_model.noteText());
    widgets::StateMessage message;
    switch (m_model.state()) {
    case PageState::Error:
        m_panel->showError({m_texts.failed, m_model.errorText(), {}, tr("Try again"), {}}, {});
        return;
    case PageState::Empty:
        message.title = m_model.emptyTitle().isEmpty() ? m_texts.emptyTitle : m_model.emptyTitle();
        message.text = m_model.emptyText().isEmpty() ? m_texts.empty : m_model.emptyText();
        m_panel->showEmpty(message);
        return;
    case PageState::Data:
        m_panel->showData();
        return;
    case PageState::FirstRun:
    case PageState::Loading:
        break;
    }
    m_panel->showLoading();
}

} // namespace gpuledger::ui
