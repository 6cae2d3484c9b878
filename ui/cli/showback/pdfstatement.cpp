// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/cli/showback/pdfstatement.h"

#include <cerrno>
#include <csignal>
#include <filesystem>
#include <spawn.h>
#include <string_view>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace gpuledger::cli {

namespace {

using base::ErrorCode;
using base::Result;

constexpr std::string_view kPlatform = "QT_QPA_PLATFORM=";

std::vector<char *> pointersTo(std::vector<std::string> &texts)
{
    std::vector<char *> pointers;
    for (std::string &text : texts)
        pointers.push_back(text.data());
    pointers.push_back(nullptr);
    return pointers;
}

std::vector<std::string> environmentWithoutScreen()
{
    std::vector<std::string> all;
    for (char **one = environ; *one; ++one) {
        if (!std::string_view(*one).starts_with(kPlatform))
            all.emplace_back(*one);
    }
    all.push_back(std::string(kPlatform) + "offscreen");
    return all;
}

std::vector<std::string> argumentsFor(const Session &session, const std::string &program, const insight::Month &month,
                                      reports::CostView view, bool withSavings, const std::string &file)
{
    const GlobalOptions &options = session.options();
    std::vector<std::string> all{program,
                                 "--data=" + session.dataFolder().string(),
                                 "--statement=" + insight::toString(month),
                                 "--cost=" + std::string(view == reports::CostView::Billed ? "billed" : "effective"),
                                 "--out=" + file,
                                 "--now=" + base::toRfc3339(session.clock().now())};
    if (!options.report.empty())
        all.push_back("--report=" + std::filesystem::absolute(options.report).string());
    else if (options.demo)
        all.emplace_back("--demo");
    else
        all.push_back("--config=" + session.configFile().string());
    if (!options.tz.empty())
        all.push_back("--tz=" + options.tz);
    if (withSavings)
        all.emplace_back("--with-savings");
    if (!options.teams.empty())
        all.push_back("--team=" + options.teams.front());
    return all;
}

Result<int> run(const std::string &program, std::vector<std::string> arguments)
{
    std::vector<std::string> environment = environmentWithoutScreen();
    const auto argv = pointersTo(arguments), envp = pointersTo(environment);
    pid_t child = 0;
    // This program blocks the signals that it waits for; the other one must end at an interrupt.
    sigset_t none;
    sigemptyset(&none);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    const int failed = posix_spawn(&child, program.c_str(), nullptr, &attributes, argv.data(), envp.data());
    posix_spawnattr_destroy(&attributes);
    if (failed != 0)
        return base::fail(ErrorCode::Unsupported, "the program that draws pages can't be started",
                          "ask for --format html, or export from the window");
    int status = 0;
    while (waitpid(child, &status, 0) < 0) {
        if (errno != EINTR)
            return base::fail(ErrorCode::Internal, "the program that draws pages was lost");
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

} // namespace

Result<void> writePdfStatement(Session &session, const insight::Month &month, reports::CostView view, bool withSavings,
                               const std::string &file)
{
    std::error_code ec;
    const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", ec);
    const std::string program = (self.parent_path() / "gpuledger").string();
    if (ec || !std::filesystem::exists(program, ec))
        return base::fail(ErrorCode::Unsupported, "the program that draws pages, gpuledger, is not installed",
                          "install it, or ask for --format html");
    const auto status = run(program, argumentsFor(session, program, month, view, withSavings, file));
    GPULEDGER_TRY(status);
    if (*status != 0)
        return base::fail(ErrorCode::Storage, "the PDF was not written", "see the message above");
    return {};
}

} // namespace gpuledger::cli
