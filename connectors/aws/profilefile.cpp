// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/aws/profilefile.h"

#include "app/base/remedy.h"
#include "app/base/text/text.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <functional>

namespace gpuledger::aws {

using base::ErrorCode;
using base::Result;
using base::Secret;

namespace {

constexpr std::size_t kMaxBytes = 1u << 20;

class File {
public:
    // O_NONBLOCK: a pipe in place of the file must not block.
    explicit File(const char *path)
        : m_fd(open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY))
    {
    }
    File(const File &) = delete;
    File &operator=(const File &) = delete;
    ~File()
    {
        if (m_fd >= 0)
            close(m_fd);
    }
    int get() const { return m_fd; }

private:
    int m_fd;
};

std::string_view trimmed(std::string_view text)
{
    const std::size_t from = text.find_first_not_of(" \t\r");
    const std::size_t to = text.find_last_not_of(" \t\r");
    return from == std::string_view::npos ? std::string_view() : text.substr(from, to - from + 1);
}

// "[ profile  prod ]" -> "profile prod"
std::string sectionName(std::string_view line)
{
    line.remove_prefix(1);
    line = line.substr(0, line.find(']'));
    std::string name;
    for (const char c : trimmed(line)) {
        if (c == '"' || c == '\'')
            continue;
        if (c == ' ' || c == '\t') {
            if (name.back() != ' ')
                name += ' ';
        } else {
            name += c;
        }
    }
    return name;
}

// Calls the function with key and value of each line of a section, and with two empty strings for the section itself.
void forEachIn(std::string_view text, std::string_view section,
               const std::function<void(std::string_view, std::string_view)> &call)
{
    bool inside = false;
    while (!text.empty()) {
        const std::size_t end = std::min(text.size(), text.find('\n'));
        const std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(text.size(), end + 1));
        const std::string_view bare = trimmed(line);
        if (bare.empty() || bare.front() == '#' || bare.front() == ';')
            continue;
        if (bare.front() == '[') {
            inside = sectionName(bare) == section;
            if (inside)
                call({}, {});
            continue;
        }
        const std::size_t equals = line.find('=');
        const bool isNested = line.front() == ' ' || line.front() == '\t';
        if (inside && !isNested && equals != std::string_view::npos)
            call(trimmed(line.substr(0, equals)), trimmed(line.substr(equals + 1)));
    }
}

} // namespace

Result<Secret> readSmallFile(const std::filesystem::path &path)
{
    const std::string shown = base::printable(path.string(), 256);
    const File file(path.c_str());
    if (file.get() < 0) {
        const bool missing = errno == ENOENT || errno == ENOTDIR;
        return base::fail(missing ? ErrorCode::NotFound : ErrorCode::Forbidden,
                          shown + (missing ? ": no such file" : " can't be opened"),
                          base::Remedy::CheckPathAndPermissions);
    }
    struct stat info { };
    if (fstat(file.get(), &info) != 0 || !S_ISREG(info.st_mode))
        return base::fail(ErrorCode::Forbidden, shown + " is not a regular file");
    if ((info.st_uid != geteuid() && info.st_uid != 0) || (info.st_mode & 022) != 0)
        return base::fail(ErrorCode::Forbidden, shown + " can be changed by others", base::Remedy::RestrictPermissions);
    std::string text;
    text.reserve(kMaxBytes + 4096); // growing would leave a copy behind
    std::array<char, 4096> part{};
    for (;;) {
        const ssize_t n = ::read(file.get(), part.data(), part.size());
        if (n < 0 && errno == EINTR)
            continue;
        if (n == 0)
            break;
        if (n > 0)
            text.append(part.data(), static_cast<std::size_t>(n));
        if (n < 0 || text.size() > kMaxBytes) {
            const Secret wiped(std::move(text));
            return base::fail(n < 0 ? ErrorCode::Forbidden : ErrorCode::TooMuch,
                              shown + (n < 0 ? " can't be read" : " is larger than 1 MiB"));
        }
    }
    explicit_bzero(part.data(), part.size());
    Secret large(std::move(text));
    return large.clone(); // of the exact size
}

Result<ProfileFile> ProfileFile::read(const std::filesystem::path &path)
{
    auto text = readSmallFile(path);
    if (text)
        return ProfileFile(std::move(*text));
    if (text.error().code == ErrorCode::NotFound)
        return ProfileFile();
    return base::fail(std::move(text).error());
}

bool ProfileFile::has(std::string_view section) const
{
    bool found = false;
    forEachIn(m_text.reveal(), section, [&](std::string_view, std::string_view) { found = true; });
    return found;
}

std::string_view ProfileFile::value(std::string_view section, std::string_view key) const
{
    std::string_view last;
    forEachIn(m_text.reveal(), section, [&](std::string_view name, std::string_view value) {
        if (!name.empty() && name == key)
            last = value;
    });
    return last;
}

} // namespace gpuledger::aws
