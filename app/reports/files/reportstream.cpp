// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/reports/files/reportstream.h"

#include "app/base/remedy.h"
#include "app/base/text/text.h"

#include <zstd.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

namespace gpuledger::reports {

using base::ErrorCode;
using base::Result;

namespace {

constexpr std::size_t kPiece = 256u << 10; // bytes
constexpr int kLevel = 9;
constexpr int kMostWindowLog = 27; // 128 MiB, which zstd allows by default

tl::unexpected<base::Error> failed(const std::string &name, int error)
{
    const bool missing = error == ENOENT || error == ENOTDIR;
    return base::fail(base::Error::make(missing ? ErrorCode::NotFound : ErrorCode::Storage,
                                        name + " can't be read: " + std::strerror(error),
                                        base::Remedy::CheckFileNameAndPermissions)
                          .withSource(name));
}

} // namespace

Result<ReportInput> ReportInput::open(const std::filesystem::path &file)
{
    ReportInput in;
    in.m_name = base::printable(file.string());
    in.m_fd = ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (in.m_fd < 0)
        return failed(in.m_name, errno);
    struct stat info { };
    if (fstat(in.m_fd, &info) != 0)
        return failed(in.m_name, errno);
    if (!S_ISREG(info.st_mode))
        return base::fail(
            base::Error::make(ErrorCode::StorageCorrupt, in.m_name + " is not a file").withSource(in.m_name));
    in.m_size = static_cast<std::uint64_t>(info.st_size);
    return in;
}

ReportInput::ReportInput(ReportInput &&other) noexcept
    : m_fd(std::exchange(other.m_fd, -1))
    , m_name(std::move(other.m_name))
    , m_size(other.m_size)
{
}

ReportInput::~ReportInput()
{
    if (m_fd >= 0)
        close(m_fd);
}

Result<void> ReportInput::readInto(std::string &to, std::uint64_t at)
{
    for (std::size_t got = 0; got < to.size();) {
        const ssize_t n = pread(m_fd, to.data() + got, to.size() - got, static_cast<off_t>(at + got));
        if (n == 0)
            return base::fail(base::Error::make(ErrorCode::StorageCorrupt, m_name + " was truncated while it was read",
                                                base::Remedy::TryAgain)
                                  .withSource(m_name));
        if (n < 0 && errno != EINTR)
            return failed(m_name, errno);
        got += n > 0 ? static_cast<std::size_t>(n) : 0;
    }
    return {};
}

Result<std::string> ReportInput::bytes(std::uint64_t at, std::uint64_t count)
{
    std::string out(count, '\0');
    GPULEDGER_TRY(readInto(out, at));
    return out;
}

Result<void> ReportInput::each(std::uint64_t at, std::uint64_t count, const Sink &visit)
{
    std::string piece;
    for (std::uint64_t done = 0; done < count; done += piece.size()) {
        piece.resize(static_cast<std::size_t>(std::min<std::uint64_t>(kPiece, count - done)));
        GPULEDGER_TRY(readInto(piece, at + done));
        GPULEDGER_TRY(visit(piece));
    }
    return {};
}

struct Compressor::Private {
    Sink sink;
    std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> context{ZSTD_createCCtx(), &ZSTD_freeCCtx};
    std::string out = std::string(ZSTD_CStreamOutSize(), '\0');

    Result<void> feed(std::string_view bytes, ZSTD_EndDirective end)
    {
        ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
        for (bool done = false; !done;) {
            ZSTD_outBuffer to{out.data(), out.size(), 0};
            const std::size_t left = ZSTD_compressStream2(context.get(), &to, &in, end);
            if (ZSTD_isError(left))
                return base::fail(ErrorCode::Internal, std::string("zstd failed: ") + ZSTD_getErrorName(left));
            GPULEDGER_TRY(sink({out.data(), to.pos}));
            done = end == ZSTD_e_end ? left == 0 : in.pos == in.size;
        }
        return {};
    }
};

Compressor::Compressor(Sink sink)
    : d(std::make_unique<Private>())
{
    d->sink = std::move(sink);
    ZSTD_CCtx_setParameter(d->context.get(), ZSTD_c_compressionLevel, kLevel);
    ZSTD_CCtx_setParameter(d->context.get(), ZSTD_c_checksumFlag, 1);
}

Compressor::~Compressor() = default;

Result<void> Compressor::add(std::string_view bytes)
{
    return d->feed(bytes, ZSTD_e_continue);
}

Result<void> Compressor::finish()
{
    return d->feed({}, ZSTD_e_end);
}

struct Decompressor::Private {
    Sink sink;
    std::unique_ptr<ZSTD_DCtx, decltype(&ZSTD_freeDCtx)> context{ZSTD_createDCtx(), &ZSTD_freeDCtx};
    std::string out = std::string(ZSTD_DStreamOutSize(), '\0');
    bool isWhole = false;
};

Decompressor::Decompressor(Sink sink)
    : d(std::make_unique<Private>())
{
    d->sink = std::move(sink);
    ZSTD_DCtx_setParameter(d->context.get(), ZSTD_d_windowLogMax, kMostWindowLog);
}

Decompressor::~Decompressor() = default;

Result<void> Decompressor::add(std::string_view bytes)
{
    ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
    bool isFull = false; // more output may be pending than fitted
    while (in.pos < in.size || isFull) {
        if (d->isWhole)
            return base::fail(ErrorCode::StorageCorrupt, "there is data after the end of the report");
        ZSTD_outBuffer to{d->out.data(), d->out.size(), 0};
        const std::size_t left = ZSTD_decompressStream(d->context.get(), &to, &in);
        if (ZSTD_isError(left))
            return base::fail(ErrorCode::StorageCorrupt,
                              std::string("the report can't be unpacked: ") + ZSTD_getErrorName(left));
        GPULEDGER_TRY(d->sink({d->out.data(), to.pos}));
        d->isWhole = left == 0;
        isFull = !d->isWhole && to.pos == to.size;
    }
    return {};
}

bool Decompressor::isWhole() const
{
    return d->isWhole;
}

} // namespace gpuledger::reports
