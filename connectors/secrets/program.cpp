// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/secrets/program.h"

#include "app/base/remedy.h"
#include "app/base/text/text.h"
#include "connectors/secrets/descriptor.h"

#include <fcntl.h>
#include <openssl/evp.h>
#include <sys/stat.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string_view>
#include <vector>

namespace gpuledger::connectors {

namespace {

using base::ErrorCode;
using base::Result;

constexpr std::uint64_t kMaxProgramBytes = 256u << 20;

// Only absolute entries of PATH: an empty or relative one stands for the current folder.
Result<std::string> absolutePath(const std::string &name)
{
    const std::string shown = base::printable(name, 256);
    if (!base::isUtf8(name) || name.empty() || name.find('\0') != std::string::npos)
        return base::fail(ErrorCode::InvalidConfig, "the command for a credential does not name a program",
                          base::Remedy::WriteCommand);
    if (name.front() == '/')
        return std::filesystem::path(name).lexically_normal().string();
    if (name.find('/') != std::string::npos)
        return base::fail(ErrorCode::InvalidConfig, "the program " + shown + " is given by a relative path",
                          base::Remedy::UseAbsolutePathOrName);
    const char *path = std::getenv("PATH");
    for (std::string_view rest = path ? path : ""; !rest.empty();) {
        const std::size_t end = std::min(rest.find(':'), rest.size());
        const std::string candidate = std::string(rest.substr(0, end)) + '/' + name;
        rest.remove_prefix(std::min(end + 1, rest.size()));
        std::error_code ec;
        if (candidate.front() == '/' && candidate[1] != '/' && std::filesystem::is_regular_file(candidate, ec)
            && access(candidate.c_str(), X_OK) == 0)
            return std::filesystem::path(candidate).lexically_normal().string();
    }
    return base::fail(ErrorCode::NotFound, "there is no program " + shown + " on PATH", base::Remedy::UseAbsolutePath);
}

bool trusted(uid_t owner)
{
    return owner == 0 || owner == geteuid();
}

// Checks every folder on the way: whoever can write to one can replace the program that was examined.
Result<void> checkFolders(const std::filesystem::path &program, const std::string &shown)
{
    for (std::filesystem::path folder = program.parent_path();; folder = folder.parent_path()) {
        struct stat info { };
        if (stat(folder.c_str(), &info) != 0)
            return base::fail(ErrorCode::NotFound, shown + " can't be reached", base::Remedy::CheckPathAndPermissions);
        const bool open = (info.st_mode & (S_IWGRP | S_IWOTH)) != 0 && !(info.st_mode & S_ISVTX);
        if (!trusted(info.st_uid) || open)
            return base::fail(ErrorCode::Forbidden,
                              shown
                                  + " is in a folder that others can change: " + base::printable(folder.string(), 256),
                              base::Remedy::UseProtectedFolder);
        if (folder == folder.root_path())
            return {};
    }
}

Result<std::string> sha256Of(int fd, const std::string &shown)
{
    const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> hash(EVP_MD_CTX_new(), &EVP_MD_CTX_free);
    if (!hash || EVP_DigestInit_ex(hash.get(), EVP_sha256(), nullptr) != 1)
        return base::fail(ErrorCode::Internal, "SHA-256 is not available");
    std::vector<char> part(1u << 16);
    for (std::uint64_t total = 0;;) {
        const ssize_t n = read(fd, part.data(), part.size());
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return base::fail(ErrorCode::NotFound, shown + " can't be read", base::Remedy::CheckPermissions);
        if (n == 0)
            break;
        total += static_cast<std::uint64_t>(n);
        if (total > kMaxProgramBytes)
            return base::fail(ErrorCode::TooMuch, shown + " is larger than 256 MiB", base::Remedy::CallFromScript);
        EVP_DigestUpdate(hash.get(), part.data(), static_cast<std::size_t>(n));
    }
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned length = 0;
    if (EVP_DigestFinal_ex(hash.get(), digest.data(), &length) != 1)
        return base::fail(ErrorCode::Internal, "SHA-256 failed");
    static constexpr char kHex[] = "0123456789abcdef";
    std::string text;
    for (unsigned i = 0; i < length; ++i) {
        text += kHex[digest[i] >> 4];
        text += kHex[digest[i] & 15];
    }
    return text;
}

} // namespace

Result<Program> findProgram(const std::string &name)
{
    auto path = absolutePath(name);
    GPULEDGER_TRY(path);
    const std::string shown = base::printable(*path, 256);
    const Descriptor file(open(path->c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
    struct stat info { };
    if (!file || fstat(file.get(), &info) != 0)
        return base::fail(ErrorCode::NotFound, shown + (errno == EACCES ? " can't be read" : ": no such program"),
                          base::Remedy::CheckPathAndPermissions);
    if (!S_ISREG(info.st_mode) || access(path->c_str(), X_OK) != 0)
        return base::fail(ErrorCode::NotFound, shown + " is not an executable program",
                          base::Remedy::CheckPathAndPermissions);
    if (!trusted(info.st_uid) || (info.st_mode & (S_IWGRP | S_IWOTH)) != 0)
        return base::fail(ErrorCode::Forbidden, shown + " can be changed by others", base::Remedy::UseProtectedProgram);
    std::error_code ec;
    const std::filesystem::path target = std::filesystem::canonical(*path, ec);
    if (ec)
        return base::fail(ErrorCode::NotFound, shown + " can't be reached", base::Remedy::CheckPathAndPermissions);
    GPULEDGER_TRY(checkFolders(*path, shown));
    GPULEDGER_TRY(checkFolders(target, shown));
    auto sha256 = sha256Of(file.get(), shown);
    GPULEDGER_TRY(sha256);
    return Program{std::move(*path), std::move(*sha256)};
}

} // namespace gpuledger::connectors
