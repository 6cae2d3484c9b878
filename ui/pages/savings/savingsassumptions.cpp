// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/savings/savingsassumptions.h"

#include "ui/pages/savings/assumptionpopup.h"
#include "ui/pages/savings/scenariobutton.h"
#include "ui/viewmodels/savings/savingstext.h"
#include "widgets/state/plaintext.h"

#include <QEvent>
#include <QPushButton>

#include <algorithm>

namespace gpuledger::ui {

using savings::AssumptionSpec;
using widgets::Space;

SavingsAssumptions::SavingsAssumptions(const widgets::Theme &theme, SavingsViewModel &model,
                                       ScenariosViewModel &scenarios, QWidget *parent)
    : QWidget(parent)
    , m_theme(theme)
    , m_model(model)
    , m_saved(scenarios)
    , m_scenarios(new ScenarioButton(theme, scenarios, this))
    , m_reset(new QPushButton(tr("Reset"), this))
{
    setAccessibleName(tr("Assumptions"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    m_reset->setAccessibleName(tr("Reset the assumptions"));
    connect(m_reset, &QPushButton::clicked, &m_saved, &ScenariosViewModel::reset);
    showValues();
}

void SavingsAssumptions::showValues()
{
    const auto shown = m_model.shownAssumptions();
    if (shown != m_shown) {
        m_shown = shown;
        for (QPushButton *button : std::as_const(m_buttons)) {
            button->hide();
            button->deleteLater();
        }
        m_buttons.clear();
        for (const AssumptionSpec *spec : m_shown) {
            auto *button = new QPushButton(this);
            connect(button, &QPushButton::clicked, this, [this, spec, button] { open(*spec, *button); });
            button->show();
            m_buttons.push_back(button);
        }
        m_reset->raise(); // last among the children
        QWidget *before = m_reset; // which has the place of the row in the window's order
        for (QPushButton *button : m_buttons) {
            setTabOrder(before, button);
            before = button;
        }
        if (!m_buttons.empty())
            setTabOrder(before, m_reset);
    }
    bool any = false;
    for (std::size_t i = 0; i < m_shown.size(); ++i) {
        const AssumptionSpec &spec = *m_shown[i];
        const bool isChanged = m_model.isChanged(spec);
        any = any || isChanged;
        const QString value = SavingsText::assumptionValue(spec, m_model.assumptions().text(spec.name));
        QString text = tr("%1: %2", "an assumption and its value").arg(SavingsText::assumptionName(spec.name), value);
        m_buttons[i]->setToolTip(widgets::plainToolTip(SavingsText::assumptionHelp(spec) + QLatin1Char('\n')
                                                       + AssumptionPopup::limits(spec, m_model.assumptions())));
        m_buttons[i]->setAccessibleName(text);
        m_buttons[i]->setAccessibleDescription(isChanged ? tr("changed") : QString());
        m_buttons[i]->setText(widgets::plainLine(text, 60).replace(QLatin1Char('&'), QLatin1String("&&")));
        QFont font = m_theme.font(widgets::TextSize::Body, isChanged ? QFont::DemiBold : QFont::Normal);
        m_buttons[i]->setFont(font);
    }
    const bool hadFocus = m_reset->hasFocus();
    m_reset->setVisible(any);
    if (hadFocus && !any && !m_buttons.empty())
        m_buttons.front()->setFocus(Qt::OtherFocusReason);
    m_scenarios->showCurrent();
    m_scenarios->setVisible(m_saved.isOffered());
    setVisible(!m_buttons.empty() || m_scenarios->isVisibleTo(this));
    arrange();
}

void SavingsAssumptions::open(const AssumptionSpec &spec, const QPushButton &button)
{
    m_popup = new AssumptionPopup(m_theme, spec, m_model.assumptions(), this);
    connect(m_popup, &AssumptionPopup::edited, this, [this, name = spec.name](const QString &value) {
        // The field keeps to the limits; what the engine refuses nevertheless changes nothing.
        (void)m_model.setAssumption(name, value.toStdString());
    });
    connect(m_popup, &AssumptionPopup::resetRequested, this, [this, &spec] { m_model.resetAssumption(spec.name); });
    connect(m_popup, &AssumptionPopup::closed, this, [this] {
        m_isEditing = false;
        Q_EMIT editingEnded();
    });
    m_isEditing = true;
    m_popup->openBelow(button);
}

void SavingsAssumptions::arrange()
{
    const int gap = m_theme.space(Space::Small);
    std::vector<QPushButton *> all;
    if (m_scenarios->isVisibleTo(this))
        all.push_back(m_scenarios);
    all.insert(all.end(), m_buttons.begin(), m_buttons.end());
    if (m_reset->isVisibleTo(this))
        all.push_back(m_reset);
    int x = 0, y = 0, line = 0;
    for (QPushButton *button : all) {
        const QSize size = button->sizeHint();
        const int width = std::min(size.width(), std::max(1, this->width()));
        if (x > 0 && x + width > this->width()) {
            x = 0;
            y += line + gap;
            line = 0;
        }
        const int left = layoutDirection() == Qt::RightToLeft ? this->width() - x - width : x;
        button->setGeometry(left, y, width, size.height());
        x += width + gap;
        line = std::max(line, size.height());
    }
    setFixedHeight(y + line);
}

void SavingsAssumptions::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    arrange();
}

void SavingsAssumptions::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::StyleChange || event->type() == QEvent::FontChange
        || event->type() == QEvent::LayoutDirectionChange)
        arrange();
}

} // namespace gpuledger::ui
