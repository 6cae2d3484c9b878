// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/services/config/configedit.h"
#include "ui/cli/program/session.h"

namespace CLI {
class App;
}

namespace gpuledger::cli {

// `sources add`: adds a source given by options to the configuration file, or writes a sample with comments. Lives as
// long as the parser. One thread.
class SourceAdd {
public:
    void addOptionsTo(CLI::App &verb);
    // Fails with InvalidArgument (an option is missing or invalid, or a credential was given instead of a reference to
    // it), Refused (the name is taken), InvalidConfig (the file is already invalid), or an error of writing the file.
    // Then nothing was changed.
    [[nodiscard]] base::Result<int> run(Session &session);

private:
    [[nodiscard]] static base::Result<int> writeSample(Session &session);
    [[nodiscard]] base::Result<services::NewSource> source(const ports::SourceKinds &kinds) const;
    std::string guessedKind(const ports::SourceKinds &kinds) const;
    [[nodiscard]] base::Result<services::NewSource::Parts> auth() const;

    bool m_sample = false;
    services::NewSource m_source;
    std::string m_auth, m_user, m_password, m_token, m_tokenHeader, m_certificate, m_key, m_profile, m_region,
        m_kubeconfig, m_context;
    std::vector<std::string> m_headers, m_options;
};

} // namespace gpuledger::cli
