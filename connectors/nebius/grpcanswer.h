// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "connectors/http/httpclient.h"

#include <optional>
#include <string>
#include <string_view>

// A unary gRPC call as HTTP/2 carries it (grpc/grpc, doc/PROTOCOL-HTTP2.md): a POST of one framed message, answered by
// one, with the status in the trailers, or in the headers if there is no message. Pure; any thread.
namespace gpuledger::nebius {

// google.rpc.Code
enum class GrpcCode {
    Ok = 0,
    Cancelled = 1,
    Unknown = 2,
    InvalidArgument = 3,
    DeadlineExceeded = 4,
    NotFound = 5,
    AlreadyExists = 6,
    PermissionDenied = 7,
    ResourceExhausted = 8,
    FailedPrecondition = 9,
    Aborted = 10,
    OutOfRange = 11,
    Unimplemented = 12,
    Internal = 13,
    Unavailable = 14,
    DataLoss = 15,
    Unauthenticated = 16,
};
std::string_view nameOf(GrpcCode code); // "PERMISSION_DENIED"

inline constexpr std::size_t kFrameHead = 5; // bytes: a flag and the length, big-endian
std::string framed(std::string_view message);
// The only message of a body. Fails with Parse: it is cut off, is none, or several, or is compressed, which nobody
// asked for.
[[nodiscard]] base::Result<std::string> messageIn(std::string_view body);

// Sets what every call has in common; `message` becomes the body.
void makeCall(http::Request &request, std::string_view message);

// The status of an answer; std::nullopt: it has none, because it is no gRPC or was cut off.
std::optional<GrpcCode> statusOf(const http::Response &response);
// What the service says about it: printable, short and without secrets; may be empty.
std::string wordsOf(const http::Response &response);
// What a status is called, with the service's words: "the service refused the call (NOT_FOUND): no such project".
base::Error errorOf(GrpcCode code, const std::string &words, const std::string &url);
// Why an answer can't be used; std::nullopt: it can. `url` is for its text.
std::optional<base::Error> refusalOf(const http::Response &response, const std::string &url);

} // namespace gpuledger::nebius
