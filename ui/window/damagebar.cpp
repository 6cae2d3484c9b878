// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/damagebar.h"

#include "ui/format/damagephrase.h"
#include "ui/format/localtext.h"
#include "ui/viewmodels/taskrunner.h"
#include "widgets/state/plaintext.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

#include <utility>

namespace gpuledger::ui {

using widgets::Space;

DamageBar::DamageBar(const WindowContext &context, QWidget *parent)
    : QWidget(parent)
    , m_context(context)
    , m_text(widgets::plainLabel(context.theme, {}, widgets::TextSize::Body, widgets::Color::Text, QFont::Bold, this))
    , m_seen(new QPushButton(tr("I have seen this"), this))
{
    setObjectName(QStringLiteral("damageBar")); // no-tr: for the accessibility tree
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(context.theme.space(Space::Large), context.theme.space(Space::Small),
                               context.theme.space(Space::Large), context.theme.space(Space::Small));
    m_text->setWordWrap(true);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard); // names a file
    m_seen->setAutoDefault(false);
    m_seen->setToolTip(tr("Enters into the log that you know of it. The damaged file stays where it is."));
    layout->addWidget(m_text, 1);
    layout->addWidget(m_seen);
    connect(m_seen, &QPushButton::clicked, this, &DamageBar::confirm);
    refresh();
}

void DamageBar::refresh()
{
    const auto damage = m_context.workspace.damage();
    QStringList sentences;
    for (const store::SetAside &one : damage)
        sentences << LocalText::phrase(textOf(one));
    const QString text = sentences.join(QLatin1Char('\n'));
    m_text->setText(text);
    m_text->setAccessibleName(text);
    setAccessibleName(text);
    setVisible(!damage.empty());
}

void DamageBar::confirm()
{
    m_seen->setEnabled(false);
    m_context.tasks.run<base::Result<void>>(
        this, [&workspace = m_context.workspace](std::stop_token) { return workspace.confirmDamage(); },
        [this](const base::Result<void> &done) {
            m_seen->setEnabled(true);
            refresh();
            if (!done)
                m_text->setText(m_text->text() + QLatin1Char('\n') + LocalText::sentence(done.error()));
        });
}

} // namespace gpuledger::ui
