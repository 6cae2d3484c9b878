// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/secrets/commandrunner.h"

#include "app/base/remedy.h"
#include "app/base/text/text.h"
#include "connectors/secrets/descriptor.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>

namespace gpuledger::connectors {

namespace {

using base::ErrorCode;
using base::Result;
using base::Secret;
using Clock = std::chrono::steady_clock;

// A started program and everything in its session; killed with this object.
class Child {
public:
    explicit Child(pid_t pid)
        : m_pid(pid)
        , m_ended(static_cast<int>(
              syscall(SYS_pidfd_open, pid, 0))) // the C library of Debian 12 declares it wrongly for C++
    {
    }
    Child(const Child &) = delete;
    Child &operator=(const Child &) = delete;
    ~Child() { (void)end(); }

    int endedDescriptor() const { return m_ended.get(); }
    // Kills what is left of it, and returns its wait status.
    int end()
    {
        if (m_pid <= 0)
            return m_status;
        kill(-m_pid, SIGKILL); // its ids cannot be reused before it has been waited for
        kill(m_pid, SIGKILL);
        while (waitpid(m_pid, &m_status, 0) < 0 && errno == EINTR) { }
        m_pid = 0;
        return m_status;
    }

private:
    pid_t m_pid;
    Descriptor m_ended;
    int m_status = 0;
};

class SpawnSettings {
public:
    explicit SpawnSettings(int output)
    {
        posix_spawn_file_actions_init(&actions);
        posix_spawnattr_init(&attributes);
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
        posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
        posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1);
        sigset_t none, all;
        sigemptyset(&none);
        sigfillset(&all);
        posix_spawnattr_setsigmask(&attributes, &none);
        posix_spawnattr_setsigdefault(&attributes, &all);
        posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    }
    SpawnSettings(const SpawnSettings &) = delete;
    SpawnSettings &operator=(const SpawnSettings &) = delete;
    ~SpawnSettings()
    {
        posix_spawn_file_actions_destroy(&actions);
        posix_spawnattr_destroy(&attributes);
    }

    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
};

std::vector<char *> pointers(std::vector<std::string> &words)
{
    std::vector<char *> all;
    for (std::string &word : words)
        all.push_back(word.data());
    all.push_back(nullptr);
    return all;
}

// The process id, or a negative errno.
pid_t start(const ports::CommandPlan &plan, int output)
{
    std::vector<std::string> arguments{plan.program}, environment;
    arguments.insert(arguments.end(), plan.arguments.begin(), plan.arguments.end());
    for (const std::string &name : plan.environment) {
        const auto set = std::find_if(plan.variables.begin(), plan.variables.end(),
                                      [&](const auto &variable) { return variable.first == name; });
        if (set != plan.variables.end())
            environment.push_back(name + '=' + set->second);
        else if (const char *value = std::getenv(name.c_str()))
            environment.push_back(name + '=' + value);
    }
    const SpawnSettings settings(output);
    pid_t pid = 0;
    const int error = posix_spawn(&pid, plan.program.c_str(), &settings.actions, &settings.attributes,
                                  pointers(arguments).data(), pointers(environment).data());
    for (std::string &variable : environment)
        explicit_bzero(variable.data(), variable.size());
    return error == 0 ? pid : -error;
}

enum class Read { Over, Limit, Late };

// Reads until the program ends; its children may keep the pipe open. `text` never grows beyond its reserve, so that no
// copy of a credential is left behind.
Read readUntilEnd(const Descriptor &pipe, const Child &child, Clock::time_point deadline, std::string &text,
                  std::size_t most)
{
    std::array<pollfd, 2> wait{{{child.endedDescriptor(), POLLIN, 0}, {pipe.get(), POLLIN, 0}}};
    std::array<char, 4096> part{};
    for (bool ended = false;;) {
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
        if (left <= 0)
            return Read::Late;
        if (!ended && poll(wait.data(), wait.size(), static_cast<int>(left)) < 0 && errno != EINTR)
            return Read::Late;
        ended = ended || (wait[0].revents & POLLIN) != 0;
        const ssize_t n = wait[1].fd < 0 ? 0 : read(pipe.get(), part.data(), part.size());
        if (n > 0) {
            const auto bytes = static_cast<std::size_t>(n);
            const bool fits = text.size() + bytes <= most;
            if (fits)
                text.append(part.data(), bytes);
            explicit_bzero(part.data(), bytes);
            if (!fits)
                return Read::Limit;
            continue;
        }
        if (n < 0 && errno == EINTR)
            continue;
        if (ended)
            return Read::Over;
        if (n == 0)
            wait[1].fd = -1; // it has closed its output; poll ignores the entry
    }
}

Result<Secret> notFound(const std::string &shown, const std::string &what)
{
    return base::fail(ErrorCode::NotFound, "the command " + shown + ' ' + what, base::Remedy::RunInTerminal);
}

} // namespace

Result<Secret> runCommand(const ports::CommandPlan &plan, CommandLimits limits)
{
    const std::string shown = base::printable(plan.program, 256);
    if (plan.consent != ports::CommandPlan::Consent::Given)
        return base::fail(ErrorCode::Refused, "no one agreed to run " + shown);
    const Clock::time_point deadline = Clock::now() + limits.time;
    std::array<int, 2> ends{-1, -1};
    if (pipe2(ends.data(), O_CLOEXEC) != 0)
        return notFound(shown, std::string("can't be started: ") + strerror(errno));
    const Descriptor output(ends[0]);
    Descriptor input(ends[1]);
    fcntl(output.get(), F_SETFL, O_NONBLOCK);
    const pid_t pid = start(plan, input.get());
    input = Descriptor();
    if (pid < 0)
        return notFound(shown, std::string("can't be started: ") + strerror(-pid));
    Child child(pid);
    if (child.endedDescriptor() < 0)
        return base::fail(ErrorCode::Unsupported, "this system does not support supervising the command " + shown,
                          base::Remedy::UseOtherReference);
    std::string text;
    text.reserve(limits.bytes + 1);
    const Read read = readUntilEnd(output, child, deadline, text, limits.bytes);
    const int status = child.end();
    if (!text.empty() && text.back() == '\n')
        text.pop_back();
    Secret secret(std::move(text)); // wiped on every return path from here on
    if (read == Read::Late)
        return base::fail(base::Error{ErrorCode::Timeout,
                                      "the command " + shown + " did not end within "
                                          + std::to_string(limits.time.count() / 1000) + " s and was terminated",
                                      false,
                                      {},
                                      std::string(base::text(base::Remedy::RunInTerminalForPrompt))});
    if (read == Read::Limit)
        return base::fail(ErrorCode::TooMuch,
                          "the command " + shown + " printed more than " + std::to_string(limits.bytes >> 10)
                              + " KiB, which is too long for a credential",
                          base::Remedy::PrintCredentialOnly);
    if (WIFSIGNALED(status))
        return notFound(shown, "was terminated by signal " + std::to_string(WTERMSIG(status)));
    if (WEXITSTATUS(status) != 0)
        return notFound(shown, "failed with exit status " + std::to_string(WEXITSTATUS(status)));
    if (secret.empty())
        return notFound(shown, "printed nothing");
    return secret;
}

} // namespace gpuledger::connectors
