// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/format/focus/billfilebytes.h"

#include "app/base/remedy.h"
#include "app/base/text/text.h"

#include <fcntl.h>
#include <openssl/evp.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

namespace gpuledger::focus {

namespace {

using base::ErrorCode;
using base::fail;
using base::Result;

constexpr std::size_t kShownBytes = 512;
constexpr std::size_t kMostRead = 1u << 30; // per call

FileStamp toStamp(const struct stat &info)
{
    return {std::uint64_t{info.st_dev}, std::uint64_t{info.st_ino}, static_cast<std::uint64_t>(info.st_size),
            std::int64_t{info.st_mtim.tv_sec} * 1'000'000'000 + info.st_mtim.tv_nsec};
}

tl::unexpected<base::Error> cantOpen(const std::string &shown, int error)
{
    if (error == EACCES || error == EPERM)
        return fail(ErrorCode::Forbidden, shown + " can't be read", base::Remedy::CheckPathAndPermissions);
    if (error == ELOOP)
        return fail(ErrorCode::Unsupported, shown + " is a symbolic link");
    return fail(ErrorCode::NotFound, shown + ": " + std::strerror(error), base::Remedy::CheckPathAndPermissions);
}

} // namespace

BillFileBytes::BillFileBytes(int fd, std::string shown)
    : m_fd(fd)
    , m_shown(std::move(shown))
    , m_sum(XXH3_createState())
{
}

Result<std::unique_ptr<BillFileBytes>> BillFileBytes::open(const std::filesystem::path &path, Hash hash)
{
    std::string shown = base::printable(path.string(), kShownBytes);
    const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
    if (fd < 0)
        return cantOpen(shown, errno);
    // Owns the descriptor from here on.
    std::unique_ptr<BillFileBytes> file(new BillFileBytes(fd, shown));
    struct stat info { };
    if (fstat(fd, &info) != 0 || !S_ISREG(info.st_mode))
        return fail(ErrorCode::Unsupported, shown + " is not a regular file");
    if (!file->m_sum || XXH3_128bits_reset(file->m_sum) != XXH_OK)
        return fail(ErrorCode::Internal, "out of memory for a checksum");
    if (hash == Hash::CheckSum)
        return file;
    file->m_hash = EVP_MD_CTX_new();
    if (!file->m_hash || EVP_DigestInit_ex(file->m_hash, EVP_sha256(), nullptr) != 1)
        return fail(ErrorCode::Internal, "SHA-256 is not available");
    return file;
}

BillFileBytes::~BillFileBytes()
{
    EVP_MD_CTX_free(m_hash);
    XXH3_freeState(m_sum);
    ::close(m_fd);
}

Result<std::size_t> BillFileBytes::read(std::span<char> to)
{
    for (;;) {
        const ssize_t n = ::read(m_fd, to.data(), std::min(to.size(), kMostRead));
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return fail(ErrorCode::Storage, m_shown + " can't be read further: " + std::strerror(errno),
                        base::Remedy::TryAgain);
        const auto bytes = static_cast<std::size_t>(n);
        XXH3_128bits_update(m_sum, to.data(), bytes);
        if (bytes > 0 && m_hash && EVP_DigestUpdate(m_hash, to.data(), bytes) != 1)
            return fail(ErrorCode::Internal, "SHA-256 failed");
        m_bytes += bytes;
        return bytes;
    }
}

CheckSum BillFileBytes::checkSum() const
{
    const XXH128_hash_t sum = XXH3_128bits_digest(m_sum);
    return {sum.high64, sum.low64};
}

Result<std::string> BillFileBytes::sha256()
{
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned length = 0;
    if (!m_hash || EVP_DigestFinal_ex(m_hash, digest.data(), &length) != 1)
        return fail(ErrorCode::Internal, "SHA-256 failed");
    static constexpr char kHex[] = "0123456789abcdef";
    std::string text;
    for (unsigned i = 0; i < length; ++i) {
        text += kHex[digest[i] >> 4];
        text += kHex[digest[i] & 15];
    }
    return text;
}

Result<FileStamp> BillFileBytes::stamp() const
{
    struct stat info { };
    if (fstat(m_fd, &info) != 0)
        return fail(ErrorCode::NotFound, m_shown + " no longer exists");
    return toStamp(info);
}

Result<FileStamp> stampOf(const std::filesystem::path &path)
{
    struct stat info { };
    if (lstat(path.c_str(), &info) != 0)
        return fail(ErrorCode::NotFound, base::printable(path.string(), kShownBytes) + " no longer exists");
    return toStamp(info);
}

} // namespace gpuledger::focus
