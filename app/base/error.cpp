// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/base/error.h"

#include "app/base/remedy.h"

namespace gpuledger::base {

std::string_view toString(ErrorCode code)
{
    switch (code) {
    case ErrorCode::Cancelled:
        return "cancelled";
    case ErrorCode::InvalidArgument:
        return "invalid-argument";
    case ErrorCode::InvalidConfig:
        return "invalid-config";
    case ErrorCode::Overflow:
        return "overflow";
    case ErrorCode::Parse:
        return "parse";
    case ErrorCode::NotFound:
        return "not-found";
    case ErrorCode::Unauthorized:
        return "unauthorized";
    case ErrorCode::Forbidden:
        return "forbidden";
    case ErrorCode::RateLimited:
        return "rate-limited";
    case ErrorCode::Timeout:
        return "timeout";
    case ErrorCode::Network:
        return "network";
    case ErrorCode::Tls:
        return "tls";
    case ErrorCode::Server:
        return "server";
    case ErrorCode::TooMuch:
        return "too-much";
    case ErrorCode::Unsupported:
        return "unsupported";
    case ErrorCode::StorageFull:
        return "storage-full";
    case ErrorCode::StorageReadOnly:
        return "storage-read-only";
    case ErrorCode::StorageBusy:
        return "storage-busy";
    case ErrorCode::StorageCorrupt:
        return "storage-corrupt";
    case ErrorCode::StorageNewer:
        return "storage-newer";
    case ErrorCode::Storage:
        return "storage";
    case ErrorCode::Refused:
        return "refused";
    case ErrorCode::Internal:
        return "internal";
    }
    return "internal";
}

Hint::Hint(Remedy remedy)
    : text(base::text(remedy))
{
}

Error Error::make(ErrorCode code, std::string text, Hint hint)
{
    const bool retryable = code == ErrorCode::RateLimited || code == ErrorCode::Timeout || code == ErrorCode::Network
        || code == ErrorCode::Server || code == ErrorCode::StorageBusy || code == ErrorCode::StorageFull;
    return Error{code, std::move(text), retryable, {}, std::move(hint.text)};
}

} // namespace gpuledger::base
