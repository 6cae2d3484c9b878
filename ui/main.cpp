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
#include "app/services/workspace/demopast.h"
#include "app/services/workspace/openedreport.h"
#include "app/services/workspace/workspace.h"
#include "connectors/connectorregistry.h"
#include "connectors/secrets/commandconsent.h"
#include "connectors/secrets/secretstore.h"
#include "ui/format/local/language.h"
#include "ui/format/local/localtext.h"
#include "ui/navigation.h"
#include "ui/window/mainwindow.h"
#include "ui/window/picturetaker.h"
#include "ui/window/platform/singleinstance.h"
#include "ui/window/platform/systemtheme.h"
#include "ui/window/statementwriter.h"
#include "ui/window/windows.h"
#include "widgets/heatmap/heatmapaccessible.h"
#include "widgets/state/plaintext.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QDesktopServices>
#include <QProcess>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>

#include <sys/stat.h>

namespace {

using namespace gpuledger;

struct Options {
    std::filesystem::path config, data;
    std::filesystem::path report; // empty: none
    bool demo = false, listPages = false, isConfigNamed = false, themeGiven = false;
    QString now, zone, page, picture, theme, link;
    ui::StatementRequest statement; // of no month: none
    QSize size{1280, 800};
};

constexpr int kUsage = 2;
constexpr int kBadConfig = 3;

std::filesystem::path pathOf(const QString &text)
{
    return std::filesystem::path(text.toStdString());
}

// False, with a sentence on stderr, when it can't be read.
bool readStatement(const QCommandLineParser &parser, Options &o)
{
    const QString cost = parser.value(QStringLiteral("cost")), paper = parser.value(QStringLiteral("paper")).toLower();
    if ((cost != QLatin1String("billed") && cost != QLatin1String("effective"))
        || (paper != QLatin1String("a4") && paper != QLatin1String("letter"))) {
        std::fprintf(stderr, "gpuledger: --cost is billed or effective, --paper is A4 or Letter\n");
        return false;
    }
    o.statement = {parser.value(QStringLiteral("statement")),
                   parser.value(QStringLiteral("team")),
                   o.picture,
                   cost == QLatin1String("billed"),
                   paper == QLatin1String("letter") ? QPageSize::Letter : QPageSize::A4,
                   parser.isSet(QStringLiteral("with-savings"))};
    o.picture.clear();
    return true;
}

// A file in the place of a link is a report, also as desktops write it. False, with a sentence on stderr, when that
// does not go with the rest.
bool takeReport(Options &o)
{
    const QUrl url(o.link);
    const QString file = url.isLocalFile() ? url.toLocalFile() : o.link;
    if (o.report.empty()
        && file.endsWith(QLatin1String(".") + QLatin1String(reports::kReportSuffix), Qt::CaseInsensitive)) {
        o.report = pathOf(file);
        o.link.clear();
    }
    if (!o.report.empty() && (o.demo || !o.link.isEmpty())) {
        std::fprintf(stderr, "gpuledger: a report file does not go with --demo or a link\n");
        return false;
    }
    return true;
}

// Nothing, with a sentence on stderr, when the command line can't be read.
std::optional<Options> readOptions(const QApplication &app)
{
    QCommandLineParser parser;
    parser.setApplicationDescription(QApplication::translate(
        "gpuledger::ui::main", "Shows where a company's GPU money goes.\nExample: gpuledger --demo"));
    parser.addHelpOption();
    parser.addVersionOption();
    parser.addOptions(
        {{QStringLiteral("config"), QApplication::translate("gpuledger::ui::main", "Configuration file."),
          QStringLiteral("FILE")},
         {QStringLiteral("data"), QApplication::translate("gpuledger::ui::main", "Folder of the cache."),
          QStringLiteral("DIR")},
         {QStringLiteral("report"), QApplication::translate("gpuledger::ui::main", "Show this report file, read-only."),
          QStringLiteral("FILE")},
         {QStringLiteral("demo"), QApplication::translate("gpuledger::ui::main", "Show the built-in demo fleet.")},
         {QStringLiteral("now"), QApplication::translate("gpuledger::ui::main", "Freeze the clock at this time."),
          QStringLiteral("RFC3339")},
         {QStringLiteral("tz"), QApplication::translate("gpuledger::ui::main", "Time zone to show times in."),
          QStringLiteral("ZONE")},
         {QStringLiteral("page"), QApplication::translate("gpuledger::ui::main", "Page to open."),
          QStringLiteral("PAGE")},
         {QStringLiteral("list-pages"),
          QApplication::translate("gpuledger::ui::main", "Print the names of the pages and exit.")},
         {QStringLiteral("screenshot"),
          QApplication::translate("gpuledger::ui::main", "Render one page to --out and exit."), QStringLiteral("PAGE")},
         {QStringLiteral("statement"),
          QApplication::translate("gpuledger::ui::main", "Write the statement of a month to --out, as PDF, and exit."),
          QStringLiteral("YYYY-MM")},
         {QStringLiteral("team"),
          QApplication::translate("gpuledger::ui::main", "Team for --statement; otherwise all."),
          QStringLiteral("TEAM")},
         {QStringLiteral("cost"),
          QApplication::translate("gpuledger::ui::main", "billed or effective, of --statement."),
          QStringLiteral("COST"), QStringLiteral("effective")},
         {QStringLiteral("paper"), QApplication::translate("gpuledger::ui::main", "A4 or Letter, of --statement."),
          QStringLiteral("SIZE"), QStringLiteral("A4")},
         {QStringLiteral("with-savings"),
          QApplication::translate("gpuledger::ui::main", "Add what could be saved to --statement.")},
         {QStringLiteral("out"),
          QApplication::translate("gpuledger::ui::main", "File of --screenshot (PNG) or --statement (PDF)."),
          QStringLiteral("FILE")},
         {QStringLiteral("size"), QApplication::translate("gpuledger::ui::main", "Window size of --screenshot."),
          QStringLiteral("WxH"), QStringLiteral("1280x800")},
         {QStringLiteral("theme"), QApplication::translate("gpuledger::ui::main", "light, dark or system."),
          QStringLiteral("THEME"), QStringLiteral("system")}});
    parser.addPositionalArgument(
        QStringLiteral("link"),
        QApplication::translate("gpuledger::ui::main", "A gpuledger:// link or a report file (.gpureport) to open."),
        QStringLiteral("[LINK|FILE]"));
    if (!parser.parse(QApplication::arguments())) {
        std::fprintf(stderr, "gpuledger: %s See gpuledger --help\n", qPrintable(parser.errorText()));
        return std::nullopt;
    }
    parser.process(app); // answers --help and --version
    Options o;
    o.config = parser.isSet(QStringLiteral("config")) ? pathOf(parser.value(QStringLiteral("config")))
                                                      : services::defaultConfigFile();
    o.isConfigNamed = parser.isSet(QStringLiteral("config"));
    o.data = parser.isSet(QStringLiteral("data")) ? pathOf(parser.value(QStringLiteral("data")))
                                                  : services::defaultDataFolder();
    o.demo = parser.isSet(QStringLiteral("demo"));
    if (o.demo && !parser.isSet(QStringLiteral("data")))
        o.data = services::demoDataFolder();
    o.listPages = parser.isSet(QStringLiteral("list-pages"));
    o.now = parser.value(QStringLiteral("now"));
    o.zone = parser.value(QStringLiteral("tz"));
    o.picture = parser.value(QStringLiteral("out"));
    o.page = parser.value(parser.isSet(QStringLiteral("screenshot")) ? QStringLiteral("screenshot")
                                                                     : QStringLiteral("page"));
    o.theme = parser.value(QStringLiteral("theme"));
    o.themeGiven = parser.isSet(QStringLiteral("theme"));
    if (!QStringList{QStringLiteral("light"), QStringLiteral("dark"), QStringLiteral("system")}.contains(o.theme)) {
        std::fprintf(stderr, "gpuledger: --theme can't be \"%s\"; it is light, dark or system\n",
                     base::printable(o.theme.toStdString(), 64).c_str());
        return std::nullopt;
    }
    o.link = parser.positionalArguments().value(0);
    o.report = pathOf(parser.value(QStringLiteral("report")));
    if (!takeReport(o))
        return std::nullopt;
    if (parser.positionalArguments().size() > 1) {
        std::fprintf(stderr, "gpuledger: one link at a time\n");
        return std::nullopt;
    }
    const QStringList size = parser.value(QStringLiteral("size")).split(QLatin1Char('x'));
    if (size.size() == 2)
        o.size = {size[0].toInt(), size[1].toInt()};
    if (!o.size.isValid() || o.size.width() < 100 || o.size.width() > 16384 || o.size.height() < 100
        || o.size.height() > 16384) {
        std::fprintf(stderr, "gpuledger: --size is not a size; write it as 1280x800\n");
        return std::nullopt;
    }
    const bool statement = parser.isSet(QStringLiteral("statement"));
    if (statement + parser.isSet(QStringLiteral("screenshot")) != parser.isSet(QStringLiteral("out"))) {
        std::fprintf(stderr, "gpuledger: --screenshot PAGE or --statement MONTH go together with --out FILE\n");
        return std::nullopt;
    }
    if (statement && !readStatement(parser, o))
        return std::nullopt;
    return o;
}

// Null without a report file.
base::Result<std::unique_ptr<services::OpenedReport>> reportFor(const Options &options)
{
    if (options.report.empty())
        return std::unique_ptr<services::OpenedReport>();
    return services::OpenedReport::open(options.report);
}

// A report's clock stands still at the time when it was made.
base::Result<std::unique_ptr<base::Clock>> clockFor(const Options &options, const services::OpenedReport *report)
{
    if (options.now.isEmpty() && report)
        return std::unique_ptr<base::Clock>(new base::FrozenClock(report->header().made));
    if (options.now.isEmpty())
        return std::unique_ptr<base::Clock>(new base::SystemClock);
    const auto at = base::parseTime(options.now.toStdString());
    GPULEDGER_TRY(at);
    return std::unique_ptr<base::Clock>(new base::FrozenClock(*at));
}

base::Result<model::Settings> settingsFor(const Options &options, const services::OpenedReport *report,
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
std::optional<ui::Place> placeFor(const Options &options, const services::OpenedReport *report = nullptr)
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

int takePicture(QApplication &app, const Options &options, const ui::WindowContext &context,
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
QString instanceId(const Options &options)
{
    return ui::SingleInstance::idFor(options.report.empty() ? options.data : options.report);
}

void logFailure(const base::Result<void> &done)
{
    if (!done && done.error().code != base::ErrorCode::Cancelled)
        base::log::warning("demo", done.error().text);
}

int show(QApplication &app, const Options &options, widgets::Theme &theme, services::Workspace &workspace,
         ui::SingleInstance &instance, const ui::LoginPorts &logins, const services::OpenedReport *report,
         services::DemoPast *past)
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
    const auto options = readOptions(app);
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
    where.targets = connectors::makeNoticeTargets(*secrets);
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
    return show(app, *options, theme, **workspace, instance, {consent.get(), commands.get(), contexts.get()},
                report->get(), past ? &*past : nullptr);
}
