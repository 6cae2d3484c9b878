// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/alerts/targetchoice.h"

#include "ui/format/local/celltext.h"
#include "ui/viewmodels/alerts/alerttext.h"
#include "widgets/state/plaintext.h"

#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace gpuledger::ui {

using widgets::Color;
using widgets::Space;
using widgets::TextSize;

namespace {

constexpr int kLongestTarget = 60; // characters

// An ampersand would underline the letter after it.
QString literal(QString name)
{
    return name.replace(QLatin1Char('&'), QLatin1String("&&"));
}

} // namespace

TargetChoice::TargetChoice(const widgets::Theme &theme, QWidget *parent)
    : QWidget(parent)
    , m_button(new QPushButton(this))
{
    m_button->setAutoDefault(false);
    m_button->setMenu(new QMenu(m_button));
    m_routed = widgets::plainLabel(theme, {}, TextSize::Caption, Color::Muted, QFont::Normal, this);
    m_routed->setWordWrap(true);
    m_routed->hide();
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(theme.space(Space::Tiny));
    layout->addWidget(m_button);
    layout->addWidget(m_routed);
    setFocusProxy(m_button);
}

void TargetChoice::setRule(const AlertsSnapshot &snapshot, const model::AlertRule &rule)
{
    showTargets(snapshot.targets, rule);
    const QString routed = AlertText::routed(snapshot.routes, rule);
    m_routed->setText(routed);
    m_routed->setVisible(!routed.isEmpty());
    m_button->setAccessibleDescription(routed);
}

void TargetChoice::showTargets(const std::vector<AlertsSnapshot::Target> &targets, const model::AlertRule &rule)
{
    QMenu &menu = *m_button->menu();
    menu.clear();
    QStringList chosen;
    for (const AlertsSnapshot::Target &target : targets) {
        const bool isOn = std::find(rule.send.begin(), rule.send.end(), target.name) != rule.send.end();
        const QString name = widgets::plainLine(textOf(target.name), kLongestTarget);
        if (isOn)
            chosen.append(name);
        QAction *action = menu.addAction(literal(name));
        action->setCheckable(true);
        action->setChecked(isOn);
        // Queued: the change makes the menu anew.
        connect(
            action, &QAction::triggered, this, [this, key = target.name](bool on) { Q_EMIT toggled(key, on); },
            Qt::QueuedConnection);
    }
    const bool isNone = menu.isEmpty();
    const QString text = isNone ? tr("No targets are configured")
        : chosen.isEmpty()      ? tr("Nobody")
                                : chosen.join(QLatin1String(", "));
    m_button->setText(literal(text));
    m_button->setEnabled(!isNone);
    m_button->setAccessibleName(tr("Send to: %1", "targets").arg(text));
}

} // namespace gpuledger::ui
