// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/nebius/grpcanswer.h"

#include "app/base/remedy.h"
#include "app/base/text/log.h"
#include "app/base/text/text.h"

#include <array>
#include <cstdint>

namespace gpuledger::nebius {

using base::ErrorCode;
using base::Remedy;
using base::Result;

namespace {

constexpr std::size_t kMostWords = 300; // bytes that are shown
constexpr std::string_view kGrpcType = "application/grpc";

struct Meaning {
    std::string_view name;
    ErrorCode code;
    std::string_view what;
    bool isRetryable = false; // of a question
    Remedy remedy = Remedy::None;
};
// By the value of GrpcCode.
constexpr std::array<Meaning, 17> kMeanings{
    {{"OK", ErrorCode::Internal, "did it"},
     {"CANCELLED", ErrorCode::Server, "cancelled the call", true, Remedy::NextSyncTriesAgain},
     {"UNKNOWN", ErrorCode::Server, "failed", true, Remedy::NextSyncTriesAgain},
     {"INVALID_ARGUMENT", ErrorCode::Server, "refused the request"},
     {"DEADLINE_EXCEEDED", ErrorCode::Timeout, "took too long", true},
     {"NOT_FOUND", ErrorCode::NotFound, "does not have it", false, Remedy::CheckNebiusProject},
     {"ALREADY_EXISTS", ErrorCode::Server, "refused the request"},
     {"PERMISSION_DENIED", ErrorCode::Forbidden, "denied access", false, Remedy::AllowNebius},
     {"RESOURCE_EXHAUSTED", ErrorCode::RateLimited, "is rate limiting requests, or has no capacity", true,
      Remedy::WaitForServer},
     {"FAILED_PRECONDITION", ErrorCode::Server, "refused the request"},
     {"ABORTED", ErrorCode::Server, "aborted the call", true, Remedy::NextSyncTriesAgain},
     {"OUT_OF_RANGE", ErrorCode::Server, "refused the request"},
     {"UNIMPLEMENTED", ErrorCode::Unsupported, "does not know this call", false, Remedy::CheckUrl},
     {"INTERNAL", ErrorCode::Server, "failed", true, Remedy::NextSyncTriesAgain},
     {"UNAVAILABLE", ErrorCode::Server, "is not available", true, Remedy::NextSyncTriesAgain},
     {"DATA_LOSS", ErrorCode::Server, "lost data"},
     {"UNAUTHENTICATED", ErrorCode::Unauthorized, "rejected the credential", false, Remedy::RenewNebiusCredential}}};

const Meaning &meaningOf(GrpcCode code)
{
    return kMeanings.at(static_cast<std::size_t>(code));
}

int hexDigit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

// Of a header that is percent-encoded; what is not well-formed stays as it is.
std::string percentDecoded(std::string_view text)
{
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const int high = text[i] == '%' && i + 2 < text.size() ? hexDigit(text[i + 1]) : -1;
        const int low = high >= 0 ? hexDigit(text[i + 2]) : -1;
        if (low < 0) {
            out += text[i];
            continue;
        }
        out += static_cast<char>(high * 16 + low);
        i += 2;
    }
    return out;
}

// The last one: a trailer counts more than a header.
const std::string *headerOf(const http::Response &response, std::string_view name)
{
    const std::string *found = nullptr;
    for (const auto &[key, value] : response.headers) {
        if (key == name)
            found = &value;
    }
    return found;
}

tl::unexpected<base::Error> noMessage(const char *why)
{
    base::Error error = base::Error::make(ErrorCode::Parse, std::string("the answer can't be read: ") + why,
                                          Remedy::NextSyncTriesAgain);
    return base::fail(std::move(error));
}

} // namespace

std::string_view nameOf(GrpcCode code)
{
    return meaningOf(code).name;
}

std::string framed(std::string_view message)
{
    std::string out(kFrameHead, '\0');
    for (std::size_t i = 1; i < kFrameHead; ++i)
        out[i] = static_cast<char>((message.size() >> (8 * (kFrameHead - 1 - i))) & 0xff);
    return out.append(message);
}

Result<std::string> messageIn(std::string_view body)
{
    if (body.size() < kFrameHead)
        return noMessage(body.empty() ? "it has no message" : "it is cut off");
    if (body.front() != 0)
        return noMessage(body.front() == 1 ? "its message is compressed" : "it is no gRPC");
    std::size_t size = 0;
    for (std::size_t i = 1; i < kFrameHead; ++i)
        size = size << 8 | static_cast<std::uint8_t>(body[i]);
    body.remove_prefix(kFrameHead);
    if (body.size() < size)
        return noMessage("it is cut off");
    if (body.size() > size)
        return noMessage("it has more than one message");
    return std::string(body);
}

void makeCall(http::Request &request, std::string_view message)
{
    request.method = "POST";
    request.body = framed(message);
    request.contentType = kGrpcType;
    request.headers.emplace_back("TE", "trailers");
    request.headers.emplace_back("grpc-accept-encoding", "identity");
    request.keepHeaders = {"grpc-status", "grpc-message", "date"};
    request.assumesHttp2 = true;
    request.decodesBody = false;
    request.followsRedirects = false; // a token does not leave this address
}

std::optional<GrpcCode> statusOf(const http::Response &response)
{
    const std::string *status = headerOf(response, "grpc-status");
    const auto number = status && response.status == 200 ? base::parseInt(*status) : std::nullopt;
    if (!number)
        return std::nullopt;
    const bool isKnown = *number >= 0 && *number < static_cast<std::int64_t>(kMeanings.size());
    return isKnown ? static_cast<GrpcCode>(*number) : GrpcCode::Unknown;
}

std::string wordsOf(const http::Response &response)
{
    const std::string *words = headerOf(response, "grpc-message");
    return words ? base::printableLine(base::log::redacted(base::repairedUtf8(percentDecoded(*words))), kMostWords)
                 : std::string();
}

base::Error errorOf(GrpcCode code, const std::string &words, const std::string &url)
{
    const Meaning &meaning = meaningOf(code);
    base::Error error = base::Error::make(meaning.code,
                                          http::shownUrl(url) + ' ' + std::string(meaning.what) + " ("
                                              + std::string(meaning.name) + ')' + (words.empty() ? "" : ": ") + words,
                                          meaning.remedy);
    error.retryable = meaning.isRetryable;
    return error;
}

std::optional<base::Error> refusalOf(const http::Response &response, const std::string &url)
{
    if (auto error = http::statusError(response, url)) {
        if (error->code == ErrorCode::NotFound)
            error->hint = base::text(Remedy::CheckUrl);
        return error;
    }
    const auto code = statusOf(response);
    if (code)
        return *code == GrpcCode::Ok ? std::nullopt : std::optional(errorOf(*code, wordsOf(response), url));
    if (response.contentType.starts_with("text/html"))
        return base::Error::make(ErrorCode::Unauthorized, http::shownUrl(url) + " returned a web page instead of data",
                                 Remedy::SetCredentialOrInternalAddress);
    const bool isGrpc = response.contentType.starts_with(kGrpcType);
    base::Error error = base::Error::make(
        ErrorCode::Parse, http::shownUrl(url) + (isGrpc ? " sent no status: its answer is cut off" : " speaks no gRPC"),
        isGrpc ? Remedy::NextSyncTriesAgain : Remedy::CheckUrl);
    error.retryable = isGrpc;
    return error;
}

} // namespace gpuledger::nebius
