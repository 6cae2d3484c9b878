// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/bars/damagebar.h"

#include "ui/format/local/localtext.h"
#include "ui/format/phrases/damagephrase.h"
#include "ui/viewmodels/shell/taskrunner.h"
#include "widgets/state/plaintext.h"

#include <QPushButton>

#include <algorithm>

namespace gpuledger::ui {

DamageBar::DamageBar(const WindowContext &context, QWidget *parent)
    : AlertBar(context.theme, tr("Acknowledge"), parent)
    , m_context(context)
{
    setObjectName(QStringLiteral("damageBar")); // no-tr: for the accessibility tree
    makeSelectable();
    button()->setToolTip(
        widgets::plainToolTip(tr("Records in the log that you know about it. The damaged file stays where it is.")));
    connect(button(), &QPushButton::clicked, this, &DamageBar::confirm);
    // Another window or process may have set a cache aside or confirmed it.
    connect(&context.sync, &SyncController::sourcesChanged, this, &DamageBar::refresh);
    refresh();
}

void DamageBar::refresh()
{
    const auto damage = m_context.workspace.damage();
    QStringList sentences;
    for (const store::SetAside &one : damage)
        sentences << LocalText::phrase(textOf(one));
    if (!sentences.isEmpty() && !m_problem.isEmpty())
        sentences << m_problem;
    const bool isWhole = std::all_of(damage.begin(), damage.end(), [](const store::SetAside &one) {
        return one.outcome == store::SetAside::Outcome::Corrected;
    });
    setMessage(isWhole ? Severity::Warning : Severity::Critical, sentences.join(QLatin1Char('\n')));
}

// The button stays enabled meanwhile, so that it keeps the focus.
void DamageBar::confirm()
{
    if (m_isAsking)
        return;
    m_isAsking = true;
    m_context.tasks.run<base::Result<void>>(
        this, [&workspace = m_context.workspace](std::stop_token) { return workspace.confirmDamage(); },
        [this](const base::Result<void> &done) {
            m_isAsking = false;
            m_problem = done ? QString() : LocalText::sentence(done.error());
            refresh();
            m_context.sync.reloadSources(); // for the other windows
        });
}

} // namespace gpuledger::ui
