// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/cli/commandline.h"

#include "app/base/remedy.h"
#include "app/base/text/text.h"
#include "ui/cli/commandlist.h"
#include "ui/cli/program/session.h"

#include <CLI/CLI.hpp>

namespace gpuledger::cli {

namespace {

void addGlobals(CLI::App &app, GlobalOptions &o)
{
    app.add_option("--config", o.config, "Configuration file (gpuledger/config.yaml in the XDG configuration folder)");
    app.add_option("--data", o.data, "Data folder (gpuledger in the XDG data folder)");
    app.add_option("--report", o.report,
                   "Use a report file (.gpureport) instead of configuration and data, read-only and offline");
    app.add_flag("--demo", o.demo, "Use the built-in demo fleet instead of a configuration");
    app.add_option("--now", o.now, "Freeze the clock at this time (RFC 3339)");
    app.add_option("--tz", o.tz, "Time zone (default: from the configuration, else the system's)");
    app.add_option("--from", o.from, "Start: RFC 3339, YYYY-MM-DD or -30d (30 days before the end)");
    app.add_option("--to", o.to, "End, exclusive (now)");
    // A later option replaces an earlier one, so that the options of a wrapper script can be overridden.
    for (CLI::Option *option : app.get_options()) {
        if (!option->get_lnames().empty() && option->get_items_expected_max() == 1)
            option->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
    }
    const auto filter = [&](const std::string &name, std::vector<std::string> &values, const std::string &help) {
        app.add_option(name, values, help)->expected(1)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    };
    filter("--team", o.teams, "Only this team; repeatable, as are the filters below");
    filter("--cluster", o.clusters, "Only this cluster");
    filter("--cloud", o.clouds, "Only this cloud");
    filter("--gpu-model", o.gpuModels, "Only this GPU model");
    filter("--workload-type", o.workloadTypes, "Only this workload type");
    filter("--environment", o.environments, "Only this environment");
    filter("--node-pool", o.nodePools, "Only this node pool");
    app.add_flag("--json", o.json, "Machine-readable output");
    app.add_flag("--csv", o.csv, "Result as a table for spreadsheets");
    app.add_flag("--quiet", o.quiet, "Only results and errors");
    app.add_flag("--verbose", o.verbose, "Also write the log to stderr");
}

int reported(Output &out, const base::Error &error)
{
    out.failure(error);
    return exitStatus(error);
}

base::Error changesNothing()
{
    return base::Error::make(base::ErrorCode::Refused,
                             "a report is read-only and offline: this command does not go with --report",
                             base::Remedy::UseReportOrigin);
}

// A word that is neither a command nor an option is named.
base::Error usageError(const CLI::App &app, const CLI::ParseError &e)
{
    const auto named = [](const char *what, const std::string &word) {
        return base::Error::make(base::ErrorCode::InvalidArgument,
                                 std::string("there is no ") + what + " \"" + base::printable(word, 64) + '"',
                                 "see gpuledger-cli --help");
    };
    if (e.get_name() == "RequiredError" && app.get_subcommands().empty()) {
        const std::vector<std::string> words = app.remaining();
        if (words.empty())
            return base::Error::make(base::ErrorCode::InvalidArgument, "no command was given",
                                     "see gpuledger-cli --help");
        return words.front().starts_with('-') ? named("option", words.front()) : named("command", words.front());
    }
    return base::Error::make(base::ErrorCode::InvalidArgument, base::printable(e.what(), 300),
                             "see gpuledger-cli --help");
}

// Help and version go to stdout; a usage error is one sentence.
int answerParser(const CLI::App &app, const CLI::ParseError &e, Output &out)
{
    base::Result<void> printed;
    if (e.get_name() == "CallForHelp" || e.get_name() == "CallForAllHelp") {
        const CLI::App *verb = &app;
        while (!verb->get_subcommands().empty())
            verb = verb->get_subcommands().back();
        printed = out.print(verb->help());
    } else if (e.get_name() == "CallForVersion") {
        printed = out.print(std::string(e.what()) + "\n");
    } else {
        return reported(out, usageError(app, e));
    }
    if (printed)
        printed = out.flush();
    return printed ? kDone : reported(out, printed.error());
}

bool asksForJson(int argc, char **argv)
{
    for (int i = 1; i < argc; ++i) {
        if (std::string_view(argv[i]) == "--json")
            return true;
    }
    return false;
}

} // namespace

int runCommandLine(int argc, char **argv, const Ports &ports, std::stop_token stop,
                   const std::function<void(Ending)> &ending)
{
    GlobalOptions options;
    options.json = asksForJson(argc, argv); // so that a parse error is reported in the requested form
    CLI::App app("Shows where GPU-hours and GPU money go", "gpuledger-cli");
    app.set_version_flag("--version", "gpuledger-cli " GPULEDGER_VERSION);
    app.footer("Example:\n  gpuledger-cli demo && gpuledger-cli --demo summary --by team");
    app.require_subcommand(1);
    addGlobals(app, options);
    const auto commands = makeCommands(app);
    for (const auto &command : commands)
        command->addTo(app);
    Output out(options);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError &e) {
        return answerParser(app, e, out);
    }
    Session session(options, ports, std::move(stop));
    for (const auto &command : commands) {
        if (!command->chosen())
            continue;
        if (!options.report.empty() && !command->readsReports())
            return reported(session.out(), changesNothing());
        options.demo = options.demo || command->isAboutDemo();
        ending(command->ending());
        if (const auto begun = session.begin(); !begun)
            return reported(session.out(), begun.error());
        const auto status = command->run(session);
        // Output is checked even if the command fails later.
        const auto flushed = session.out().flush();
        if (!status)
            return reported(session.out(), status.error());
        return flushed ? *status : reported(session.out(), flushed.error());
    }
    return kUsage;
}

} // namespace gpuledger::cli
