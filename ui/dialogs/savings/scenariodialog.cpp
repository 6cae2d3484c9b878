// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/savings/scenariodialog.h"

#include "ui/dialogs/dialogframe.h"
#include "widgets/state/plaintext.h"

#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace gpuledger::ui {

using widgets::plainLabel;

namespace {

constexpr int kScenarioWidth = 420; // pixels

} // namespace

ScenarioDialog::ScenarioDialog(const widgets::Theme &theme, const QString &name, const QStringList &taken,
                               QWidget *parent)
    : QDialog(parent)
    , m_taken(taken)
    , m_name(new QLineEdit(name, this))
    , m_note(plainLabel(theme, {}, widgets::TextSize::Body, widgets::Color::Muted, QFont::Normal, this))
    , m_confirm(new QPushButton(tr("Save it"), this))
{
    setAttribute(Qt::WA_DeleteOnClose);
    setMinimumWidth(kScenarioWidth);
    setWindowTitle(tr("Save the assumptions"));
    QVBoxLayout *layout = dialogLayout(*this, theme);
    QFormLayout *form = dialogForm(theme);
    addField(*form, tr("Name of the scenario"), m_name);
    layout->addLayout(form);
    m_note->setWordWrap(true);
    layout->addWidget(m_note);
    layout->addStretch();
    auto *cancel = new QPushButton(tr("Cancel"), this);
    addDialogButtons(*this, *layout, theme, cancel, m_confirm, DefaultButton::Action);
    setTabOrder(cancel, m_confirm); // which was created before it
    connect(m_name, &QLineEdit::textChanged, this, &ScenarioDialog::showConsequence);
    connect(m_confirm, &QPushButton::clicked, this, [this] {
        setSaving(true);
        Q_EMIT confirmed(this->name());
    });
    m_name->selectAll();
    m_name->setFocus();
    showConsequence();
}

QString ScenarioDialog::name() const
{
    return m_name->text().trimmed();
}

void ScenarioDialog::showConsequence()
{
    QString note;
    if (m_isSaving)
        note = tr("Saving…");
    else if (name().isEmpty())
        note = tr("Enter a name.");
    else if (m_taken.contains(name()))
        note = tr("It replaces the scenario of this name.");
    m_note->setText(note);
    m_confirm->setEnabled(!m_isSaving && !name().isEmpty());
    m_confirm->setAccessibleDescription(note);
}

void ScenarioDialog::setSaving(bool saving)
{
    m_isSaving = saving;
    m_name->setReadOnly(saving); // keeps the focus
    showConsequence();
}

void ScenarioDialog::showFailure(const QString &problem)
{
    setSaving(false);
    m_note->setText(problem);
    m_confirm->setAccessibleDescription(problem);
    m_name->setFocus();
}

} // namespace gpuledger::ui
