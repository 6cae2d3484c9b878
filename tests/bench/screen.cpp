// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/screen.h"

#include "tests/bench/process.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <thread>

namespace gpuledger::bench {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

namespace {

constexpr int kWidth = 1280, kHeight = 800;
constexpr auto kPoll = std::chrono::milliseconds(2);
constexpr auto kQuiet = std::chrono::seconds(1);
constexpr auto kPatience = std::chrono::seconds(60);

double millisecondsSince(Clock::time_point begin)
{
    return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

pid_t spawn(const std::vector<std::string> &arguments, const std::vector<std::string> &environment, int keptFd)
{
    std::vector<char *> argv, envp;
    for (const std::string &argument : arguments)
        argv.push_back(const_cast<char *>(argument.c_str()));
    for (const std::string &variable : environment)
        envp.push_back(const_cast<char *>(variable.c_str()));
    argv.push_back(nullptr);
    envp.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    if (keptFd >= 0)
        posix_spawn_file_actions_adddup2(&actions, keptFd, 3);
    pid_t child = 0;
    const bool started = posix_spawnp(&child, argv[0], &actions, nullptr, argv.data(), envp.data()) == 0;
    posix_spawn_file_actions_destroy(&actions);
    return started ? child : 0;
}

void end(pid_t child, int signal)
{
    if (child <= 0)
        return;
    kill(child, signal);
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) { }
}

// The environment of this process without the variables that would lead a program to the user's own session.
std::vector<std::string> cleanEnvironment()
{
    std::vector<std::string> out;
    for (char **variable = environ; *variable; ++variable) {
        const std::string text = *variable;
        bool kept = true;
        for (const char *prefix : {"HOME=", "XDG_", "DISPLAY=", "WAYLAND_DISPLAY=", "DBUS_", "QT_", "SESSION_MANAGER="})
            kept = kept && text.rfind(prefix, 0) != 0;
        if (kept)
            out.push_back(text);
    }
    return out;
}

double residentMbOf(pid_t child)
{
    std::ifstream in("/proc/" + std::to_string(child) + "/status");
    for (std::string line; std::getline(in, line);) {
        if (line.rfind("VmRSS:", 0) == 0)
            return std::strtod(line.c_str() + 6, nullptr) / 1024;
    }
    return 0;
}

} // namespace

Screen::Screen(const fs::path &folder)
{
    if (!installed("Xvfb"))
        return;
    fs::create_directories(folder);
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return;
    m_server = spawn({"Xvfb", "-displayfd", "3", "-screen", "0",
                      std::to_string(kWidth) + 'x' + std::to_string(kHeight) + "x24", "-fbdir", folder.string(),
                      "-nolisten", "tcp"},
                     cleanEnvironment(), ends[1]);
    close(ends[1]);
    // The display number may arrive before the end of its line.
    std::string name;
    for (char letter = 0; m_server > 0 && read(ends[0], &letter, 1) == 1 && letter != '\n';)
        name += letter;
    close(ends[0]);
    if (name.empty())
        return;
    m_display = ':' + name;
    const int file = open((folder / "Xvfb_screen0").c_str(), O_RDONLY | O_CLOEXEC);
    struct stat facts { };
    if (file >= 0 && fstat(file, &facts) == 0) {
        m_mapSize = static_cast<std::size_t>(facts.st_size);
        m_map = mmap(nullptr, m_mapSize, PROT_READ, MAP_SHARED, file, 0);
    }
    if (file >= 0)
        close(file);
    m_count = std::size_t{kWidth} * kHeight;
    if (m_map == nullptr || m_map == MAP_FAILED || m_mapSize < m_count * sizeof(std::uint32_t))
        return;
    // The pixels are at the end of the file, after a header whose length the server chooses.
    m_pixels = reinterpret_cast<const std::uint32_t *>(static_cast<const char *>(m_map) + m_mapSize
                                                       - m_count * sizeof(std::uint32_t));
}

Screen::~Screen()
{
    if (m_map && m_map != MAP_FAILED)
        munmap(m_map, m_mapSize);
    end(m_server, SIGTERM);
}

std::size_t Screen::changedPixels(const std::vector<std::uint32_t> &before) const
{
    if (std::memcmp(before.data(), m_pixels, m_count * sizeof(std::uint32_t)) == 0)
        return 0;
    std::size_t changed = 0;
    for (std::size_t i = 0; i < m_count; ++i)
        changed += before[i] != m_pixels[i];
    return changed;
}

Screen::Start Screen::start(const std::vector<std::string> &arguments, const fs::path &home) const
{
    fs::create_directories(home);
    std::vector<std::string> environment = cleanEnvironment();
    environment.push_back("DISPLAY=" + m_display);
    environment.push_back("QT_QPA_PLATFORM=xcb");
    for (const char *name :
         {"HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR"})
        environment.push_back(std::string(name) + '=' + home.string());
    fs::permissions(home, fs::perms::owner_all);
    std::vector<std::uint32_t> before(m_pixels, m_pixels + m_count);
    Start result;
    const Clock::time_point begin = Clock::now();
    const pid_t child = spawn(arguments, environment, -1);
    if (child <= 0)
        return result;
    for (Clock::time_point last = begin;;) {
        std::this_thread::sleep_for(kPoll);
        const std::size_t changed = changedPixels(before);
        const Clock::time_point now = Clock::now();
        if (changed > 0) {
            if (result.firstMs == 0 && changed > m_count / 20)
                result.firstMs = millisecondsSince(begin);
            result.lastMs = millisecondsSince(begin);
            last = now;
            if (result.firstMs > 0)
                before.assign(m_pixels, m_pixels + m_count);
        }
        if ((result.firstMs > 0 && now - last > kQuiet) || now - begin > kPatience)
            break;
    }
    result.residentMb = residentMbOf(child);
    end(child, SIGTERM);
    std::this_thread::sleep_for(std::chrono::milliseconds(100)); // until the server has repainted the background
    return result;
}

} // namespace gpuledger::bench
