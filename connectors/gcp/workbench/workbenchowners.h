// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/settings.h"
#include "app/ports/finding.h"
#include "connectors/gcp/googleapi.h"
#include "connectors/gcp/workbench/workbenchpage.h"

#include <map>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace gpuledger::gcp {

// The right that the list of Workbench instances needs.
inline constexpr char kWorkbenchRight[] = "notebooks.instances.list";

// Who has Workbench instances. Value type.
struct KnownOwners {
    std::map<std::string, std::string> owners; // e-mail address by workbenchKey()
    std::vector<std::string> warnings; // sentences about what could not be read

    // Of a machine that is called zone/name; empty: not known.
    std::string of(const std::string &machine) const;
};

// Asks the Notebooks API who has the Vertex AI Workbench instances of a project. Nothing depends on its answer, so what
// can't be read is a warning. Blocking; one call at a time.
class WorkbenchOwners {
public:
    // `secrets` and `realClock` must outlive it. `address` has no slash at its end.
    WorkbenchOwners(const model::SourceSettings &settings, const std::string &project, const std::string &address,
                    ports::SecretStore &secrets, std::shared_ptr<http::HttpClient> client, const base::Clock &realClock,
                    const Tuning &tuning);

    // The owners in all locations, or those on the pages before a failure. A project or an address without the service
    // has none, and neither has a source without the right: a connection test says so. Fails with Cancelled only.
    [[nodiscard]] base::Result<KnownOwners> read(const std::stop_token &stop);
    // Whether the list can be read; nothing if there is no such service. Fails with Cancelled only.
    [[nodiscard]] base::Result<std::vector<ports::Finding>> probe(const std::stop_token &stop);

private:
    base::Result<nlohmann::json> ask(int most, const std::string &pageToken, const std::stop_token &stop);
    base::Result<void> readPages(WorkbenchPage &out, const std::stop_token &stop);

    std::string m_url;
    GoogleApi m_api;
};

// Of the settings of the kind `gcp`. Fails with InvalidConfig (no project, a wrong url, no token).
[[nodiscard]] base::Result<std::unique_ptr<WorkbenchOwners>>
makeWorkbenchOwners(const model::SourceSettings &settings, ports::SecretStore &secrets, const base::Clock &realClock,
                    std::shared_ptr<http::HttpClient> client, const Tuning &tuning = {});

} // namespace gpuledger::gcp
