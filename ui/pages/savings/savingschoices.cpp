// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/savings/savingschoices.h"

#include "ui/dialogs/savings/choicedialog.h"
#include "ui/export/exportfile.h"
#include "ui/export/tableexport.h"
#include "ui/format/local/localtext.h"
#include "ui/format/savings/savingsworkbook.h"
#include "ui/pages/savings/savingsbuttons.h"
#include "ui/viewmodels/savings/savingstext.h"
#include "ui/viewmodels/savings/savingsticket.h"
#include "widgets/state/plaintext.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QMenu>

#include <utility>

namespace gpuledger::ui {

using savings::ChoiceDraft;
using savings::ChoiceState;
using savings::Proposal;

namespace {

constexpr QLatin1String kChoiceNotice("savings-choice"), kCopyNotice("savings-copy");
constexpr int kNamedTarget = 60; // characters

// What the tab lists.
SavingsBook bookOf(const SavingsSnapshot &shown, std::optional<savings::Kind> kind, const SavingsDone *done)
{
    SavingsBook book;
    book.list.range = shown.list.range;
    for (const Proposal &one : shown.list.items) {
        if (shown.isListed(one) && (!kind || one.kind == *kind))
            book.list.items.push_back(one);
    }
    book.cost = shown.cost;
    book.assumptions = shown.assumptions;
    book.kind = kind;
    book.choices = shown.choices;
    if (done) {
        book.realized = done->realized;
        book.realizedOf = done->choices;
    }
    book.zone = shown.frame.zone;
    book.today = shown.frame.today();
    return book;
}

} // namespace

SavingsChoices::SavingsChoices(const PageContext &context, SavingsViewModel &model, QWidget *page)
    : QObject(page)
    , m_context(context)
    , m_model(model)
    , m_page(page)
{
    connect(&m_model, &SavingsViewModel::chosen, this, &SavingsChoices::tell);
    connect(&m_model, &SavingsViewModel::chooseFailed, this, &SavingsChoices::tellFailure);
}

void SavingsChoices::serve(const SavingsButtons &buttons)
{
    connect(&buttons, &SavingsButtons::chooseRequested, this,
            [this](ChoiceState state) { choose(m_model.currentId(), state); });
    connect(&buttons, &SavingsButtons::ticketRequested, this, [this] { copyTicket(m_model.currentId()); });
    connect(&buttons, &SavingsButtons::exportRequested, this, &SavingsChoices::exportWorkbook);
}

void SavingsChoices::choose(const QString &proposal, ChoiceState state)
{
    const Proposal *one = m_model.proposal(proposal);
    if (!one || !m_model.canChoose())
        return;
    if (state == ChoiceState::Open) {
        ChoiceDraft draft;
        draft.proposal = one->id;
        draft.state = ChoiceState::Open;
        m_model.choose(draft);
        return;
    }
    const auto shown = m_model.snapshot();
    m_dialog = new ChoiceDialog(m_context.theme, state, *one, shown->list.range, dateOf(shown->frame.today()), m_page);
    connect(m_dialog, &ChoiceDialog::confirmed, &m_model,
            [this, shown](const ChoiceDraft &draft) { m_model.choose(draft, shown); });
    m_dialog->open();
}

void SavingsChoices::tell(const savings::Choice &choice)
{
    if (m_dialog && m_dialog->isVisible() && m_dialog->proposal() == choice.draft.proposal)
        m_dialog->accept();
    const QString target = widgets::plainLine(QString::fromStdString(choice.target), kNamedTarget);
    Q_EMIT noticeWanted({kChoiceNotice,
                         false,
                         choice.draft.state == ChoiceState::Open
                             ? tr("%1: taken back.", "a proposal").arg(target)
                             : tr("%1: %2.", "a proposal, what was decided").arg(target, SavingsText::state(choice)),
                         {},
                         {}});
}

void SavingsChoices::tellFailure(const base::Error &error)
{
    if (m_dialog && m_dialog->isVisible()) {
        m_dialog->showFailure(LocalText::sentence(error));
        return;
    }
    Q_EMIT noticeWanted({kChoiceNotice, true, LocalText::sentence(error), {}, {}});
}

void SavingsChoices::copy(const QString &text, const QString &notice)
{
    QGuiApplication::clipboard()->setText(text);
    Q_EMIT noticeWanted({kCopyNotice, false, notice, {}, {}});
}

void SavingsChoices::copyTicket(const QString &proposal)
{
    if (const Proposal *one = m_model.proposal(proposal))
        copy(savingsTicket(*one, *m_model.snapshot()), tr("The ticket was copied as Markdown."));
}

void SavingsChoices::copyHow(const QString &proposal)
{
    if (const Proposal *one = m_model.proposal(proposal))
        copy(QString::fromStdString(one->how), tr("How to do it was copied; nothing was run."));
}

void SavingsChoices::exportWorkbook()
{
    const auto shown = m_model.snapshot();
    if (!shown)
        return;
    const QString name =
        exportFileName({tr("savings", "part of a file's name")}, dateOf(shown->frame.today()), workbookSuffix());
    const auto content = [this, shown]() -> FileMaker {
        return [book = bookOf(*shown, m_model.kind(), m_model.done().get())]() -> base::Result<QByteArray> {
            const auto bytes = savingsXlsx(book);
            GPULEDGER_TRY(bytes);
            return QByteArray::fromStdString(*bytes);
        };
    };
    askForWorkbook(*m_page, name, content, m_context.tasks);
}

void SavingsChoices::addActions(QMenu &menu, const QString &proposal)
{
    addProposalActions(menu, proposal);
    if (m_model.snapshot())
        menu.addAction(tr("Export as workbook…"), this, &SavingsChoices::exportWorkbook);
}

void SavingsChoices::addProposalActions(QMenu &menu, const QString &proposal)
{
    const Proposal *one = m_model.proposal(proposal);
    if (!one)
        return;
    const auto offer = [&](const QString &text, ChoiceState state) {
        menu.addAction(text, this, [this, proposal, state] { choose(proposal, state); });
    };
    if (m_model.canChoose() && m_model.choiceOf(proposal)) {
        offer(tr("Take back"), ChoiceState::Open);
    } else if (m_model.canChoose() && !one->excludedBy) {
        offer(tr("Accept…"), ChoiceState::Accepted);
        offer(tr("Dismiss…"), ChoiceState::Dismissed);
        offer(tr("Remind me later…"), ChoiceState::Later);
    }
    menu.addAction(tr("Copy as ticket"), this, [this, proposal] { copyTicket(proposal); });
    menu.addSeparator();
}

} // namespace gpuledger::ui
