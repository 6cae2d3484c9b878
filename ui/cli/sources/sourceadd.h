// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/services/config/configedit.h"
#include "ui/cli/program/session.h"

namespace CLI {
class App;
}

namespace gpuledger::cli {

// `sources add`: a source given by options goes into the configuration file, or a commented sample is written. Lives as
// long as the parser. One thread.
class SourceAdd {
public:
    void addOptionsTo(CLI::App &verb);
    // Fails with InvalidArgument (an option is missing or wrong, a credential was given in place of where it is),
    // Refused (the name is taken), InvalidConfig (the file is wrong as it is), or what writing says. Then nothing was
    // changed.
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
