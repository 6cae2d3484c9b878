// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/startoptions.h"

#include "app/base/text/text.h"
#include "app/reports/files/reportfile.h"
#include "app/services/environment/folders.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QUrl>

#include <cstdio>

namespace gpuledger::ui {

namespace {

std::filesystem::path pathOf(const QString &text)
{
    return std::filesystem::path(text.toStdString());
}

// False, with a sentence on stderr, when it can't be read.
bool readStatement(const QCommandLineParser &parser, StartOptions &o)
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
bool takeReport(StartOptions &o)
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

} // namespace

std::optional<StartOptions> readStartOptions(const QApplication &app)
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
    StartOptions o;
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

} // namespace gpuledger::ui
