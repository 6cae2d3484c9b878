// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/format/decompress.h"

#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace gpuledger::format {

namespace {

using base::Error;
using base::ErrorCode;
using base::fail;
using base::Result;

constexpr std::size_t kInputBytes = 64u << 10;
constexpr std::size_t kMagicBytes = 4;
constexpr int kMostWindowLog = 27; // 128 MiB, the default limit of zstd
constexpr std::string_view kGzipMagic = "\x1F\x8B";
constexpr std::string_view kZstdMagic = "\x28\xB5\x2F\xFD";

Error endsEarly(std::string_view what)
{
    Error error = Error::make(ErrorCode::Parse, "the " + std::string(what) + " stream is truncated", kFetchAgain);
    error.retryable = true;
    return error;
}

Error damaged(std::string_view what, std::string_view how)
{
    return Error::make(ErrorCode::Parse, "the " + std::string(what) + " stream is damaged: " + std::string(how),
                       kFetchAgain);
}

// Returns the bytes already examined first.
class Rewound final : public ByteSource {
public:
    Rewound(std::unique_ptr<ByteSource> raw, std::string head)
        : m_raw(std::move(raw))
        , m_head(std::move(head))
    {
    }
    Result<std::size_t> read(std::span<char> to) override
    {
        if (m_given == m_head.size())
            return m_raw->read(to);
        const std::size_t n = std::min(to.size(), m_head.size() - m_given);
        std::copy_n(m_head.data() + m_given, n, to.data());
        m_given += n;
        return n;
    }

private:
    std::unique_ptr<ByteSource> m_raw;
    std::string m_head;
    std::size_t m_given = 0;
};

// Compressed bytes in chunks, with a check of the ratio.
class Input {
public:
    Input(std::unique_ptr<ByteSource> raw, DecompressLimits limits)
        : m_raw(std::move(raw))
        , m_limits(limits)
        , m_buffer(kInputBytes)
    {
    }
    // More bytes; an empty span is the end.
    Result<std::span<char>> more()
    {
        const auto n = m_raw->read(m_buffer);
        GPULEDGER_TRY(n);
        m_in += *n;
        return std::span(m_buffer.data(), *n);
    }
    Result<void> gaveOut(std::size_t bytes)
    {
        m_out += bytes;
        if (m_out > m_limits.freeBytes && m_out / m_limits.ratio > m_in)
            return fail(ErrorCode::TooMuch,
                        "the file unpacks to more than " + std::to_string(m_limits.ratio) + " times its size");
        return {};
    }

private:
    std::unique_ptr<ByteSource> m_raw;
    DecompressLimits m_limits;
    std::vector<char> m_buffer;
    std::uint64_t m_in = 0, m_out = 0;
};

class Gzip final : public ByteSource {
public:
    Gzip(std::unique_ptr<ByteSource> raw, DecompressLimits limits)
        : m_input(std::move(raw), limits)
    {
    }
    Gzip(const Gzip &) = delete;
    Gzip &operator=(const Gzip &) = delete;
    ~Gzip() override
    {
        if (m_open)
            inflateEnd(&m_stream);
    }
    Result<void> open()
    {
        static constexpr int kGzipOnly = 16 + MAX_WBITS;
        if (inflateInit2(&m_stream, kGzipOnly) != Z_OK)
            return fail(ErrorCode::Internal, "zlib can't be initialized");
        m_open = true;
        return {};
    }

    Result<std::size_t> read(std::span<char> to) override
    {
        m_stream.next_out = reinterpret_cast<Bytef *>(to.data());
        m_stream.avail_out = static_cast<uInt>(std::min<std::size_t>(to.size(), 1u << 30));
        const std::size_t room = m_stream.avail_out;
        while (m_stream.avail_out == room && !m_finished)
            GPULEDGER_TRY(step());
        const std::size_t n = room - m_stream.avail_out;
        GPULEDGER_TRY(m_input.gaveOut(n));
        return n;
    }

private:
    Result<void> refill()
    {
        const auto piece = m_input.more();
        GPULEDGER_TRY(piece);
        m_stream.next_in = reinterpret_cast<Bytef *>(piece->data());
        m_stream.avail_in = static_cast<uInt>(piece->size());
        return {};
    }
    Result<void> step()
    {
        if (m_stream.avail_in == 0)
            GPULEDGER_TRY(refill());
        if (m_stream.avail_in == 0) {
            if (!m_betweenMembers)
                return fail(endsEarly("gzip"));
            m_finished = true;
            return {};
        }
        return m_betweenMembers ? nextMember() : inflateSome();
    }
    Result<void> inflateSome()
    {
        const int rc = inflate(&m_stream, Z_NO_FLUSH);
        if (rc == Z_STREAM_END)
            m_betweenMembers = true;
        else if (rc != Z_OK && rc != Z_BUF_ERROR)
            return fail(damaged("gzip", m_stream.msg ? m_stream.msg : "it can't be unpacked"));
        return {};
    }
    // Zeros after the last member are padding; anything else is another member or damage.
    Result<void> nextMember()
    {
        if (*m_stream.next_in == 0) {
            m_padding = true;
            ++m_stream.next_in;
            --m_stream.avail_in;
            return {};
        }
        if (m_padding || *m_stream.next_in != static_cast<Bytef>(kGzipMagic[0]))
            return fail(damaged("gzip", "there is data after its end"));
        if (inflateReset(&m_stream) != Z_OK)
            return fail(ErrorCode::Internal, "zlib can't be reset");
        m_betweenMembers = false;
        return {};
    }

    Input m_input;
    z_stream m_stream{};
    bool m_open = false, m_betweenMembers = false, m_padding = false, m_finished = false;
};

class Zstd final : public ByteSource {
public:
    Zstd(std::unique_ptr<ByteSource> raw, DecompressLimits limits)
        : m_input(std::move(raw), limits)
        , m_context(ZSTD_createDCtx(), &ZSTD_freeDCtx)
    {
    }
    Result<void> open()
    {
        if (!m_context || ZSTD_isError(ZSTD_DCtx_setParameter(m_context.get(), ZSTD_d_windowLogMax, kMostWindowLog)))
            return fail(ErrorCode::Internal, "zstd can't be initialized");
        return {};
    }

    Result<std::size_t> read(std::span<char> to) override
    {
        ZSTD_outBuffer out{to.data(), to.size(), 0};
        while (out.pos == 0 && !m_finished)
            GPULEDGER_TRY(step(out));
        GPULEDGER_TRY(m_input.gaveOut(out.pos));
        return out.pos;
    }

private:
    Result<void> step(ZSTD_outBuffer &out)
    {
        // Buffered output comes without more input, so it is requested before anything is read.
        if (m_in.pos == m_in.size && !m_mayHoldMore) {
            const auto piece = m_input.more();
            GPULEDGER_TRY(piece);
            m_in = {piece->data(), piece->size(), 0};
            if (piece->empty()) {
                if (m_insideFrame)
                    return fail(endsEarly("zstd"));
                m_finished = true;
                return {};
            }
        }
        const std::size_t rc = ZSTD_decompressStream(m_context.get(), &out, &m_in);
        if (ZSTD_isError(rc)) {
            const bool window = ZSTD_getErrorCode(rc) == ZSTD_error_frameParameter_windowTooLarge;
            return window
                ? Result<void>(fail(ErrorCode::TooMuch, "the zstd stream needs a window of more than 128 MiB"))
                : Result<void>(fail(damaged("zstd", ZSTD_getErrorName(rc))));
        }
        m_insideFrame = rc != 0;
        m_mayHoldMore = m_insideFrame && out.pos == out.size;
        return {};
    }

    Input m_input;
    std::unique_ptr<ZSTD_DCtx, decltype(&ZSTD_freeDCtx)> m_context;
    ZSTD_inBuffer m_in{nullptr, 0, 0};
    bool m_insideFrame = false, m_mayHoldMore = false, m_finished = false;
};

} // namespace

Result<std::unique_ptr<ByteSource>> decompressed(std::unique_ptr<ByteSource> raw, DecompressLimits limits)
{
    std::string head(kMagicBytes, '\0');
    std::size_t have = 0;
    while (have < kMagicBytes) {
        const auto n = raw->read(std::span(head.data() + have, kMagicBytes - have));
        GPULEDGER_TRY(n);
        if (*n == 0)
            break;
        have += *n;
    }
    head.resize(have);
    const bool gzip = head.starts_with(kGzipMagic), zstd = head == kZstdMagic;
    auto whole = std::make_unique<Rewound>(std::move(raw), std::move(head));
    if (gzip) {
        auto source = std::make_unique<Gzip>(std::move(whole), limits);
        GPULEDGER_TRY(source->open());
        return std::unique_ptr<ByteSource>(std::move(source));
    }
    if (zstd) {
        auto source = std::make_unique<Zstd>(std::move(whole), limits);
        GPULEDGER_TRY(source->open());
        return std::unique_ptr<ByteSource>(std::move(source));
    }
    return std::unique_ptr<ByteSource>(std::move(whole));
}

} // namespace gpuledger::format
