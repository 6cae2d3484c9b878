// SPDX-License-Identifier: GPL-3.0-or-later
// The window's composition root: reads the configuration, builds the workspace and shows it.
#include "app/base/coredump.h"
#include "app/base/log.h"
#include "app/services/config.h"
#include "app/services/demosettings.h"
#include "app/services/folders.h"
#include "app/services/workspace.h"
#include "connectors/connectorregistry.h"
#include "connectors/secrets/commandconsent.h"
#include "connectors/secrets/secretstore.h"
#include "ui/format/localtext.h"
#include "ui/navigation.h"
#include "ui/window/mainwindow.h"
#include "ui/window/picturetaker.h"
#include "widgets/heatmap/heatmapaccessible.h"
#include "widgets/state/plaintext.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QProcess>

#include <cstdio>
#include <filesystem>
#include <memory>

namespace {

using namespace gpuledger;

struct Options {
    std::filesystem::path config, data;
    bool demo = false, listPages = false, isConfigNamed = false;
    QString now, zone, page, picture, theme;
    QSize size{1280, 800};
};

constexpr int kUsage = 2;
constexpr int kBadConfig = 3;

std::filesystem::path pathOf(const QString &text)
{
    return std::filesystem::path(text.toStdString());
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
         {QStringLiteral("demo"), QApplication::translate("gpuledger::ui::main", "Show the built-in demo fleet.")},
         {QStringLiteral("now"), QApplication::translate("gpuledger::ui::main", "Freeze the clock at this time."),
          QStringLiteral("RFC3339")},
         {QStringLiteral("tz"), QApplication::translate("gpuledger::ui::main", "Time zone to show times in."),
          QStringLiteral("ZONE")},
         {QStringLiteral("page"), QApplication::translate("gpuledger::ui::main", "Page to open."),
          QStringLiteral("PAGE")},
         {QStringLiteral("list-pages"),
          QApplication::translate("gpuledger::ui::main", "Print the names of the pages and end.")},
         {QStringLiteral("screenshot"),
          QApplication::translate("gpuledger::ui::main", "Render one page to --out and end."), QStringLiteral("PAGE")},
         {QStringLiteral("out"), QApplication::translate("gpuledger::ui::main", "PNG file of --screenshot."),
          QStringLiteral("FILE")},
         {QStringLiteral("size"), QApplication::translate("gpuledger::ui::main", "Window size of --screenshot."),
          QStringLiteral("WxH"), QStringLiteral("1280x800")},
         {QStringLiteral("theme"), QApplication::translate("gpuledger::ui::main", "light, dark or system."),
          QStringLiteral("THEME"), QStringLiteral("system")}});
    parser.process(app);
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
    const QStringList size = parser.value(QStringLiteral("size")).split(QLatin1Char('x'));
    if (size.size() == 2)
        o.size = {size[0].toInt(), size[1].toInt()};
    if (!o.size.isValid() || o.size.width() < 100 || o.size.width() > 16384 || o.size.height() < 100
        || o.size.height() > 16384) {
        std::fprintf(stderr, "gpuledger: --size is not a size; write it as 1280x800\n");
        return std::nullopt;
    }
    if (parser.isSet(QStringLiteral("screenshot")) != parser.isSet(QStringLiteral("out"))) {
        std::fprintf(stderr, "gpuledger: --screenshot PAGE and --out FILE.png go together\n");
        return std::nullopt;
    }
    return o;
}

base::Result<std::unique_ptr<base::Clock>> clockFor(const Options &options)
{
    if (options.now.isEmpty())
        return std::unique_ptr<base::Clock>(new base::SystemClock);
    const auto at = base::parseTime(options.now.toStdString());
    GPULEDGER_TRY(at);
    return std::unique_ptr<base::Clock>(new base::FrozenClock(*at));
}

base::Result<model::Settings> settingsFor(const Options &options)
{
    if (options.demo)
        return services::demoSettings();
    auto settings = services::readConfigFile(options.config);
    // The first run: nobody wrote one yet. A file that was asked for by name must be there.
    if (!settings && settings.error().code == base::ErrorCode::NotFound && !options.isConfigNamed)
        return model::Settings{};
    return settings;
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

int show(QApplication &app, const Options &options, widgets::Theme &theme, services::Workspace &workspace)
{
    ui::TaskRunner tasks;
    ui::SyncController sync(workspace, tasks);
    const auto startAnother = [](const QStringList &arguments) {
        return QProcess::startDetached(QCoreApplication::applicationFilePath(), arguments);
    };
    ui::MainWindow window(
        {workspace, tasks, sync, theme, options.demo ? std::filesystem::path() : options.config, startAnother},
        ui::pages());
    if (!options.page.isEmpty() && !window.showPage(options.page)) {
        std::fprintf(stderr, "gpuledger: no page \"%s\"; see --list-pages\n", qPrintable(options.page));
        return kUsage;
    }
    std::unique_ptr<ui::PictureTaker> picture;
    if (!options.picture.isEmpty()) {
        sync.reloadSources();
        picture = std::make_unique<ui::PictureTaker>(window, options.picture, options.size);
        picture->start();
    } else {
        window.show();
        window.currentPage()->setFocus();
        sync.schedule();
    }
    return app.exec();
}

} // namespace

int main(int argc, char **argv)
{
    const base::NoCoreDumps noCoreDumps;
    qunsetenv("SSLKEYLOGFILE"); // would write the session keys of every connection
    QApplication app(argc, argv);
    QApplication::setApplicationName(QStringLiteral("gpuledger"));
    QApplication::setApplicationDisplayName(QStringLiteral("GPU Ledger"));
    QApplication::setApplicationVersion(QStringLiteral(GPULEDGER_VERSION));
    QApplication::setDesktopFileName(QStringLiteral("org.gpuledger.GpuLedger"));
    const auto options = readOptions(app);
    if (!options)
        return kUsage;
    if (options->listPages) {
        for (const ui::PageEntry &page : ui::pages())
            std::printf("%s\n", qPrintable(page.id));
        return 0;
    }
    base::log::init({services::defaultLogFile(), base::log::Level::Info, false});
    widgets::Theme theme;
    theme.setMode(options->theme == QLatin1String("dark")        ? widgets::Theme::Mode::Dark
                      : options->theme == QLatin1String("light") ? widgets::Theme::Mode::Light
                                                                 : widgets::Theme::Mode::System);
    theme.apply();
    widgets::installHeatmapAccessibility();
    const bool quiet = !options->picture.isEmpty();
    auto clock = clockFor(*options);
    if (!clock)
        return sayAndEnd(clock.error(), quiet);
    auto settings = settingsFor(*options);
    if (!settings)
        return sayAndEnd(settings.error(), quiet);
    const auto catalog = connectors::makeSourceCatalog();
    const auto consent = connectors::makeCommandConsent(services::agreedCommandsFile());
    const auto secrets = connectors::makeSecretStore(consent.get());
    auto workspace = services::Workspace::open(
        std::move(*settings), {options->data, options->zone.toStdString(), false}, *catalog, *secrets, **clock);
    if (!workspace)
        return sayAndEnd(workspace.error(), quiet);
    return show(app, *options, theme, **workspace);
}
