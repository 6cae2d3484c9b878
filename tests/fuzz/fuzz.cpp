// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/fuzz/fuzz.h"

#include "app/base/text/log.h"

#include <fcntl.h>
#include <sanitizer/allocator_interface.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>

// The log remembers every secret that it must not print: a process that creates a million secrets would grow without
// bound, and no parser depends on it.
namespace gpuledger::base::log {

void init(const Options &) { }
void redactValue(std::string_view) { }
void write(Level, std::string_view, std::string_view) { }
std::string redacted(std::string_view line)
{
    return std::string(line);
}

} // namespace gpuledger::base::log

namespace gpuledger::fuzz {

namespace {

// For at most 64 KiB of input. Processor time, because the machine may be busy.
constexpr double kMostSeconds = 5;

// libFuzzer's own limit applies to the whole process, and at that size it takes minutes to report.
constexpr std::ptrdiff_t kMostMemory = 512 << 20;
std::ptrdiff_t memory = 0;
bool isReading = false;

void count(std::ptrdiff_t bytes)
{
    memory += isReading ? bytes : 0;
    if (!isReading || memory < kMostMemory)
        return;
    isReading = false; // reporting the failure allocates memory as well
    check(false, "64 KiB are read within 512 MiB of memory");
}

void taken(const volatile void *, std::size_t bytes)
{
    count(static_cast<std::ptrdiff_t>(bytes));
}

void given(const volatile void *at)
{
    count(-static_cast<std::ptrdiff_t>(__sanitizer_get_allocated_size(at)));
}

double processorSeconds()
{
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9;
}

std::filesystem::path *scratchFolder = nullptr;

void removeScratch()
{
    std::error_code ignored;
    std::filesystem::remove_all(*scratchFolder, ignored);
}

} // namespace

void check(bool holds, const char *law)
{
    if (holds)
        return;
    std::fprintf(stderr, "BROKEN: %s\n", law);
    std::abort();
}

std::vector<std::string_view> pieces(std::string_view bytes, std::size_t most)
{
    std::vector<std::string_view> out;
    while (out.size() + 1 < most) {
        const std::size_t end = bytes.find('\x1e');
        out.push_back(bytes.substr(0, end));
        if (end == std::string_view::npos)
            return out;
        bytes.remove_prefix(end + 1);
    }
    out.push_back(bytes);
    return out;
}

std::size_t choice(std::string_view &bytes, std::size_t choices)
{
    if (bytes.empty())
        return 0;
    const std::size_t out = static_cast<unsigned char>(bytes.front()) % choices;
    bytes.remove_prefix(1);
    return out;
}

const std::filesystem::path &scratch()
{
    if (!scratchFolder) {
        std::string name =
            access("/dev/shm", W_OK) == 0 ? "/dev/shm/gpuledger-fuzz-XXXXXX" : "/tmp/gpuledger-fuzz-XXXXXX";
        check(mkdtemp(name.data()) != nullptr, "a folder for files can be made");
        scratchFolder = new std::filesystem::path(name);
        std::atexit(removeScratch);
    }
    return *scratchFolder;
}

std::filesystem::path fileOf(const char *name, std::string_view bytes)
{
    const std::filesystem::path path = scratch() / name;
    std::filesystem::create_directories(path.parent_path());
    const int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    check(fd >= 0 && ::write(fd, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()),
          "a file can be written");
    close(fd);
    return path;
}

base::Result<std::size_t> MemoryBytes::read(std::span<char> to)
{
    const std::size_t n = std::min({to.size(), m_most, m_bytes.size()});
    std::copy_n(m_bytes.data(), n, to.data());
    m_bytes.remove_prefix(n);
    return n;
}

// NOLINTNEXTLINE(performance-unnecessary-value-param): the signature is HttpClient's
void Server::submit(http::Request request, std::stop_token, Completion done)
{
    constexpr int kStatus[] = {200, 200, 400, 401, 403, 404, 410, 422, 429, 500, 503};
    check(m_requests < kMostRequests, "a question ends");
    std::string_view body = m_bodies.empty() ? std::string_view() : m_bodies[std::min(m_requests, m_bodies.size() - 1)];
    ++m_requests;
    http::Response response;
    response.status = kStatus[choice(body, std::size(kStatus))];
    response.contentType = "application/json";
    response.wireBytes = body.size();
    if (request.consumer && response.status == 200) {
        if (request.consumer(body.substr(0, body.size() / 2)))
            (void)request.consumer(body.substr(body.size() / 2));
    } else {
        response.body = std::string(body);
    }
    done(std::move(response));
}

} // namespace gpuledger::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    using namespace gpuledger::fuzz;
    static const int kHooks = __sanitizer_install_malloc_and_free_hooks(taken, given);
    check(kHooks > 0, "memory is counted");
    const double begin = processorSeconds();
    memory = 0;
    isReading = true;
    fuzz({reinterpret_cast<const char *>(data), size});
    isReading = false;
    check(processorSeconds() - begin < kMostSeconds, "64 KiB are read within five seconds of processor time");
    return 0;
}
