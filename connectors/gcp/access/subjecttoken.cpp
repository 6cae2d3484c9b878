// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/gcp/access/subjecttoken.h"

#include "app/base/text/log.h"
#include "app/base/text/text.h"
#include "connectors/format/json.h"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <string_view>
#include <unistd.h>
#include <utility>

namespace gpuledger::gcp {

using base::ErrorCode;
using base::Result;
using base::Secret;
using Json = nlohmann::json;

namespace {

constexpr std::size_t kMostSubjectToken = 64u << 10; // bytes of the file or answer that has it
constexpr std::size_t kShortestMasked = 16; // bytes of a header's value; "True" is no secret
constexpr std::string_view kBlanks = " \t\r\n";

auto wrongSource(const std::string &what, ErrorCode code = ErrorCode::InvalidConfig)
{
    return base::fail(code, "the credential_source of the credential file " + what, base::Remedy::CreateCredentialFile);
}

auto noSubjectToken(const std::string &where, const std::string &why)
{
    return base::fail(ErrorCode::Unauthorized, where + ' ' + why, base::Remedy::CheckSubjectToken);
}

Result<void> readHeaders(const Json &headers, http::Parameters &out)
{
    if (!headers.is_null() && !headers.is_object())
        return wrongSource("has headers that can't be read");
    for (const auto &[name, value] : headers.items()) {
        if (!value.is_string())
            return wrongSource("has headers that can't be read");
        out.emplace_back(name, value.get<std::string>());
        if (out.back().second.size() >= kShortestMasked)
            base::log::redactValue(out.back().second);
    }
    return {};
}

// The token would be read by everybody on the way.
bool isConfidential(const std::string &address)
{
    const auto url = http::parseUrl(address);
    return url && (url->scheme == "https" || url->loopback() || http::isMetadataHost(url->host));
}

class OpenFile {
public:
    explicit OpenFile(const std::string &path) // a pipe would be waited for
        : m_number(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK))
    {
    }
    ~OpenFile()
    {
        if (m_number >= 0)
            ::close(m_number);
    }
    OpenFile(const OpenFile &) = delete;
    OpenFile &operator=(const OpenFile &) = delete;
    int number() const { return m_number; }

private:
    int m_number;
};

Result<Secret> contentOf(const std::string &path)
{
    const std::string shown = "the subject token " + base::printable(path, 256);
    const OpenFile file(path);
    if (file.number() < 0) {
        const bool isMissing = errno == ENOENT || errno == ENOTDIR;
        return base::fail(isMissing ? ErrorCode::NotFound : ErrorCode::Unauthorized,
                          shown + (isMissing ? " does not exist" : " can't be opened"),
                          base::Remedy::CheckSubjectToken);
    }
    struct stat info { };
    if (fstat(file.number(), &info) != 0 || !S_ISREG(info.st_mode))
        return base::fail(ErrorCode::Unauthorized, shown + " is not a regular file", base::Remedy::CheckSubjectToken);
    std::string text(kMostSubjectToken + 1, '\0');
    std::size_t size = 0;
    while (size < text.size()) {
        const ssize_t some = ::read(file.number(), text.data() + size, text.size() - size);
        if (some < 0 && errno == EINTR)
            continue;
        if (some < 0)
            return base::fail(ErrorCode::Unauthorized, shown + " can't be read", base::Remedy::CheckSubjectToken);
        if (some == 0)
            break;
        size += static_cast<std::size_t>(some);
    }
    text.resize(size);
    Secret content(std::move(text));
    if (size > kMostSubjectToken)
        return base::fail(ErrorCode::TooMuch, shown + " is larger than 64 KiB", base::Remedy::CheckSubjectToken);
    return content;
}

Result<Secret> answerAt(const SubjectTokenSource &source, const TokenWire &wire, const std::stop_token &stop)
{
    http::Request request;
    request.url = source.url;
    request.headers = source.headers;
    request.caFile = wire.caFile;
    request.toMachine = true;
    request.followsRedirects = false;
    request.timeouts = wire.timeouts;
    request.maxBytes = kMostSubjectToken;
    auto response = wire.client->perform(std::move(request), stop);
    GPULEDGER_TRY(response);
    Secret body(std::move(response->body));
    if (auto error = http::statusError(*response, source.url)) {
        if (!error->retryable)
            error->hint = base::text(base::Remedy::CheckSubjectToken);
        if (!error->retryable && response->status >= 400)
            error->code = ErrorCode::Unauthorized; // not a missing right of the source
        return base::fail(std::move(*error));
    }
    return body;
}

} // namespace

Result<SubjectTokenSource> subjectTokenSourceIn(const Json &source)
{
    for (const auto &[key, who] : {std::pair("environment_id", "AWS"), std::pair("executable", "a program"),
                                   std::pair("certificate", "a certificate")}) {
        if (source.is_object() && source.contains(key))
            return wrongSource("has subject tokens of " + std::string(who) + " (" + key + "), which can't be used here",
                               ErrorCode::Unsupported);
    }
    SubjectTokenSource out;
    out.file = format::textOf(source, "file");
    out.url = format::textOf(source, "url");
    if (out.file.empty() == out.url.empty())
        return wrongSource("has neither or both of file and url");
    if (!out.file.empty()
        && (!std::filesystem::path(out.file).is_absolute() || out.file.find('\0') != std::string::npos))
        return wrongSource("has a file that is no absolute path");
    if (!out.url.empty() && !isConfidential(out.url))
        return wrongSource("would ask " + http::shownUrl(out.url) + " for a credential without encryption");
    GPULEDGER_TRY(readHeaders(format::memberOf(source, "headers"), out.headers));
    const Json &form = format::memberOf(source, "format");
    const std::string type = format::textOf(form, "type");
    if (type.empty() || type == "text")
        return out;
    out.member = format::textOf(form, "subject_token_field_name");
    if (type != "json" || out.member.empty())
        return wrongSource("has a format that is neither text nor json with its subject_token_field_name");
    return out;
}

Result<Secret> readSubjectToken(const SubjectTokenSource &source, const TokenWire &wire, const std::stop_token &stop)
{
    const std::string where = source.file.empty() ? "the answer of " + http::shownUrl(source.url)
                                                  : "the subject token " + base::printable(source.file, 256);
    const auto content = source.file.empty() ? answerAt(source, wire, stop) : contentOf(source.file);
    GPULEDGER_TRY(content);
    std::string_view text = content->reveal();
    std::string member;
    if (!source.member.empty()) {
        const auto json = format::parseJson(text);
        if (!json || !json->is_object())
            return noSubjectToken(where, "is no JSON object");
        member = format::textOf(*json, source.member.c_str());
        text = member;
    }
    text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
    text = text.substr(0, text.find_last_not_of(kBlanks) + 1); // of an empty text nothing
    if (text.empty())
        return noSubjectToken(where, "has no token");
    base::log::redactValue(text);
    return Secret(std::string(text));
}

} // namespace gpuledger::gcp
