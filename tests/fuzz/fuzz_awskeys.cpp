// SPDX-License-Identifier: GPL-3.0-or-later
// The files that the AWS tools share, their cache of logins, and the answers of services that issue credentials.
#include "connectors/aws/credentialchain.h"
#include "tests/fuzz/fuzz.h"

#include <sys/stat.h>

namespace gpuledger::fuzz {

namespace {

aws::ProcessEnvironment surroundings(std::size_t kind)
{
    aws::ProcessEnvironment out;
    out.home = scratch() / "home";
    out.variable = [kind](const std::string &name) -> std::string {
        if (name == "AWS_CONTAINER_CREDENTIALS_FULL_URI" && kind == 1)
            return "http://127.0.0.1/keys";
        if (name == "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI" && kind == 2)
            return "/keys";
        if (name == "AWS_WEB_IDENTITY_TOKEN_FILE" && kind == 3)
            return (scratch() / "home/.aws/token").string();
        if (name == "AWS_ROLE_ARN" && kind == 3)
            return "arn:aws:iam::123456789012:role/reader";
        return {};
    };
    return out;
}

} // namespace

// Kind, config, credentials, cached login, then response bodies.
void fuzz(std::string_view bytes)
{
    const std::size_t kind = choice(bytes, 4);
    const auto parts = pieces(bytes, 7);
    const auto part = [&](std::size_t i) { return i < parts.size() ? parts[i] : std::string_view(); };
    chmod(scratch().c_str(), 0700);
    fileOf("home/.aws/config", part(0));
    fileOf("home/.aws/credentials", part(1));
    // SHA-1 of "my-sso".
    fileOf("home/.aws/sso/cache/0ad374308c5a4e22f723adf10145eafad7c4031c.json", part(2));
    fileOf("home/.aws/token", part(2));
    std::vector<std::string_view> bodies(parts.begin() + std::min<std::ptrdiff_t>(3, std::ssize(parts)), parts.end());
    const aws::Wire wire(std::make_shared<Server>(std::move(bodies)), kClock,
                         {"eu-central-1", "http://127.0.0.1:1", {}, {}});
    for (const char *profile : {"", "work"}) {
        aws::CredentialChain chain(wire, profile, surroundings(kind));
        const auto keys = chain.get({});
        if (!keys)
            continue;
        check(!(*keys)->keys.accessKeyId.empty() && !(*keys)->keys.secretKey.empty(),
              "keys that were found are not empty");
        for (const char c : (*keys)->keys.accessKeyId)
            check(static_cast<unsigned char>(c) >= 0x20, "a key has no line break");
        chain.drop(*keys);
        (void)chain.get({});
    }
    const aws::ProfileFile file{base::Secret(std::string(part(0)))};
    (void)file.has("default");
    (void)file.value("profile work", "sso_session");
}

} // namespace gpuledger::fuzz
