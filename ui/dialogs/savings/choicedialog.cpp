// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/savings/choicedialog.h"

#include "ui/dialogs/dialogframe.h"
#include "ui/viewmodels/savings/savingstext.h"
#include "widgets/state/plaintext.h"

#include <QDateEdit>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace gpuledger::ui {

using savings::ChoiceDraft;
using savings::ChoiceState;
using widgets::Color;
using widgets::plainLabel;
using widgets::TextSize;

namespace {

constexpr int kChoiceWidth = 460, kLongestTitle = 60, kLongestWhat = 300; // pixels, characters
constexpr int kUsualWork = 28, kUsualReminder = 7; // days
const QDate kEpoch(1970, 1, 1);

} // namespace

QDate dateOf(base::Day day)
{
    return kEpoch.addDays(day.number);
}

base::Day dayOf(const QDate &date)
{
    return base::Day{static_cast<std::int32_t>(kEpoch.daysTo(date))};
}

ChoiceDialog::ChoiceDialog(const widgets::Theme &theme, ChoiceState state, const savings::Proposal &proposal,
                           base::TimeRange past, const QDate &today, QWidget *parent)
    : QDialog(parent)
    , m_state(state)
    , m_proposal(proposal.id)
    , m_problem(plainLabel(theme, {}, TextSize::Body, Color::Muted, QFont::Normal, this))
    , m_confirm(new QPushButton(this))
{
    const QString title = widgets::plainLine(SavingsText::target(proposal), kLongestTitle);
    setAttribute(Qt::WA_DeleteOnClose);
    setMinimumWidth(kChoiceWidth);
    QVBoxLayout *layout = dialogLayout(*this, theme);
    const QString what = widgets::plainLine(SavingsText::what(proposal), kLongestWhat);
    for (const QString &text : {what, SavingsText::saves(proposal, past), consequence()}) {
        QLabel *line = plainLabel(theme, text, TextSize::Body, Color::Text, QFont::Normal, this);
        line->setWordWrap(true);
        layout->addWidget(line);
    }
    QFormLayout *form = dialogForm(theme);
    switch (state) {
    case ChoiceState::Accepted:
        setWindowTitle(tr("Accept: %1").arg(title));
        m_confirm->setText(tr("Accept it"));
        addField(*form, tr("Who does it"), m_owner = line());
        addField(*form, tr("Done by"), m_day = date(today, kUsualWork));
        addField(*form, tr("Note (optional)"), m_reason = line());
        break;
    case ChoiceState::Dismissed:
        setWindowTitle(tr("Dismiss: %1").arg(title));
        m_confirm->setText(tr("Dismiss it"));
        addField(*form, tr("Reason"), m_reason = line());
        break;
    case ChoiceState::Later:
    case ChoiceState::Open: // is taken back without a dialog
        setWindowTitle(tr("Later: %1").arg(title));
        m_confirm->setText(tr("Remind me"));
        addField(*form, tr("Ask again on"), m_day = date(today, kUsualReminder));
        addField(*form, tr("Note (optional)"), m_reason = line());
        break;
    }
    layout->addLayout(form);
    m_problem->setWordWrap(true);
    layout->addWidget(m_problem);
    layout->addStretch();
    auto *cancel = new QPushButton(tr("Cancel"), this);
    addDialogButtons(*this, *layout, theme, cancel, m_confirm, DefaultButton::Action);
    setTabOrder(cancel, m_confirm); // which was created before the fields
    QWidget *first = m_day;
    if (state == ChoiceState::Accepted)
        first = m_owner;
    else if (state == ChoiceState::Dismissed)
        first = m_reason;
    first->setFocus();
    connect(m_confirm, &QPushButton::clicked, this, [this] {
        setRecording(true);
        Q_EMIT confirmed(draft());
    });
    showMissing();
}

QString ChoiceDialog::consequence() const
{
    switch (m_state) {
    case ChoiceState::Accepted:
        return tr("From then on, what it really saves is measured. Nothing is run.");
    case ChoiceState::Dismissed:
        return tr("It no longer counts; other proposals may have its machines.");
    case ChoiceState::Later:
    case ChoiceState::Open:
        break;
    }
    return tr("Until that day it does not count; other proposals may have its machines.");
}

void ChoiceDialog::setRecording(bool recording)
{
    m_isRecording = recording;
    for (QLineEdit *field : {m_owner, m_reason}) {
        if (field)
            field->setReadOnly(recording); // keeps the focus
    }
    if (m_day)
        m_day->setReadOnly(recording);
    showMissing();
}

void ChoiceDialog::showFailure(const QString &problem)
{
    setRecording(false);
    m_problem->setText(problem);
    m_confirm->setAccessibleDescription(problem);
    m_confirm->setFocus();
}

QLineEdit *ChoiceDialog::line()
{
    auto *edit = new QLineEdit(this);
    connect(edit, &QLineEdit::textChanged, this, &ChoiceDialog::showMissing);
    return edit;
}

QDateEdit *ChoiceDialog::date(const QDate &today, int days)
{
    auto *edit = new QDateEdit(today.addDays(days), this);
    edit->setCalendarPopup(true);
    edit->setMinimumDate(today.addDays(1));
    return edit;
}

ChoiceDraft ChoiceDialog::draft() const
{
    ChoiceDraft draft;
    draft.proposal = m_proposal;
    draft.state = m_state;
    if (m_owner)
        draft.owner = m_owner->text().trimmed().toStdString();
    if (m_reason)
        draft.reason = m_reason->text().trimmed().toStdString();
    if (m_day)
        draft.day = dayOf(m_day->date());
    return draft;
}

void ChoiceDialog::showMissing()
{
    const ChoiceDraft now = draft();
    QString problem;
    if (m_state == ChoiceState::Accepted && now.owner.empty())
        problem = tr("Enter who does it.");
    else if (m_state == ChoiceState::Dismissed && now.reason.empty())
        problem = tr("Enter a reason; it is kept in the log.");
    else if (now.owner.size() > ChoiceDraft::kLongestText || now.reason.size() > ChoiceDraft::kLongestText)
        problem = tr("A text may have at most %n byte(s).", nullptr, static_cast<int>(ChoiceDraft::kLongestText));
    m_problem->setText(m_isRecording ? tr("Recording…") : problem);
    m_confirm->setEnabled(problem.isEmpty() && !m_isRecording);
    m_confirm->setAccessibleDescription(problem);
}

} // namespace gpuledger::ui
