// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/firstrun.h"

#include "ui/dialogs/sources/sourcedialog.h"
#include "ui/format/local/localtext.h"
#include "widgets/state/plaintext.h"

#include <QCoreApplication>

namespace gpuledger::ui {

using widgets::StatePanel;

namespace {

constexpr int kLongestSource = 60;

struct FirstRun {
    Q_DECLARE_TR_FUNCTIONS(gpuledger::ui::FirstRun)
};

bool hasSources(const WindowContext &context)
{
    return !context.workspace.settings().sources.empty();
}

void showSync(StatePanel &panel, const SyncController &sync)
{
    const services::SyncProgress &progress = sync.progress();
    const std::optional<double> done = progress.range.empty() ? std::nullopt : std::optional<double>(sync.fraction());
    const QString title = progress.source.empty()
        ? FirstRun::tr("Fetching the first data")
        : FirstRun::tr("Fetching the first data of %1", "a source")
              .arg(widgets::plainLine(QString::fromStdString(progress.source), kLongestSource));
    QString text = FirstRun::tr("The pages fill as the data arrive.");
    if (done && progress.secondsLeft && *progress.secondsLeft >= 1)
        text = FirstRun::tr("%1 fetched, about %2 left", "share of a time range, duration")
                   .arg(LocalText::percent(*done, 0),
                        LocalText::age(base::Seconds{static_cast<std::int64_t>(*progress.secondsLeft)}));
    else if (done)
        text = FirstRun::tr("%1 fetched", "share of a time range").arg(LocalText::percent(*done, 0));
    panel.showProgress({title, text, {}, {}, {}}, done);
}

} // namespace

void showFirstRun(StatePanel &panel, const WindowContext &context)
{
    if (hasSources(context) && context.sync.running())
        return showSync(panel, context.sync);
    if (hasSources(context)) {
        panel.showFirstRun({FirstRun::tr("Nothing has been synced yet"),
                            FirstRun::tr("The first sync fetches the telemetry of the last weeks and then follows it."),
                            {},
                            FirstRun::tr("Sync now"),
                            {}});
        return;
    }
    panel.showFirstRun({FirstRun::tr("See where your GPU money goes"),
                        FirstRun::tr("Connect the Prometheus that scrapes your GPU exporters. It is only read, and "
                                     "everything stays on this computer."),
                        FirstRun::tr("Or look around first, with the figures of a fictional company."),
                        context.configFile.empty() ? QString() : FirstRun::tr("Connect a Prometheus…"),
                        context.startAnother ? FirstRun::tr("Explore the demo fleet") : QString()});
}

void bindFirstRun(StatePanel &panel, const WindowContext &context)
{
    QObject::connect(&panel, &StatePanel::actionTriggered, &panel, [&panel, context](StatePanel::State state) {
        if (state != StatePanel::State::FirstRun)
            return;
        if (hasSources(context))
            context.sync.start();
        else
            addSource(context, panel.window());
    });
    QObject::connect(&panel, &StatePanel::secondActionTriggered, &panel, [context](StatePanel::State state) {
        if (state == StatePanel::State::FirstRun && context.startAnother)
            context.startAnother({QStringLiteral("--demo")});
    });
}

void addSource(const WindowContext &context, QWidget *parent)
{
    auto *dialog = new SourceDialog(context.theme, context.workspace.config(), context.workspace.sources(),
                                    context.tasks, context.sync, context.configFile, context.logins, parent);
    dialog->open();
}

} // namespace gpuledger::ui
