// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/aws/hostroles.h"

#include "app/base/remedy.h"
#include "app/base/text/log.h"
#include "app/base/text/text.h"
#include "connectors/format/json.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace gpuledger::aws {

using base::ErrorCode;
using base::Secret;
using Found = base::Result<std::optional<Credentials>>;

namespace {

constexpr std::chrono::milliseconds kPatience{1000};
constexpr std::chrono::milliseconds kContainerPatience{2000};
constexpr std::size_t kMaxRoleAnswer = 64u << 10;
constexpr std::size_t kLongestRole = 256;
constexpr char kContainerHost[] = "http://169.254.170.2";
constexpr char kMachine[] = "http://169.254.169.254";
constexpr char kMachineV6[] = "http://[fd00:ec2::254]";
// The only hosts, besides loopback, that may be asked for a container's keys over plain http.
constexpr std::array<std::string_view, 3> kContainerHosts{"169.254.170.2", "169.254.170.23", "fd00:ec2::23"};

http::Request requestOf(std::string url, std::chrono::milliseconds patience)
{
    http::Request request;
    request.url = std::move(url);
    request.toMachine = true;
    request.timeouts = {patience, patience, patience};
    request.maxBytes = kMaxRoleAnswer;
    return request;
}

tl::unexpected<base::Error> noKeys(const std::string &who, const std::string &why)
{
    return base::fail(ErrorCode::Unauthorized, who + " provided no keys: " + why, base::Remedy::CheckRoleOrSetProfile);
}

// Parses the answer format of both services; `token` is the name of the session token's member.
base::Result<Credentials> keysIn(const Secret &body, const char *token, const std::string &who)
{
    const auto json = format::parseJson(body.reveal());
    if (!json || !json->is_object())
        return noKeys(who, "its response can't be read");
    if (const std::string code = format::textOf(*json, "Code"); !code.empty() && code != "Success")
        return noKeys(who, '"' + base::printable(code, 64) + '"');
    Credentials out;
    out.keys.accessKeyId = format::textOf(*json, "AccessKeyId");
    out.keys.secretKey = Secret(format::textOf(*json, "SecretAccessKey"));
    out.keys.sessionToken = Secret(format::textOf(*json, token));
    const auto expires = base::parseTime(format::textOf(*json, "Expiration"));
    if (out.keys.accessKeyId.empty() || out.keys.secretKey.empty() || out.keys.sessionToken.empty() || !expires)
        return noKeys(who, "its response contains none");
    out.expires = *expires;
    return out;
}

base::Result<void> checkContainerAddress(const std::string &address)
{
    const auto url = http::parseUrl(address);
    GPULEDGER_TRY(url);
    const bool isKnown =
        std::find(kContainerHosts.begin(), kContainerHosts.end(), std::string_view(url->host)) != kContainerHosts.end();
    if (url->scheme == "https" || url->loopback() || isKnown)
        return {};
    return base::fail(ErrorCode::InvalidConfig,
                      "the keys of a container's role are not requested from " + http::shownUrl(address)
                          + ", which is plain http on another machine",
                      base::Remedy::CheckContainerUri);
}

// The value for the Authorization header, unchanged. The file is read each time, because the platform renews it.
base::Result<Secret> containerToken(const ProcessEnvironment &surroundings)
{
    const std::string file = surroundings.variable("AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE");
    if (file.empty())
        return Secret(surroundings.variable("AWS_CONTAINER_AUTHORIZATION_TOKEN"));
    auto read = readSmallFile(file);
    if (!read)
        return base::fail(ErrorCode::Unauthorized, "the container's token can't be read: " + read.error().text,
                          read.error().hint);
    std::string_view bare = read->reveal();
    while (!bare.empty() && (bare.back() == '\n' || bare.back() == '\r'))
        bare.remove_suffix(1);
    return Secret(std::string(bare));
}

// The machine's metadata service: its address and the token of this session.
struct Metadata {
    std::string base;
    std::shared_ptr<http::Credentials> token = std::make_shared<http::Credentials>();

    http::Request get(const std::string &path) const
    {
        http::Request request = requestOf(base + path, kPatience);
        request.credentials = token;
        return request;
    }
};

bool isTrue(std::string text)
{
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text == "true";
}

std::string machineAddress(const ProcessEnvironment &surroundings)
{
    std::string given = surroundings.variable("AWS_EC2_METADATA_SERVICE_ENDPOINT");
    while (!given.empty() && given.back() == '/')
        given.pop_back();
    if (!given.empty())
        return given;
    return surroundings.variable("AWS_EC2_METADATA_SERVICE_ENDPOINT_MODE") == "IPv6" ? kMachineV6 : kMachine;
}

bool isRoleName(std::string_view text)
{
    return !text.empty() && text.size() <= kLongestRole && std::all_of(text.begin(), text.end(), [](char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')
            || std::string_view("+=,.@_-").find(c) != std::string_view::npos;
    });
}

// No reply is not an error: most computers are not cloud instances.
base::Result<std::optional<Metadata>> openMetadata(const Wire &wire, const ProcessEnvironment &surroundings,
                                                   const std::stop_token &stop)
{
    Metadata metadata;
    metadata.base = machineAddress(surroundings);
    const auto url = http::parseUrl(metadata.base);
    GPULEDGER_TRY(url);
    http::Request request = requestOf(metadata.base + "/latest/api/token", kPatience);
    request.method = "PUT";
    request.headers.emplace_back("x-aws-ec2-metadata-token-ttl-seconds", "21600");
    auto answer = wire.client().perform(std::move(request), stop);
    if (!answer && answer.error().code == ErrorCode::Cancelled)
        return base::fail(std::move(answer).error());
    if (!answer || answer->status != 200 || answer->body.empty())
        return std::nullopt; // no retry without a token: version 1 can be reached through a careless proxy
    base::log::redactValue(answer->body);
    metadata.token->bearerHeader = "x-aws-ec2-metadata-token";
    metadata.token->bearer = Secret(std::move(answer->body));
    return metadata;
}

} // namespace

Found containerKeys(const Wire &wire, const ProcessEnvironment &surroundings, const std::stop_token &stop)
{
    const std::string relative = surroundings.variable("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI");
    const std::string full = surroundings.variable("AWS_CONTAINER_CREDENTIALS_FULL_URI");
    if (relative.empty() && full.empty())
        return std::nullopt;
    const std::string address = relative.empty() ? full : kContainerHost + relative;
    GPULEDGER_TRY(checkContainerAddress(address));
    auto token = containerToken(surroundings);
    GPULEDGER_TRY(token);
    http::Request request = requestOf(address, kContainerPatience);
    if (!token->empty()) {
        base::log::redactValue(token->reveal());
        auto bearer = std::make_shared<http::Credentials>();
        bearer->bearerHeader = "Authorization";
        bearer->bearer = std::move(*token);
        request.credentials = std::move(bearer);
    }
    auto answer = wire.client().perform(std::move(request), stop);
    if (!answer)
        return base::fail(std::move(answer).error());
    const Secret body(std::move(answer->body)); // contains keys
    const std::string who = "the role of this container (" + http::shownUrl(address) + ')';
    if (answer->status != 200)
        return noKeys(who, "HTTP " + std::to_string(answer->status));
    auto keys = keysIn(body, "Token", who);
    GPULEDGER_TRY(keys);
    return std::move(*keys);
}

Found machineKeys(const Wire &wire, const ProcessEnvironment &surroundings, const std::stop_token &stop)
{
    if (isTrue(surroundings.variable("AWS_EC2_METADATA_DISABLED")))
        return std::nullopt;
    const auto metadata = openMetadata(wire, surroundings, stop);
    GPULEDGER_TRY(metadata);
    if (!*metadata)
        return std::nullopt;
    static const std::string kRoles = "/latest/meta-data/iam/security-credentials/";
    const std::string who = "the role of this machine (IMDS)";
    auto roles = wire.client().perform((*metadata)->get(kRoles), stop);
    if (!roles)
        return base::fail(std::move(roles).error());
    if (roles->status == 404)
        return std::nullopt; // the machine has no role
    const std::string role = roles->body.substr(0, roles->body.find_first_of("\r\n"));
    if (roles->status != 200 || !isRoleName(role))
        return noKeys(who, roles->status == 200 ? "its name can't be read" : "HTTP " + std::to_string(roles->status));
    auto answer = wire.client().perform((*metadata)->get(kRoles + role), stop);
    if (!answer)
        return base::fail(std::move(answer).error());
    const Secret body(std::move(answer->body)); // contains keys
    if (answer->status != 200)
        return noKeys(who, "HTTP " + std::to_string(answer->status));
    auto keys = keysIn(body, "Token", who);
    GPULEDGER_TRY(keys);
    return std::move(*keys);
}

} // namespace gpuledger::aws
