// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/secrets/secretstore.h"

#include "app/base/remedy.h"
#include "app/base/text/log.h"
#include "app/base/text/text.h"
#include "connectors/secrets/commandrunner.h"
#include "connectors/secrets/descriptor.h"
#include "connectors/secrets/keychain.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>

namespace gpuledger::connectors {

namespace {

using base::ErrorCode;
using base::Result;
using base::Secret;

constexpr std::size_t kMaxSecretBytes = 1u << 20;

Result<Secret> readEnvironment(const std::string &name)
{
    const char *value = name.empty() ? nullptr : std::getenv(name.c_str());
    if (!value || !*value)
        return base::fail(ErrorCode::NotFound, "the environment variable " + base::printable(name, 64) + " is not set",
                          base::Remedy::SetVariable);
    return Secret(value);
}

Result<void> checkRights(const struct stat &info, const std::string &shown)
{
    if (!S_ISREG(info.st_mode))
        return base::fail(ErrorCode::Forbidden, shown + " is not a regular file");
    if (info.st_uid != geteuid())
        return base::fail(ErrorCode::Forbidden, shown + " belongs to another user", base::Remedy::UseOwnFile);
    const mode_t mode = info.st_mode & 07777;
    if (mode != 0600 && mode != 0400)
        return base::fail(ErrorCode::Forbidden, shown + " can be read, changed or run by others",
                          base::Remedy::RestrictPermissions);
    return {};
}

Result<Secret> readFile(const std::string &path)
{
    const std::string shown = base::printable(path, 256);
    // O_NONBLOCK: a pipe in place of the file must not block the sync. The permissions checked are those of the opened
    // file.
    const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
    if (file.get() < 0) {
        const bool missing = errno == ENOENT || errno == ENOTDIR;
        return base::fail(missing ? ErrorCode::NotFound : ErrorCode::Forbidden,
                          shown + (missing ? ": no such file" : " can't be opened"),
                          base::Remedy::CheckPathAndPermissions);
    }
    struct stat info { };
    if (fstat(file.get(), &info) != 0)
        return base::fail(ErrorCode::Forbidden, shown + " can't be read");
    GPULEDGER_TRY(checkRights(info, shown));
    std::string text;
    std::array<char, 4096> part{};
    for (;;) {
        const ssize_t n = read(file.get(), part.data(), part.size());
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return base::fail(ErrorCode::Forbidden, shown + " can't be read");
        if (n == 0)
            break;
        text.append(part.data(), static_cast<std::size_t>(n));
        if (text.size() > kMaxSecretBytes)
            return base::fail(ErrorCode::TooMuch, shown + " is larger than 1 MiB, which is too large for a credential");
    }
    // A line end added by an editor is not part of a token; a key file keeps its own.
    while (!text.empty() && (text.back() == '\n' || text.back() == '\r'))
        text.pop_back();
    explicit_bzero(part.data(), part.size());
    if (text.empty())
        return base::fail(ErrorCode::NotFound, shown + " is empty", base::Remedy::WriteCredential);
    return Secret(std::move(text));
}

Result<Secret> readCommand(ports::CredentialCommand command, ports::CommandConsent &consent)
{
    for (std::string &name : consent.usualEnvironment())
        command.environment.push_back(std::move(name));
    const auto plan = consent.plan(command);
    GPULEDGER_TRY(plan);
    if (plan->consent == ports::CommandPlan::Consent::Given)
        return runCommand(*plan);
    const bool outdated = plan->consent == ports::CommandPlan::Consent::Outdated;
    return base::fail(ErrorCode::Forbidden,
                      "the command " + base::printable(plan->program, 256)
                          + (outdated ? " or its arguments changed since you agreed to it, so it was not run"
                                      : " was not run: no one agreed to it"),
                      base::Remedy::AgreeInTerminal);
}

class Store final : public ports::SecretStore {
public:
    explicit Store(ports::CommandConsent *consent)
        : m_consent(consent)
    {
    }
    Result<Secret> read(const model::SecretRef &ref) override
    {
        Result<Secret> secret = find(ref);
        if (secret)
            base::log::redactValue(secret->reveal());
        return secret;
    }

    Result<Secret> run(const ports::CredentialCommand &command) override
    {
        return m_consent ? readCommand(command, *m_consent) : nobodyToAsk();
    }

private:
    static Result<Secret> nobodyToAsk()
    {
        return base::fail(ErrorCode::Forbidden,
                          "credentials from a program can't be used here: there is no one to ask for consent",
                          base::Remedy::UseOtherReference);
    }

    Result<Secret> find(const model::SecretRef &ref)
    {
        using Kind = model::SecretRef::Kind;
        switch (ref.kind) {
        case Kind::Environment:
            return readEnvironment(ref.value);
        case Kind::File:
            return readFile(ref.value);
        case Kind::Keychain:
            return readKeychain(ref.value);
        case Kind::Command:
            if (!m_consent)
                return nobodyToAsk();
            return readCommand({ref.command, {}}, *m_consent);
        case Kind::None:
            break;
        }
        return base::fail(ErrorCode::NotFound, "no credential is configured", base::Remedy::SetCredential);
    }

    ports::CommandConsent *m_consent;
};

} // namespace

std::unique_ptr<ports::SecretStore> makeSecretStore(ports::CommandConsent *consent)
{
    return std::make_unique<Store>(consent);
}

} // namespace gpuledger::connectors
