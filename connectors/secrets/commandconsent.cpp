// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/secrets/commandconsent.h"

#include "app/base/files/filereplace.h"
#include "app/base/remedy.h"
#include "app/base/text/text.h"
#include "connectors/secrets/descriptor.h"
#include "connectors/secrets/program.h"

#include <fcntl.h>
#include <nlohmann/json.hpp>
#include <sys/file.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>

namespace gpuledger::connectors {

namespace {

using base::ErrorCode;
using base::Result;
using ports::CommandPlan;
using Json = nlohmann::json;
using Consent = CommandPlan::Consent;

constexpr std::size_t kMaxRecordBytes = 4u << 20;

// The variables a program needs to find its user's keychain, agent and settings, but none that could hold a credential.
const std::vector<std::string> kUsualEnvironment{
    "DBUS_SESSION_BUS_ADDRESS", "HOME",          "LANG",           "LOGNAME", "PATH", "USER",
    "XDG_CONFIG_HOME",          "XDG_DATA_HOME", "XDG_RUNTIME_DIR"};

bool sameCommand(const CommandPlan &a, const CommandPlan &b)
{
    return a.program == b.program && a.sha256 == b.sha256 && a.arguments == b.arguments
        && a.environment == b.environment;
}

std::vector<std::string> texts(const Json &array)
{
    std::vector<std::string> all;
    for (const Json &one : array)
        all.push_back(one.get<std::string>());
    return all;
}

// Empty if the bytes are not a record of ours.
std::vector<CommandPlan> parseRecord(const std::string &text)
{
    std::vector<CommandPlan> plans;
    try {
        const Json record = Json::parse(text);
        if (record.at("version") != 1)
            return {};
        for (const Json &one : record.at("commands")) {
            plans.push_back({one.at("program").get<std::string>(), one.at("sha256").get<std::string>(),
                             texts(one.at("arguments")), texts(one.at("environment")), Consent::Given});
        }
    } catch (const Json::exception &) {
        return {};
    }
    return plans;
}

std::string recordOf(const std::vector<CommandPlan> &plans)
{
    Json record{{"version", 1}, {"commands", Json::array()}};
    for (const CommandPlan &plan : plans) {
        record["commands"].push_back({{"program", plan.program},
                                      {"sha256", plan.sha256},
                                      {"arguments", plan.arguments},
                                      {"environment", plan.environment}});
    }
    return record.dump(2, ' ', true) + '\n';
}

// Variables that could inject a library into the program: a consent that is bound to variable names cannot cover them.
bool changesWhatRuns(const std::string &name)
{
    return name.starts_with("LD_") || name.starts_with("DYLD_") || name == "GLIBC_TUNABLES" || name == "BASH_ENV"
        || name == "ENV" || name == "PATH" || name.starts_with("PYTHON");
}

Result<void> addVariables(const ports::CredentialCommand &command, CommandPlan &plan)
{
    for (const auto &[name, value] : command.variables) {
        const bool isName = !name.empty() && name.find_first_of(std::string_view("=\0", 2)) == std::string::npos;
        if (!isName || value.find('\0') != std::string::npos || changesWhatRuns(name))
            return base::fail(ErrorCode::InvalidConfig,
                              "the variable " + base::printable(name, 64) + " can't be set for the program "
                                  + base::printable(plan.program),
                              base::Remedy::SetInScript);
        plan.environment.push_back(name);
    }
    plan.variables = command.variables;
    std::sort(plan.environment.begin(), plan.environment.end());
    plan.environment.erase(std::unique(plan.environment.begin(), plan.environment.end()), plan.environment.end());
    return {};
}

class ConsentFile final : public ports::CommandConsent {
public:
    explicit ConsentFile(std::filesystem::path file)
        : m_file(std::move(file))
    {
    }

    std::vector<std::string> usualEnvironment() const override { return kUsualEnvironment; }

    Result<CommandPlan> plan(const ports::CredentialCommand &command) override
    {
        if (command.arguments.empty())
            return base::fail(ErrorCode::InvalidConfig, "the command for a credential does not name a program",
                              base::Remedy::WriteCommand);
        auto program = findProgram(command.arguments.front());
        GPULEDGER_TRY(program);
        CommandPlan plan{std::move(program->path), std::move(program->sha256), {}, command.environment, Consent::Never};
        plan.arguments.assign(command.arguments.begin() + 1, command.arguments.end());
        GPULEDGER_TRY(addVariables(command, plan));
        for (const auto *words : {&plan.arguments, &plan.environment}) {
            for (const std::string &word : *words) {
                if (!base::isUtf8(word) || word.find('\0') != std::string::npos)
                    return base::fail(ErrorCode::InvalidConfig,
                                      "an argument of " + base::printable(plan.program) + " is not plain text",
                                      base::Remedy::UseUtf8);
            }
        }
        const auto agreed = read();
        GPULEDGER_TRY(agreed);
        for (const CommandPlan &one : *agreed) {
            if (sameCommand(one, plan))
                plan.consent = Consent::Given;
            else if (one.program == plan.program && plan.consent == Consent::Never)
                plan.consent = Consent::Outdated;
        }
        return plan;
    }

    Result<void> agree(const CommandPlan &plan) override
    {
        std::error_code ec;
        const std::filesystem::path folder = m_file.parent_path();
        if (std::filesystem::create_directories(folder, ec))
            std::filesystem::permissions(folder, std::filesystem::perms::owner_all, ec);
        // One writer at a time, so that no consent is lost.
        const Descriptor lock(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
        if (!lock || flock(lock.get(), LOCK_EX) != 0)
            return base::fail(ErrorCode::StorageReadOnly, base::printable(folder.string()) + " can't be written",
                              base::Remedy::CheckFolderPermissions);
        auto agreed = read();
        GPULEDGER_TRY(agreed);
        const auto known = [&](const CommandPlan &one) { return sameCommand(one, plan); };
        if (std::any_of(agreed->begin(), agreed->end(), known))
            return {};
        agreed->push_back(plan);
        return base::replaceFile(m_file, recordOf(*agreed), 0600);
    }

private:
    Result<std::vector<CommandPlan>> read() const
    {
        const std::string shown = base::printable(m_file.string(), 256);
        const Descriptor file(open(m_file.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY));
        if (!file && (errno == ENOENT || errno == ENOTDIR))
            return std::vector<CommandPlan>{};
        struct stat info { };
        if (!file || fstat(file.get(), &info) != 0 || !S_ISREG(info.st_mode) || info.st_uid != geteuid()
            || (info.st_mode & 077) != 0)
            return base::fail(ErrorCode::Forbidden, shown + " can be changed by others: it was ignored",
                              base::Remedy::DeleteAndAgreeAgain);
        std::string text;
        std::array<char, 4096> part{};
        for (ssize_t n = 1; n != 0 && text.size() <= kMaxRecordBytes;) {
            n = ::read(file.get(), part.data(), part.size());
            if (n < 0 && errno != EINTR)
                return base::fail(ErrorCode::Forbidden, shown + " can't be read: it was ignored",
                                  base::Remedy::CheckDiskOrAgreeAgain);
            text.append(part.data(), static_cast<std::size_t>(std::max<ssize_t>(n, 0)));
        }
        return parseRecord(text);
    }

    std::filesystem::path m_file;
};

} // namespace

std::unique_ptr<ports::CommandConsent> makeCommandConsent(std::filesystem::path file)
{
    return std::make_unique<ConsentFile>(std::move(file));
}

} // namespace gpuledger::connectors
