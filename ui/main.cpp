// SPDX-License-Identifier: GPL-3.0-or-later
// The window's composition root: reads the configuration, builds the workspace and shows it.
#include "app/base/coredump.h"
#include "app/base/memory.h"
#include "app/base/text/log.h"
#include "app/base/text/text.h"
#include "app/services/actions/actionservice.h"
#include "app/services/config/config.h"
#include "app/services/environment/demosettings.h"
#include "app/services/environment/folders.h"
#include "app/services/reports/reportkey.h"
#include "app/services/savings/savingsservice.h"
#include "app/services/workspace/demopast.h"
#include "app/services/workspace/openedreport.h"
#include "app/services/workspace/workspace.h"
#include "connectors/connectorregistry.h"
#include "connectors/secrets/commandconsent.h"
#include "connectors/secrets/secretstore.h"
#include "ui/format/local/language.h"
#include "ui/format/local/localtext.h"
#include "ui/navigation.h"
#include "ui/startoptions.h"
#include "ui/viewmodels/alerts/alertwatch.h"
#include "ui/viewmodels/savings/savingsdays.h"
#include "ui/window/mainwindow.h"
#include "ui/window/picturetaker.h"
#include "ui/window/platform/desktopnotices.h"
#include "ui/window/platform/quitsignals.h"
#include "ui/window/platform/singleinstance.h"
#include "ui/window/platform/systemtheme.h"
#include "ui/window/statementwriter.h"
#include "ui/window/windows.h"
#include "widgets/heatmap/heatmapaccessible.h"
#include "widgets/state/plaintext.h"

#include <QApplication>
#include <QDesktopServices>
#include <QProcess>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>

#include <sys/stat.h>

namespace {

using namespace gpuledger;
using ui::StartOptions;

constexpr int kUsage = 2;
constexpr int kBadConfig = 3;

// Null without a report file.
base::Result<std::unique_ptr<services::OpenedReport>> reportFor(const StartOptions &options)
{
    if (options.report.empty())
        return std::unique_ptr<services::OpenedReport>();
    return services::OpenedReport::open(options.report);
}

// A report's clock stands still at the time when it was made.
base::Result<std::unique_ptr<base::Clock>> clockFor(const StartOptions &options, const services::OpenedReport *report)
{
    if (options.now.isEmpty() && report)
        return std::unique_ptr<base::Clock>(new base::FrozenClock(report->header().made));
    if (options.now.isEmpty())
        return std::unique_ptr<base::Clock>(new base::SystemClock);
    const auto at = base::parseTime(options.now.toStdString());
    GPULEDGER_TRY(at);
    return std::unique_ptr<base::Clock>(new base::FrozenClock(*at));
}

base::Result<model::Settings> settingsFor(const StartOptions &options, const services::OpenedReport *report,
                                          const ports::SourceCatalog &catalog)
{
    if (report)
        return report->settings();
    if (options.demo)
        return services::keptDemoSettings(options.data);
    auto settings = services::readConfigFile(options.config, catalog.kinds());
    // The first run: nobody wrote one yet. A file that was asked for by name must be there.
    if (!settings && settings.error().code == base::ErrorCode::NotFound && !options.isConfigNamed)
        return model::Settings{};
    return settings;
}

QString signerText(const std::string &fingerprint, services::Signer signer)
{
    const QString shown = QString::fromStdString(fingerprint);
    switch (signer) {
    case services::Signer::Own:
        return QApplication::translate("gpuledger::ui::main", "signed here (%1)").arg(shown);
    case services::Signer::Known:
        return QApplication::translate("gpuledger::ui::main", "signed by %1, a known signer").arg(shown);
    case services::Signer::Unknown:
        break;
    }
    return QApplication::translate("gpuledger::ui::main", "signed by %1, an unknown signer").arg(shown);
}

// What the bar of a report's window says.
QString reportText(const reports::ReportHeader &header, services::Signer signer)
{
    const QLocale locale;
    const QDate month(header.month.year, header.month.number, 1);
    return QApplication::translate("gpuledger::ui::main", "Report of %1, made %2 by %3; %4; read-only")
        .arg(locale.toString(month, QStringLiteral("MMMM yyyy")), // no-tr: form of a date
             locale.toString(QDateTime::fromSecsSinceEpoch(base::toUnix(header.made)), QLocale::ShortFormat),
             header.actor.empty() ? QApplication::translate("gpuledger::ui::main", "an unknown user")
                                  : QString::fromStdString(base::printable(header.actor, 100)),
             signerText(header.fingerprint(), signer));
}

// A failure before there is a window: on stderr, and in a box where somebody looks at a screen.
int sayAndEnd(const base::Error &error, bool quiet)
{
    const QString text = ui::LocalText::sentence(error);
    std::fprintf(stderr, "gpuledger: %s\n", text.toUtf8().constData());
    if (!quiet) {
        const std::unique_ptr<QMessageBox> box(widgets::plainMessageBox(
            QMessageBox::Critical, // allowed: made by the factory
            QApplication::translate("gpuledger::ui::main", "GPU Ledger can't start"), text, {}, nullptr));
        box->exec();
    }
    return kBadConfig;
}

// A report's month, as far as it was over.
base::TimeRange rangeOf(const reports::ReportHeader &header)
{
    const base::TimeRange month = header.month.range();
    return {month.start, std::min(month.end, header.made)};
}

// The page of --page or --screenshot, else that of the link, with the link's range and filters.
std::optional<ui::Place> placeFor(const StartOptions &options, const services::OpenedReport *report = nullptr)
{
    if (report) {
        const QString page = options.page.isEmpty() ? QStringLiteral("showback") : options.page; // no-tr: id of a page
        return ui::Place{page, {{ui::Span::Custom, rangeOf(report->header())}, {}}, {}};
    }
    auto linked = ui::Place::fromUrl(QUrl::fromEncoded(options.link.toUtf8(), QUrl::StrictMode));
    if (options.page.isEmpty())
        return linked;
    ui::Place place = linked.value_or(ui::Place{});
    if (place.page != options.page)
        place.inner = {};
    place.page = options.page;
    return place;
}

int takePicture(QApplication &app, const StartOptions &options, const ui::WindowContext &context,
                const services::OpenedReport *report)
{
    ui::MainWindow window(context, ui::pages());
    if (const auto place = placeFor(options, report))
        window.open(*place);
    context.sync.reloadSources();
    ui::PictureTaker picture(window, options.picture, options.size);
    picture.start();
    return app.exec();
}

// One process a data folder, or a report file.
QString instanceId(const StartOptions &options)
{
    return ui::SingleInstance::idFor(options.report.empty() ? options.data : options.report);
}

void logFailure(const base::Result<void> &done)
{
    if (!done && done.error().code != base::ErrorCode::Cancelled)
        base::log::warning("demo", done.error().text);
}

int show(QApplication &app, const StartOptions &options, widgets::Theme &theme, services::Workspace &workspace,
         ui::SingleInstance &instance, ui::DesktopNotices &desktop, const ui::LoginPorts &logins,
         const services::OpenedReport *report, services::DemoPast *past)
{
    ui::TaskRunner tasks;
    ui::SyncController sync(workspace.config(), workspace.sources(), workspace.fleet(), tasks);
    if (past) // without it, the fleet is still whole
        sync.surround([past](const auto &stop, const auto &tell) { logFailure(past->stopWorkloads(stop, tell)); },
                      [past](const auto &stop, const auto &) { logFailure(past->closeMonths(stop)); });
    const auto startAnother = [](const QStringList &arguments) {
        return QProcess::startDetached(QCoreApplication::applicationFilePath(), arguments);
    };
    const auto openAddress = [](const QUrl &address) { return QDesktopServices::openUrl(address); };
    ui::WindowContext context{
        workspace,    tasks,      sync, theme, options.demo || report ? std::filesystem::path() : options.config,
        startAnother, openAddress};
    context.logins = logins;
    if (report) {
        const std::string signer = report->header().fingerprint();
        context.reportName = QString::fromStdString(base::printable(options.report.filename().string(), 100));
        context.reportText = reportText(report->header(), services::signerOf(signer, options.data));
    }
    if (!options.picture.isEmpty())
        return takePicture(app, options, context, report);
    const QString id = instanceId(options);
    ui::Windows windows(context, theme, ui::pages(),
                        services::stateFolder() / ("window-" + id.toStdString() + ".json"));
    if (options.themeGiven)
        windows.keepTheme();
    const ui::SystemTheme system(QDBusConnection::sessionBus());
    QObject::connect(&system, &ui::SystemTheme::darkPreferred, &windows, &ui::Windows::followSystem);
    QObject::connect(&instance, &ui::SingleInstance::asked, &windows, &ui::Windows::openLink);
    QObject::connect(&desktop, &ui::DesktopNotices::linkWanted, &windows, &ui::Windows::openLink);
    const ui::QuitSignals quitSignals;
    // Unlike quit(), this closes no window first, so that all of them are saved.
    QObject::connect(&quitSignals, &ui::QuitSignals::asked, &app, [] { QCoreApplication::exit(0); });
    const ui::AlertWatch alerts(workspace.config(), workspace.alertDesk(), sync);
    const ui::SavingsDays savingsDays(
        workspace.config(), [&workspace](const std::stop_token &stop) { return workspace.savings().keepDays(stop); },
        sync);
    const auto place = placeFor(options, report);
    windows.restore(place ? QString::fromUtf8(place->toUrl().toEncoded()) : options.link);
    sync.schedule();
    if (!report) // what a crash left open is asked for, on a worker
        tasks.run<bool>(
            &sync, [&workspace](const std::stop_token &stop) { return workspace.actions().settle(stop).has_value(); },
            [](bool) {});
    return app.exec();
}

bool pageExists(const QString &id)
{
    const auto pages = ui::pages();
    return std::any_of(pages.begin(), pages.end(), [&](const ui::PageEntry &page) { return page.id == id; });
}

} // namespace

int main(int argc, char **argv)
{
    base::returnFreedMemory();
    const base::NoCoreDumps noCoreDumps;
    umask(0077); // nothing that we write is for others
    qunsetenv("SSLKEYLOGFILE"); // would write the session keys of every connection
    QApplication app(argc, argv);
    QApplication::setApplicationName(QStringLiteral("gpuledger"));
    QApplication::setApplicationDisplayName(QStringLiteral("GPU Ledger"));
    QApplication::setApplicationVersion(QStringLiteral(GPULEDGER_VERSION));
    QApplication::setDesktopFileName(QStringLiteral("org.gpuledger.GpuLedger"));
    const ui::Language language(QLocale::system());
    const auto options = ui::readStartOptions(app);
    if (!options)
        return kUsage;
    if (options->listPages) {
        for (const ui::PageEntry &page : ui::pages())
            std::printf("%s\n", qPrintable(page.id));
        return 0;
    }
    if (!options->page.isEmpty() && !pageExists(options->page)) {
        std::fprintf(stderr, "gpuledger: no page \"%s\"; see --list-pages\n", qPrintable(options->page));
        return kUsage;
    }
    base::log::init({services::defaultLogFile(), base::log::Level::Info, false});
    widgets::Theme theme;
    theme.setMode(options->theme == QLatin1String("dark")        ? widgets::Theme::Mode::Dark
                      : options->theme == QLatin1String("light") ? widgets::Theme::Mode::Light
                                                                 : widgets::Theme::Mode::System);
    theme.apply();
    widgets::installHeatmapAccessibility();
    const bool quiet = !options->picture.isEmpty() || !options->statement.month.isEmpty();
    ui::SingleInstance instance(ui::SingleInstance::defaultFolder(), instanceId(*options));
    if (!quiet) {
        const auto place = placeFor(*options);
        const QString link = place ? QString::fromUtf8(place->toUrl().toEncoded()) : options->link;
        if (instance.start(link) == ui::SingleInstance::Role::HandedOver)
            return 0;
    }
    const auto report = reportFor(*options);
    if (!report)
        return sayAndEnd(report.error(), quiet);
    auto clock = clockFor(*options, report->get());
    if (!clock)
        return sayAndEnd(clock.error(), quiet);
    if (options->demo)
        logFailure(services::beginDemo((*clock)->now(), options->data));
    const auto catalog = connectors::makeSourceCatalog();
    auto settings = settingsFor(*options, report->get(), *catalog);
    if (!settings)
        return sayAndEnd(settings.error(), quiet);
    const auto consent = connectors::makeCommandConsent(services::agreedCommandsFile());
    const auto secrets = connectors::makeSecretStore(consent.get());
    const auto commands = connectors::makeLoginCommands();
    const auto contexts = connectors::makeKubeContexts();
    services::WorkspaceOptions where{options->data, options->zone.toStdString(), false};
    if (*report) {
        where = (*report)->options();
        where.timeZone = options->zone.toStdString();
    }
    const auto targets = connectors::makeNoticeTargets(*secrets);
    ui::DesktopNotices desktop(QDBusConnection::sessionBus());
    where.targets = std::make_shared<ui::DesktopNoticeTargets>(desktop, *targets);
    auto workspace = services::Workspace::open(std::move(*settings), where, *catalog, *secrets, **clock);
    if (!workspace)
        return sayAndEnd(workspace.error(), quiet);
    if (!options->statement.month.isEmpty()) {
        const auto written = ui::writeStatement((*workspace)->billing(), (*workspace)->savings(), options->statement);
        return written ? 0 : sayAndEnd(written.error(), quiet);
    }
    std::optional<services::DemoPast> past;
    if (options->demo && services::hasDemoPast(services::keptDemoOptions(options->data)))
        past.emplace(services::keptDemoSettings(options->data), where, *catalog, *secrets, **clock);
    return show(app, *options, theme, **workspace, instance, desktop, {consent.get(), commands.get(), contexts.get()},
                report->get(), past ? &*past : nullptr);
}
