// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace gpuledger::base {

// What went wrong, in categories that callers act on. ui/format makes the user-visible sentence from the code and the
// fields of Error.
enum class ErrorCode {
    Cancelled, // the caller requested a stop; not a failure
    InvalidArgument, // wrong usage of a command or function
    InvalidConfig, // configuration file or owner rule is wrong; text names file, line, column and key
    Overflow, // a sum or product does not fit
    Parse, // bytes do not match the format
    NotFound, // the requested object does not exist
    Unauthorized, // 401
    Forbidden, // 403, or a missing permission
    RateLimited, // 429; retryable
    Timeout, // no answer in time; retryable
    Network, // refused, reset, name not found; retryable
    Tls, // certificate or handshake
    Server, // 5xx, or an error envelope of the server
    TooMuch, // the answer or the query exceeds a limit (422 too many samples, size cap)
    Unsupported, // the server or file lacks what is needed
    StorageFull, // ENOSPC or quota
    StorageReadOnly, // the location is not writable
    StorageBusy, // locked by another process for too long
    StorageCorrupt, // damaged file, bad checksum
    StorageNewer, // written by a newer version
    Storage, // any other failure of the cache
    Refused, // a check of an action failed
    Internal, // a broken invariant of our own code
};

// Stable lower-case name for JSON and logs, e.g. "storage-full".
std::string_view toString(ErrorCode code);

enum class Remedy : std::uint16_t; // app/base/remedy.h

// What to do about a failure: a Remedy, or free text if names or figures belong in it. Only a Remedy is translated.
struct Hint {
    std::string text;

    Hint() = default;
    Hint(Remedy remedy);
    Hint(std::string words)
        : text(std::move(words))
    {
    }
    Hint(const char *words)
        : text(words)
    {
    }
};

// One failure. Value type, any thread. `text` is for developers and logs (never a secret, URLs without query); `source`
// names the configured source or the file; `hint` is the remedy if only the code that failed knows it.
struct Error {
    ErrorCode code = ErrorCode::Internal;
    std::string text;
    bool retryable = false;
    std::string source;
    std::string hint;

    static Error make(ErrorCode code, std::string text, Hint hint = {});
    Error withSource(std::string name) &&
    {
        source = std::move(name);
        return std::move(*this);
    }
};

} // namespace gpuledger::base
