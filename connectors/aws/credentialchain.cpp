// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/aws/credentialchain.h"

#include "app/base/remedy.h"
#include "app/base/text/log.h"
#include "app/base/text/text.h"
#include "connectors/aws/hostroles.h"
#include "connectors/format/json.h"
#include "connectors/format/xmltree.h"

#include <openssl/evp.h>
#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>

namespace gpuledger::aws {

using base::ErrorCode;
using base::Secret;

namespace {

constexpr base::Seconds kRenewBefore{600};
constexpr std::size_t kMaxChain = 5; // roles that are assumed through one another
constexpr char kSession[] = "gpu-ledger";

std::string section(const std::string &profile)
{
    return profile == "default" ? profile : "profile " + profile;
}

Credentials keysOf(std::string_view id, std::string_view secret, std::string_view token)
{
    Credentials out;
    out.keys.accessKeyId = std::string(id);
    out.keys.secretKey = Secret(std::string(secret));
    out.keys.sessionToken = Secret(std::string(token));
    return out;
}

bool hasControl(std::string_view text)
{
    return std::any_of(text.begin(), text.end(),
                       [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; });
}

base::Result<Credentials> checked(Credentials found)
{
    for (const std::string_view part :
         {std::string_view(found.keys.accessKeyId), found.keys.secretKey.reveal(), found.keys.sessionToken.reveal()}) {
        if (hasControl(part))
            return base::fail(ErrorCode::InvalidConfig, "the AWS keys contain a line break or a control character");
    }
    base::log::redactValue(found.keys.secretKey.reveal());
    if (!found.keys.sessionToken.empty())
        base::log::redactValue(found.keys.sessionToken.reveal());
    return found;
}

std::string quoted(const std::string &text)
{
    return '"' + base::printable(text, 64) + '"';
}

tl::unexpected<base::Error> unsupported(const std::string &profile, const std::string &what)
{
    return base::fail(ErrorCode::Unsupported, "the AWS profile " + quoted(profile) + ' ' + what,
                      base::Remedy::UseSupportedProfile);
}

base::Error loginOver(const std::string &profile)
{
    return base::Error::make(ErrorCode::Unauthorized,
                             "the SSO login of the AWS profile " + quoted(profile) + " has expired",
                             base::Remedy::LogInToAws);
}

// The tools' SSO cache names its files like this.
std::string sha1Hex(const std::string &text)
{
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned int size = 0;
    EVP_Digest(text.data(), text.size(), digest.data(), &size, EVP_sha1(), nullptr);
    static constexpr std::string_view kHex = "0123456789abcdef";
    std::string out;
    for (unsigned int i = 0; i < size; ++i) {
        out += kHex[digest[i] >> 4];
        out += kHex[digest[i] & 15];
    }
    return out;
}

// The token of a login in the tools' cache; empty if there is none or it has expired.
Secret ssoToken(const std::filesystem::path &file, base::UtcTime now)
{
    const auto cached = readSmallFile(file);
    if (!cached)
        return {};
    const auto json = format::parseJson(cached->reveal());
    if (!json)
        return {};
    Secret token(format::textOf(*json, "accessToken"));
    const auto until = base::parseTime(format::textOf(*json, "expiresAt"));
    const bool isGood = until && *until > now && !hasControl(token.reveal());
    return isGood ? std::move(token) : Secret();
}

base::Result<Credentials> ssoKeys(const Secret &body)
{
    const auto answer = format::parseJson(body.reveal());
    const auto wrong = base::fail(ErrorCode::Parse, "the response of the SSO portal contains no keys");
    if (!answer || !answer->is_object() || !answer->contains("roleCredentials"))
        return wrong;
    const nlohmann::json &keys = answer->at("roleCredentials");
    Credentials out = keysOf(format::textOf(keys, "accessKeyId"), format::textOf(keys, "secretAccessKey"),
                             format::textOf(keys, "sessionToken"));
    if (out.keys.accessKeyId.empty() || out.keys.secretKey.empty() || !keys.contains("expiration")
        || !keys.at("expiration").is_number_integer())
        return wrong;
    out.expires = base::fromUnix(keys.at("expiration").get<std::int64_t>() / 1000);
    return out;
}

} // namespace

ProcessEnvironment ProcessEnvironment::ofProcess()
{
    ProcessEnvironment out;
    out.variable = [](const std::string &name) {
        const char *value = std::getenv(name.c_str());
        return std::string(value ? value : "");
    };
    if (const char *home = std::getenv("HOME"); home && *home)
        out.home = home;
    else if (const passwd *user = getpwuid(geteuid()); user && user->pw_dir)
        out.home = user->pw_dir;
    return out;
}

CredentialChain::CredentialChain(const Wire &wire, std::string profile, ProcessEnvironment surroundings)
    : m_wire(wire)
    , m_profile(std::move(profile))
    , m_surroundings(std::move(surroundings))
{
}

base::Result<SharedCredentials> CredentialChain::get(const std::stop_token &stop)
{
    {
        const std::lock_guard lock(m_mutex);
        if (m_kept && (!m_kept->expires || *m_kept->expires - kRenewBefore > m_wire.clock().now()))
            return m_kept;
    }
    // Without the lock, so that a call being cancelled does not wait for another call's network access.
    auto found = find(stop);
    if (!found)
        return base::fail(std::move(found).error());
    auto good = checked(std::move(*found));
    if (!good)
        return base::fail(std::move(good).error());
    const std::lock_guard lock(m_mutex);
    m_kept = std::make_shared<const Credentials>(std::move(*good));
    return m_kept;
}

void CredentialChain::drop(const SharedCredentials &rejected)
{
    const std::lock_guard lock(m_mutex);
    if (m_kept == rejected)
        m_kept.reset();
}

std::filesystem::path CredentialChain::fileAt(const std::string &variable, const char *name) const
{
    const std::string set = m_surroundings.variable(variable);
    return set.empty() ? m_surroundings.home / ".aws" / name : std::filesystem::path(set);
}

std::optional<Credentials> CredentialChain::ofEnvironment() const
{
    const auto &variable = m_surroundings.variable;
    const Secret secret(variable("AWS_SECRET_ACCESS_KEY"));
    const Secret token(variable("AWS_SESSION_TOKEN"));
    const std::string id = variable("AWS_ACCESS_KEY_ID");
    if (id.empty() || secret.empty())
        return std::nullopt;
    return keysOf(id, secret.reveal(), token.reveal());
}

CredentialChain::Found CredentialChain::find(const std::stop_token &stop) const
{
    const auto &variable = m_surroundings.variable;
    const bool isNamed = !m_profile.empty();
    if (!isNamed) {
        if (auto found = ofEnvironment())
            return std::move(*found);
    }
    Files files;
    auto credentials = ProfileFile::read(fileAt("AWS_SHARED_CREDENTIALS_FILE", "credentials"));
    if (!credentials)
        return base::fail(std::move(credentials).error());
    auto config = ProfileFile::read(fileAt("AWS_CONFIG_FILE", "config"));
    if (!config)
        return base::fail(std::move(config).error());
    files.credentials = std::move(*credentials);
    files.config = std::move(*config);
    std::string profile = isNamed ? m_profile : variable("AWS_PROFILE");
    if (profile.empty())
        profile = "default";
    const std::string tokenFile = variable("AWS_WEB_IDENTITY_TOKEN_FILE"), role = variable("AWS_ROLE_ARN");
    const bool hasRole = !files.config.value(section(profile), "role_arn").empty();
    if (!isNamed && !hasRole && !tokenFile.empty() && !role.empty())
        return ofWebIdentity(role, tokenFile, variable("AWS_ROLE_SESSION_NAME"), stop);
    return ofProfile(files, profile, {}, stop);
}

CredentialChain::Found CredentialChain::ofProfile(const Files &files, const std::string &profile,
                                                  std::vector<std::string> seen, const std::stop_token &stop) const
{
    const auto &config = files.config;
    const std::string own = section(profile);
    // If a role's source is its own profile, the keys next to it are meant.
    const bool isOwnSource = !seen.empty() && seen.back() == profile;
    if (!config.value(own, "role_arn").empty() && !isOwnSource) {
        if (seen.size() >= kMaxChain || std::find(seen.begin(), seen.end(), profile) != seen.end())
            return base::fail(ErrorCode::InvalidConfig,
                              "the AWS profile " + quoted(profile) + " assumes a role through itself",
                              base::Remedy::CheckSourceProfile);
        seen.push_back(profile);
        return ofRole(files, profile, std::move(seen), stop);
    }
    if (!config.value(own, "sso_session").empty() || !config.value(own, "sso_start_url").empty())
        return ofSso(files, profile, stop);
    const auto keysIn = [&](const ProfileFile &file, const std::string &name) -> Found {
        if (file.value(name, "aws_access_key_id").empty())
            return base::fail(ErrorCode::InvalidConfig,
                              "the AWS profile " + quoted(profile)
                                  + " has aws_secret_access_key, but no aws_access_key_id",
                              base::Remedy::ConfigureAwsOrSetProfile);
        return keysOf(file.value(name, "aws_access_key_id"), file.value(name, "aws_secret_access_key"),
                      file.value(name, "aws_session_token"));
    };
    if (!files.credentials.value(profile, "aws_secret_access_key").empty())
        return keysIn(files.credentials, profile);
    if (!config.value(own, "credential_process").empty())
        return unsupported(profile, "gets its keys from a program (credential_process), which is not supported");
    if (!config.value(own, "login_session").empty())
        return unsupported(profile, "gets its keys from a console login, which is not supported");
    if (!config.value(own, "aws_secret_access_key").empty())
        return keysIn(config, own);
    if (!files.credentials.has(profile) && !config.has(own) && profile != "default")
        return base::fail(ErrorCode::InvalidConfig, "there is no AWS profile " + quoted(profile),
                          base::Remedy::CheckAuthProfile);
    return ofHost(profile, stop);
}

// Tries the container's and the machine's role if the profile has no keys.
CredentialChain::Found CredentialChain::ofHost(const std::string &profile, const std::stop_token &stop) const
{
    for (const auto &ask : {&containerKeys, &machineKeys}) {
        auto found = ask(m_wire, m_surroundings, stop);
        GPULEDGER_TRY(found);
        if (*found)
            return std::move(**found);
    }
    return base::fail(ErrorCode::Unauthorized,
                      "no AWS keys were found in the environment or in the profile " + quoted(profile)
                          + ", and this container or machine has no role",
                      base::Remedy::ConfigureAws);
}

// The credential_source of a role.
CredentialChain::Found CredentialChain::ofSource(const std::string &source, const std::string &profile,
                                                 const std::stop_token &stop) const
{
    if (source == "Environment") {
        auto found = ofEnvironment();
        if (found)
            return std::move(*found);
        return base::fail(ErrorCode::Unauthorized,
                          "the AWS profile " + quoted(profile) + " needs AWS_ACCESS_KEY_ID in the environment");
    }
    const bool isContainer = source == "EcsContainer";
    if (!isContainer && source != "Ec2InstanceMetadata")
        return unsupported(profile,
                           "gets its keys from " + quoted(source) + " (credential_source), which is not supported");
    auto found = (isContainer ? containerKeys : machineKeys)(m_wire, m_surroundings, stop);
    GPULEDGER_TRY(found);
    if (*found)
        return std::move(**found);
    return base::fail(ErrorCode::Unauthorized,
                      "the AWS profile " + quoted(profile) + " needs the role of this "
                          + (isContainer ? "container" : "machine") + ", which has none");
}

CredentialChain::Found CredentialChain::ofRole(const Files &files, const std::string &profile,
                                               std::vector<std::string> seen, const std::stop_token &stop) const
{
    const std::string own = section(profile);
    const auto value = [&](const char *key) { return std::string(files.config.value(own, key)); };
    const std::string session = value("role_session_name");
    if (const std::string tokenFile = value("web_identity_token_file"); !tokenFile.empty())
        return ofWebIdentity(value("role_arn"), tokenFile, session, stop);
    if (!value("mfa_serial").empty())
        return unsupported(profile, "requires a one-time code (mfa_serial), which can't be entered here");
    Found source = base::fail(ErrorCode::InvalidConfig,
                              "the AWS profile " + quoted(profile)
                                  + " assumes a role, but has neither source_profile nor credential_source");
    if (const std::string from = value("credential_source"); !from.empty()) {
        source = ofSource(from, profile, stop);
    } else if (const std::string through = value("source_profile"); !through.empty()) {
        source = ofProfile(files, through, std::move(seen), stop);
    }
    if (!source)
        return source;
    http::Parameters parameters{{"RoleArn", value("role_arn")},
                                {"RoleSessionName", session.empty() ? kSession : session}};
    if (const std::string id = value("external_id"); !id.empty())
        parameters.emplace_back("ExternalId", id);
    if (const std::string seconds = value("duration_seconds"); base::parseInt(seconds))
        parameters.emplace_back("DurationSeconds", seconds);
    return ofSts(queryCall("sts", "AssumeRole", std::move(parameters)), &source->keys, stop);
}

CredentialChain::Found CredentialChain::ofWebIdentity(const std::string &role, const std::string &tokenFile,
                                                      const std::string &session, const std::stop_token &stop) const
{
    auto token = readSmallFile(tokenFile);
    if (!token)
        return base::fail(ErrorCode::Unauthorized, "the web identity token can't be read: " + token.error().text,
                          token.error().hint);
    std::string_view bare = token->reveal();
    while (!bare.empty() && (bare.back() == '\n' || bare.back() == '\r'))
        bare.remove_suffix(1);
    base::log::redactValue(bare);
    Call call = queryCall("sts", "AssumeRoleWithWebIdentity",
                          {{"RoleArn", role},
                           {"RoleSessionName", session.empty() ? kSession : session},
                           {"WebIdentityToken", std::string(bare)}});
    return ofSts(call, nullptr, stop);
}

CredentialChain::Found CredentialChain::ofSts(const Call &call, const auth::AwsKeys *keys,
                                              const std::stop_token &stop) const
{
    auto answer = m_wire.send(call, keys, stop);
    if (!answer)
        return base::fail(std::move(answer).error());
    const Secret body(std::move(answer->body)); // contains keys; wiped on every return path
    if (answer->isError())
        return base::fail(errorOf(*answer, call.action));
    auto root = format::parseXml(body.reveal());
    if (!root)
        return base::fail(std::move(root).error());
    const std::string result = call.action.substr(call.action.find(':') + 1) + "Result/Credentials/";
    Credentials out = keysOf(root->textAt(result + "AccessKeyId"), root->textAt(result + "SecretAccessKey"),
                             root->textAt(result + "SessionToken"));
    const auto expires = base::parseTime(root->textAt(result + "Expiration"));
    if (out.keys.accessKeyId.empty() || out.keys.secretKey.empty() || out.keys.sessionToken.empty() || !expires)
        return base::fail(ErrorCode::Parse, call.action + " returned no keys");
    out.expires = *expires;
    return out;
}

CredentialChain::Found CredentialChain::ofSso(const Files &files, const std::string &profile,
                                              const std::stop_token &stop) const
{
    const auto value = [&](const std::string &name, const char *key) {
        return std::string(files.config.value(name, key));
    };
    const std::string own = section(profile), session = value(own, "sso_session");
    const std::string region = value(session.empty() ? own : "sso-session " + session, "sso_region");
    const std::string account = value(own, "sso_account_id"), role = value(own, "sso_role_name");
    if (!isRegion(region) || account.empty() || role.empty())
        return base::fail(ErrorCode::InvalidConfig,
                          "the AWS profile " + quoted(profile) + " lacks sso_region, sso_account_id or sso_role_name",
                          base::Remedy::ConfigureAwsSso);
    const std::string key = session.empty() ? value(own, "sso_start_url") : session;
    auto bearer = std::make_shared<http::Credentials>();
    bearer->bearer =
        ssoToken(m_surroundings.home / ".aws" / "sso" / "cache" / (sha1Hex(key) + ".json"), m_wire.clock().now());
    bearer->bearerHeader = "x-amz-sso_bearer_token";
    if (bearer->bearer.empty())
        return base::fail(loginOver(profile));
    base::log::redactValue(bearer->bearer.reveal());
    const Place &place = m_wire.place();
    http::Request request;
    request.url = (place.url.empty() ? "https://portal.sso." + region + ".amazonaws.com" : place.url)
        + "/federation/credentials?" + http::formEncode({{"role_name", role}, {"account_id", account}});
    request.credentials = std::move(bearer);
    request.caFile = place.caFile;
    request.timeouts = place.timeouts;
    request.maxBytes = 1u << 20;
    auto response = m_wire.client().perform(std::move(request), stop);
    if (!response)
        return base::fail(std::move(response).error());
    const Secret body(std::move(response->body)); // contains keys
    if (response->status == 401)
        return base::fail(loginOver(profile));
    if (response->status != 200)
        return base::fail(response->status == 403 ? ErrorCode::Forbidden : ErrorCode::Server,
                          "the SSO portal returned no keys for role " + quoted(role) + " (HTTP "
                              + std::to_string(response->status) + ')');
    return ssoKeys(body);
}

} // namespace gpuledger::aws
