// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/format/exports/objectstore.h"

#include "app/base/remedy.h"
#include "app/base/text/text.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

namespace gpuledger::format {

using base::ErrorCode;
using base::Result;

namespace {

constexpr std::size_t kShownKey = 512;

Result<void> writeAll(int fd, std::string_view bytes)
{
    while (!bytes.empty()) {
        const ssize_t n = ::write(fd, bytes.data(), bytes.size());
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0) {
            const bool isFull = errno == ENOSPC || errno == EDQUOT || errno == EFBIG;
            return base::fail(isFull ? ErrorCode::StorageFull : ErrorCode::Storage,
                              std::string("the folder for temporary files can't take a bill: ") + std::strerror(errno),
                              isFull ? base::Remedy::FreeTemporaryFolder : base::Remedy::CheckTemporaryFolder);
        }
        bytes.remove_prefix(static_cast<std::size_t>(n));
    }
    return {};
}

class OpenFile {
public:
    explicit OpenFile(const std::filesystem::path &path)
        : m_fd(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600))
    {
    }
    OpenFile(const OpenFile &) = delete;
    OpenFile &operator=(const OpenFile &) = delete;
    ~OpenFile()
    {
        if (m_fd >= 0)
            ::close(m_fd);
    }
    int fd() const { return m_fd; }

private:
    int m_fd;
};

base::Error triedAgain(base::ErrorCode code, const std::string &text)
{
    base::Error error = base::Error::make(code, text, base::Remedy::NextSyncTriesAgain);
    error.retryable = true;
    return error;
}

} // namespace

base::Error changedObject(const std::string &shown)
{
    return triedAgain(ErrorCode::Server, shown + " was replaced or deleted while it was read");
}

Result<void> ObjectStore::list(const std::string &prefix, const std::stop_token &stop,
                               const std::function<void(StoredObject)> &visit)
{
    const std::string shown = base::printable(nameOf(prefix), kShownKey);
    std::string token;
    for (int pages = 0; pages < kMostPages; ++pages) {
        auto one = page(prefix, token, stop);
        GPULEDGER_TRY(one);
        for (StoredObject &object : one->objects)
            visit(std::move(object));
        if (one->next.empty())
            return {};
        if (one->next == token)
            return base::fail(ErrorCode::Parse, "the list of " + shown + " repeats a page");
        token = std::move(one->next);
    }
    return base::fail(ErrorCode::TooMuch,
                      "more than 500 pages of objects below " + shown + ": narrow prefix to the folder of the export");
}

Result<std::string> ObjectStore::wholePiece(const StoredObject &object, std::uint64_t from, std::uint64_t bytes,
                                            const std::stop_token &stop)
{
    auto body = piece(object, from, bytes, stop);
    GPULEDGER_TRY(body);
    if (body->size() != bytes)
        return base::fail(triedAgain(ErrorCode::Network,
                                     base::printable(nameOf(object.key), kShownKey) + ": "
                                         + std::to_string(body->size()) + " bytes came in place of "
                                         + std::to_string(bytes)));
    return body;
}

Result<std::string> ObjectStore::text(const StoredObject &object, const std::stop_token &stop)
{
    if (object.bytes > kPieceBytes)
        return base::fail(ErrorCode::TooMuch, base::printable(nameOf(object.key), kShownKey) + " is above 8 MiB");
    return wholePiece(object, 0, object.bytes, stop);
}

Result<void> ObjectStore::download(const StoredObject &object, const std::filesystem::path &to,
                                   const std::stop_token &stop)
{
    const OpenFile file(to);
    if (file.fd() < 0)
        return base::fail(ErrorCode::Storage,
                          std::string("the folder for temporary files can't take a bill: ") + std::strerror(errno),
                          base::Remedy::CheckTemporaryFolder);
    for (std::uint64_t from = 0; from < object.bytes; from += kPieceBytes) {
        const auto body = wholePiece(object, from, std::min(kPieceBytes, object.bytes - from), stop);
        GPULEDGER_TRY(body);
        GPULEDGER_TRY(writeAll(file.fd(), *body));
    }
    // A store shows an object only when it is whole; as old as can be, the copy does not look as if it were being
    // written.
    const std::array<timespec, 2> epoch{};
    futimens(file.fd(), epoch.data());
    return {};
}

} // namespace gpuledger::format
