// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/viewmodels/activity/actionwords.h"

#include "app/actions/run/actionresult.h"
#include "app/actions/run/undo.h"
#include "ui/format/actions/actionphrase.h"
#include "ui/format/actions/resultphrase.h"
#include "ui/format/local/celltext.h"
#include "ui/format/local/localtext.h"
#include "ui/viewmodels/idle/idletext.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>

namespace gpuledger::ui {

using model::ActionKind;
using model::ActionRecord;
using model::ActionState;

namespace {

class Words {
    Q_DECLARE_TR_FUNCTIONS(gpuledger::ui::ActionWords)
public:
    static int count(const std::vector<ActionRecord> &records, ActionState state)
    {
        return static_cast<int>(
            std::count_if(records.begin(), records.end(), [&](const ActionRecord &one) { return one.state == state; }));
    }

    // What the action does to its object: "Notebook resumed: annotation removed".
    static QString change(const model::ActionIntent &intent)
    {
        const QString what = textOf(intent.target.kind);
        const bool isStop = intent.kind == model::ActionKind::Stop;
        switch (intent.verb) {
        case model::StopVerb::ScaleToZero:
            return tr("%1 scaled from %2 to %3", "kind of object, numbers of replicas")
                .arg(what, textOf(intent.oldValue), textOf(intent.newValue));
        case model::StopVerb::Suspend:
            return (isStop ? tr("%1 suspended", "kind of object") : tr("%1 resumed", "kind of object")).arg(what);
        case model::StopVerb::Deactivate:
            return (isStop ? tr("%1 suspended through its queue", "kind of object")
                           : tr("%1 resumed through its queue", "kind of object"))
                .arg(what);
        case model::StopVerb::Annotate:
            return (isStop                          ? tr("%1 stopped: annotation set", "kind of object")
                        : intent.newValue == "null" ? tr("%1 resumed: annotation removed", "kind of object")
                                                    : tr("%1 resumed: annotation set back", "kind of object"))
                .arg(what);
        case model::StopVerb::Evict:
        case model::StopVerb::Delete:
            return (isStop ? tr("%1 deleted", "kind of object") : tr("%1 created again", "kind of object")).arg(what);
        case model::StopVerb::StopInstance:
            return (isStop ? tr("%1 shut down", "kind of object") : tr("%1 started", "kind of object")).arg(what);
        case model::StopVerb::None:
            break;
        }
        return {};
    }

    static QString running(const std::vector<ActionRecord> &records, bool undo)
    {
        const auto all = static_cast<int>(records.size());
        const int done = count(records, ActionState::Verified);
        return undo ? tr("Bringing back: %1 of %n workload(s) verified", nullptr, all).arg(done)
                    : tr("Stopping: %1 of %n workload(s) verified", nullptr, all).arg(done);
    }

    static QString ended(const std::vector<ActionRecord> &records, bool undo)
    {
        const int done = count(records, ActionState::Verified) + count(records, ActionState::Undone);
        QString text =
            undo ? tr("Brought back %n workload(s).", nullptr, done) : tr("Stopped %n workload(s).", nullptr, done);
        if (!undo && done > 0)
            text += QLatin1Char(' ') + freed(records);
        QStringList others;
        for (const ActionRecord &record : records) {
            if (record.state != ActionState::Verified && record.state != ActionState::Undone)
                others << tr("%1 was not: %2", "object, why")
                              .arg(QString::fromStdString(record.intent.target.name),
                                   record.result.empty() ? LocalText::phrase(textOf(record.state))
                                                         : resultText(record));
        }
        for (const QString &other : others)
            text += QLatin1Char(' ') + other + QLatin1Char('.');
        return text;
    }

    static QString inShort(const std::vector<ActionRecord> &records, bool undo, bool isWarning)
    {
        const int done = count(records, ActionState::Verified) + count(records, ActionState::Undone);
        QString text =
            undo ? tr("Brought back %n workload(s).", nullptr, done) : tr("Stopped %n workload(s).", nullptr, done);
        if (isWarning)
            text += QLatin1Char(' ') + tr("Not everything went as requested.");
        return text;
    }

    static QString freed(const std::vector<ActionRecord> &records)
    {
        double gpus = 0, month = 0;
        bool priced = true;
        QString code;
        for (const ActionRecord &record : records) {
            if (record.state != ActionState::Verified)
                continue;
            gpus += record.intent.gpus;
            priced = priced && record.intent.perMonth;
            if (record.intent.perMonth) {
                month += record.intent.perMonth->toDouble();
                code = QString::fromStdString(std::string(record.intent.perMonth->currency().code()));
            }
        }
        return priced ? tr("Free: %1, %2 a month.").arg(IdleText::gpuCount(gpus), LocalText::money(month, code, 0))
                      : tr("Free: %1.").arg(IdleText::gpuCount(gpus));
    }

    static QString simulated() { return tr("On a simulated platform: nothing real was stopped."); }
};

} // namespace

RunWords runWords(const std::vector<ActionRecord> &records, bool isRunning)
{
    RunWords words;
    const bool undo = !records.empty() && records.front().intent.kind == ActionKind::Undo;
    words.text = isRunning ? Words::running(records, undo) : Words::ended(records, undo);
    if (!isRunning && !simulatedNote(records).isEmpty())
        words.text += QLatin1Char(' ') + simulatedNote(records);
    for (const ActionRecord &record : records) {
        words.isWarning = words.isWarning || (!isRunning && record.state != ActionState::Verified);
        if (actions::undoable(record).can)
            words.undoable.push_back(record.id);
    }
    if (!isRunning)
        words.desktop = Words::inShort(records, undo, words.isWarning);
    return words;
}

QString resultText(const ActionRecord &record, const base::TimeZone &zone)
{
    return LocalText::phrase(textOf(actions::resultOf(record)), zone);
}

QString changeWords(const model::ActionIntent &intent)
{
    return Words::change(intent);
}

QString simulatedNote(const std::vector<ActionRecord> &records)
{
    const bool any =
        std::any_of(records.begin(), records.end(), [](const ActionRecord &one) { return one.intent.isSimulated; });
    return any ? Words::simulated() : QString();
}

} // namespace gpuledger::ui
