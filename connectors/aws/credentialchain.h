// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "connectors/aws/awswire.h"
#include "connectors/aws/profilefile.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace gpuledger::aws {

// The environment of the chain: everything it uses besides the configuration.
struct ProcessEnvironment {
    std::function<std::string(const std::string &name)> variable; // environment variable; "" if unset
    std::filesystem::path home;

    static ProcessEnvironment ofProcess();
};

// Keys and, for temporary ones, their expiry.
struct Credentials {
    auth::AwsKeys keys;
    std::optional<base::UtcTime> expires;
};
using SharedCredentials = std::shared_ptr<const Credentials>;

// Finds keys as the AWS tools do: the environment (unless a profile is named), then the profile: a role that it assumes
// (source_profile, credential_source, web_identity_token_file), web identity from the environment, an AWS IAM Identity
// Center login (SSO, from the tools' cache), keys from the credentials file, keys from the config file, the role of
// this container, the role of this machine (IMDSv2). Not supported, and reported as such: credential_process, login
// sessions, one-time codes.
// Temporary keys are renewed ten minutes before they expire. Keys are masked in the log. Any thread.
class CredentialChain {
public:
    // `profile` as configured; if empty, AWS_PROFILE, otherwise "default". `wire` must outlive it.
    CredentialChain(const Wire &wire, std::string profile, ProcessEnvironment surroundings);

    // Fails with Unauthorized (no keys found, or the login has expired), Forbidden (a file that others can change, or a
    // refused role), InvalidConfig (an inconsistent profile), Unsupported (an unsupported method) or the errors of
    // HttpClient::submit.
    [[nodiscard]] base::Result<SharedCredentials> get(const std::stop_token &stop);
    // Call when the service rejected the keys: the next get() looks for new ones.
    void drop(const SharedCredentials &rejected);

private:
    struct Files {
        ProfileFile credentials, config;
    };
    using Found = base::Result<Credentials>;

    Found find(const std::stop_token &stop) const;
    std::optional<Credentials> ofEnvironment() const;
    Found ofProfile(const Files &files, const std::string &profile, std::vector<std::string> seen,
                    const std::stop_token &stop) const;
    Found ofRole(const Files &files, const std::string &profile, std::vector<std::string> seen,
                 const std::stop_token &stop) const;
    Found ofWebIdentity(const std::string &role, const std::string &tokenFile, const std::string &session,
                        const std::stop_token &stop) const;
    Found ofSso(const Files &files, const std::string &profile, const std::stop_token &stop) const;
    Found ofSts(const Call &call, const auth::AwsKeys *keys, const std::stop_token &stop) const;
    std::filesystem::path fileAt(const std::string &variable, const char *name) const;
    Found ofHost(const std::string &profile, const std::stop_token &stop) const;
    Found ofSource(const std::string &source, const std::string &profile, const std::stop_token &stop) const;

    const Wire &m_wire;
    std::string m_profile;
    ProcessEnvironment m_surroundings;
    std::mutex m_mutex;
    SharedCredentials m_kept; // guarded by m_mutex
};

} // namespace gpuledger::aws
