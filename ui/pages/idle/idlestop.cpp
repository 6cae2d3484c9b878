// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/idle/idlestop.h"

#include "app/model/fleet/kindname.h"
#include "app/services/engine/configservice.h"
#include "ui/dialogs/idle/leavealonedialog.h"
#include "ui/dialogs/idle/markdialog.h"
#include "ui/dialogs/idle/stopdialog.h"
#include "ui/format/actions/actionphrase.h"
#include "ui/format/actions/markphrase.h"
#include "ui/format/local/localtext.h"
#include "ui/viewmodels/activity/actionwords.h"
#include "ui/viewmodels/idle/idletext.h"

#include <QClipboard>
#include <QGuiApplication>

#include <algorithm>

namespace gpuledger::ui {

namespace {

constexpr auto kNotice = "stop", kOwnerNotice = "tell-owner"; // no-tr: keys

} // namespace

IdleStop::IdleStop(const PageContext &context, QWidget *page)
    : QObject(page)
    , m_context(context)
    , m_page(page)
    , m_actions(context.workspace.actions(), context.tasks)
{
    connect(&m_actions, &ActionController::recordsChanged, this, &IdleStop::tellRun);
    connect(&m_actions, &ActionController::finished, this, [this] {
        tellRun();
        tellChanged();
    });
    connect(&m_actions, &ActionController::failed, this, [this](const base::Error &error) {
        Q_EMIT noticeWanted({QLatin1String(kNotice),
                             true,
                             LocalText::sentence(error),
                             {},
                             {},
                             tr("A stop or an undo did not go as requested.")});
        tellChanged();
    });
}

void IdleStop::ask(std::vector<insight::IdleItem> items)
{
    if (items.empty() || m_dialog || m_actions.isRunning())
        return;
    m_dialog =
        new StopDialog({m_context.theme, m_context.workspace.config(), m_actions}, std::move(items), m_page->window());
    connect(m_dialog, &StopDialog::confirmed, &m_actions, &ActionController::stop);
    m_dialog->open();
}

void IdleStop::tellChanged()
{
    Q_EMIT changed();
    m_context.sync.tellActions();
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
    notice.desktop = words.desktop;
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
    tellChanged();
}

template <typename Work> void IdleStop::keep(Work work, const QString &done)
{
    using Answer = base::Result<void>;
    m_context.tasks.run<Answer>(
        this, [desk = &m_context.workspace.actions(), work](const std::stop_token &) { return work(*desk); },
        [this, done](const Answer &answer) {
            if (!answer) {
                tellFailure(answer.error());
                return;
            }
            Q_EMIT noticeWanted({QLatin1String(kNotice), false, done, {}, {}});
            tellChanged();
        });
}

void IdleStop::copyOwnerMessage(const insight::IdleItem &item)
{
    QStringList lines;
    for (const Phrase &sentence : ownerMessageOf(item))
        lines << LocalText::phrase(sentence);
    QGuiApplication::clipboard()->setText(lines.join(QLatin1Char('\n')) + QLatin1Char('\n'));
    Q_EMIT noticeWanted({QLatin1String(kOwnerNotice),
                         false,
                         tr("A message for %1 was copied; paste it where its owner will read it.", "team")
                             .arg(QString::fromStdString(item.owner)),
                         {},
                         {}});
}

void IdleStop::leaveAlone(const insight::IdleItem &item, model::Lease::Kind kind)
{
    auto *dialog = new LeaveAloneDialog(m_context.theme, QString::fromStdString(model::shownName(item.kind, item.name)),
                                        m_context.workspace.clock().now(), kind, m_page->window());
    connect(dialog, &LeaveAloneDialog::confirmed, this, [this, id = item.id](const LeaveAloneDialog::Request &wish) {
        keep(
            [id, wish](services::ActionService &desk) -> base::Result<void> {
                GPULEDGER_TRY(desk.grant(wish.kind, id, wish.until, wish.reason));
                return {};
            },
            tr("It will be left alone."));
    });
    dialog->open();
}

bool IdleStop::canMark() const
{
    return m_context.workspace.actions().canMark();
}

void IdleStop::undo(const std::vector<std::int64_t> &actions)
{
    m_actions.undo(actions, {});
}

void IdleStop::mark(const std::vector<insight::IdleItem> &items, std::optional<base::Seconds> after)
{
    struct Answer {
        base::Result<actions::Marked> marked;
        bool isWatched = false;
    };
    const services::ConfigService &config = m_context.workspace.config();
    std::vector<std::string> ids;
    for (const insight::IdleItem &item : items)
        ids.push_back(item.id);
    const QString name = items.size() == 1
        ? QString::fromStdString(model::shownName(items.front().kind, items.front().name))
        : tr("%n workload(s)", "to be marked", static_cast<int>(items.size()));
    auto *dialog = new MarkDialog(m_context.theme, name, config.clock().now(), config.timeZone(), m_page->window());
    if (after)
        dialog->suggest(*after);
    connect(dialog, &MarkDialog::confirmed, this, [this, ids](const MarkDialog::Request &wish) {
        m_context.tasks.run<Answer>(
            this,
            [desk = &m_context.workspace.actions(), config = &m_context.workspace.config(), ids,
             wish](const std::stop_token &stop) {
                const auto watched = desk->watchedAt();
                const bool isWatched = watched && config->clock().now() - *watched <= actions::kLongestRound;
                return Answer{desk->mark({ids, wish.after, wish.reason}, stop), isWatched};
            },
            [this](const Answer &answer) {
                if (answer.marked)
                    tellMarked(*answer.marked, answer.isWatched);
                else
                    tellFailure(answer.marked.error());
            });
    });
    dialog->open();
}

void IdleStop::tellMarked(const actions::Marked &marked, bool isWatched)
{
    PageNotice notice;
    notice.key = QLatin1String(kNotice);
    notice.isWarning = marked.leases.empty() || !isWatched;
    if (marked.leases.empty()) {
        QString why;
        for (const actions::PlannedStop &stop : marked.plan.stops) {
            const auto check = std::find_if(stop.checks.begin(), stop.checks.end(), [](const actions::Check &one) {
                return one.outcome == actions::Outcome::Failed;
            });
            if (check != stop.checks.end())
                why = LocalText::phrase(textOf(*check));
        }
        notice.text = tr("It was not marked: %1.", "why").arg(why);
        Q_EMIT noticeWanted(notice);
        return;
    }
    const QString until = IdleText::exactInstant(*marked.leases.front().until, m_context.workspace.timeZone());
    const int count = static_cast<int>(marked.leases.size());
    notice.text = count == 1
        ? tr("It will be stopped after %1 unless someone objects. Its owner was not notified.", "time").arg(until)
        : tr("%n workload(s) will be stopped after %1 unless someone objects. Nobody was notified.", "time", count)
              .arg(until);
    if (!isWatched)
        notice.text += QLatin1Char(' ') + tr("No watch is running on this data: nothing is stopped until one is.");
    QString text;
    for (const MarkNotice &one : noticesOf(marked)) {
        for (const Phrase &sentence : one.sentences)
            text += LocalText::phrase(sentence) + QLatin1Char('\n');
    }
    notice.action = tr("Copy a message for its owner");
    notice.run = [text] { QGuiApplication::clipboard()->setText(text); };
    Q_EMIT noticeWanted(notice);
    tellChanged();
}

void IdleStop::endLease(std::int64_t lease)
{
    keep([lease](services::ActionService &desk) { return desk.endLease(lease); }, tr("The request was withdrawn."));
}

} // namespace gpuledger::ui
