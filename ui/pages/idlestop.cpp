// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/idlestop.h"

#include "ui/dialogs/leavealonedialog.h"
#include "ui/dialogs/stopdialog.h"
#include "ui/format/localtext.h"
#include "ui/viewmodels/actionwords.h"

namespace gpuledger::ui {

namespace {

constexpr auto kNotice = "stop"; // no-tr: key

} // namespace

IdleStop::IdleStop(const PageContext &context, QWidget *page)
    : QObject(page)
    , m_context(context)
    , m_page(page)
    , m_actions(context.workspace, context.tasks)
{
    connect(&m_actions, &ActionController::recordsChanged, this, &IdleStop::tellRun);
    connect(&m_actions, &ActionController::finished, this, [this] {
        tellRun();
        Q_EMIT changed();
    });
    connect(&m_actions, &ActionController::failed, this, &IdleStop::tellFailure);
}

void IdleStop::ask(std::vector<insight::IdleItem> items)
{
    if (items.empty() || m_dialog || m_actions.isRunning())
        return;
    m_dialog = new StopDialog({m_context.theme, m_context.workspace, m_actions}, std::move(items), m_page->window());
    connect(m_dialog, &StopDialog::confirmed, &m_actions, &ActionController::stop);
    m_dialog->open();
}

void IdleStop::tellRun()
{
    const auto &records = m_actions.records();
    if (records.empty())
        return;
    const RunWords words = runWords(records, m_actions.isRunning());
    PageNotice notice;
    notice.key = QLatin1String(kNotice);
    notice.isWarning = words.isWarning;
    notice.text = words.text;
    if (m_actions.isRunning()) {
        notice.action = tr("Halt");
        notice.run = [this] { m_actions.halt(); };
    } else if (!words.undoable.empty()) {
        notice.action = tr("Undo");
        notice.run = [this, ids = words.undoable] { m_actions.undo(ids, {}); };
    }
    Q_EMIT noticeWanted(notice);
}

void IdleStop::tellFailure(const base::Error &error)
{
    Q_EMIT noticeWanted({QLatin1String(kNotice), true, LocalText::sentence(error), {}, {}});
    Q_EMIT changed();
}

template <typename Work> void IdleStop::keep(Work work, const QString &done)
{
    using Answer = base::Result<void>;
    m_context.tasks.run<Answer>(
        this, [workspace = &m_context.workspace, work](const std::stop_token &) { return work(workspace->actions()); },
        [this, done](const Answer &answer) {
            if (!answer) {
                tellFailure(answer.error());
                return;
            }
            Q_EMIT noticeWanted({QLatin1String(kNotice), false, done, {}, {}});
            Q_EMIT changed();
        });
}

void IdleStop::leaveAlone(const insight::IdleItem &item)
{
    auto *dialog = new LeaveAloneDialog(m_context.theme, QString::fromStdString(item.name),
                                        m_context.workspace.clock().now(), m_page->window());
    connect(dialog, &LeaveAloneDialog::confirmed, this, [this, id = item.id](const LeaveAloneDialog::Wish &wish) {
        keep(
            [id, wish](services::ActionDesk &desk) -> base::Result<void> {
                GPULEDGER_TRY(desk.grant(wish.kind, id, wish.until, wish.reason));
                return {};
            },
            tr("It is left alone."));
    });
    dialog->open();
}

void IdleStop::endLease(std::int64_t lease)
{
    keep([lease](services::ActionDesk &desk) { return desk.endLease(lease); }, tr("The wish is taken back."));
}

} // namespace gpuledger::ui
