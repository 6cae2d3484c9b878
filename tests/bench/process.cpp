// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/process.h"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <sstream>

namespace gpuledger::bench {

Finished runProgram(const std::vector<std::string> &arguments)
{
    Finished out;
    int ends[2];
    if (pipe(ends) != 0)
        return out;
    std::vector<char *> argv;
    for (const std::string &argument : arguments)
        argv.push_back(const_cast<char *>(argument.c_str()));
    argv.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_addclose(&actions, ends[0]);
    posix_spawn_file_actions_addclose(&actions, ends[1]);
    pid_t child = 0;
    const bool started = posix_spawnp(&child, argv[0], &actions, nullptr, argv.data(), environ) == 0;
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    char buffer[4096];
    for (;;) {
        const ssize_t n = read(ends[0], buffer, sizeof buffer);
        if (n > 0)
            out.output.append(buffer, static_cast<std::size_t>(n));
        else if (n == 0 || errno != EINTR)
            break;
    }
    close(ends[0]);
    if (!started)
        return out;
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) { }
    out.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return out;
}

std::string ownProgram()
{
    return std::filesystem::read_symlink("/proc/self/exe").string();
}

bool installed(const std::string &program)
{
    const char *path = std::getenv("PATH");
    std::istringstream folders(path ? path : "");
    for (std::string folder; std::getline(folders, folder, ':');) {
        if (access((folder + '/' + program).c_str(), X_OK) == 0)
            return true;
    }
    return false;
}

} // namespace gpuledger::bench
