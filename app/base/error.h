// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <utility>

namespace gpuledger::base {

// What went wrong, in kinds that callers act on. The sentence for people is made in ui/format from the code and the
// fields of Error.
enum class ErrorCode {
    Cancelled, // the caller asked to stop; not a failure
    InvalidArgument, // wrong usage of a command or function
    InvalidConfig, // configuration file or owner rule is wrong; text names file, line, column and key
    Overflow, // a sum or product does not fit
    Parse, // bytes are not what the contract says
    NotFound, // asked for something that does not exist
    Unauthorized, // 401
    Forbidden, // 403, or a missing right
    RateLimited, // 429; retryable
    Timeout, // no answer in time; retryable
    Network, // refused, reset, name not found; retryable
    Tls, // certificate or handshake
    Server, // 5xx, or an error envelope of the server
    TooMuch, // the answer or the query is above a limit (422 too many samples, size cap)
    Unsupported, // the server or file lacks what is needed
    StorageFull, // ENOSPC or quota
    StorageReadOnly, // the place can't be written
    StorageBusy, // locked by another process for too long
    StorageCorrupt, // damaged file, bad checksum
    StorageNewer, // written by a newer version
    Storage, // any other failure of the cache
    Refused, // a check of an action failed
    Internal, // a broken promise of our own code
};

// Stable lower-case name for JSON and logs, e.g. "storage-full".
std::string_view toString(ErrorCode code);

// One failure. Value type, any thread. `text` is for developers and logs (never a secret, URLs without query);
// `source` names the configured source or the file; `hint` is the remedy where only the place of the failure knows it.
struct Error {
    ErrorCode code = ErrorCode::Internal;
    std::string text;
    bool retryable = false;
    std::string source;
    std::string hint;

    static Error make(ErrorCode code, std::string text, std::string hint = {});
    Error withSource(std::string name) &&
    {
        source = std::move(name);
        return std::move(*this);
    }
};

} // namespace gpuledger::base
