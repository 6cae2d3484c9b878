// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>

// A page of the Notebooks API's list of Vertex AI Workbench instances (v2 projects.locations.instances.list). No calls.
namespace gpuledger::gcp {

// What a page says, or several pages together. Value type.
struct WorkbenchPage {
    std::map<std::string, std::string>
        owners; // e-mail address by workbenchKey(); instances without an owner are absent
    std::uint64_t unreadable = 0; // instances whose name or owner can't be read
    std::set<std::string> silent; // locations that did not answer; printable
    std::optional<std::string> next; // token of the next page; empty: it is the last one; nullopt: can't be read
};

// What an instance is known by: the zone and the name of its machine, "us-central1-a/name", in lower case.
std::string workbenchKey(std::string machine);
// Adds a page to those before; of an instance that is listed twice, the first one counts. Fails with Parse if the page
// has no list of instances, and leaves `out` as it is.
[[nodiscard]] base::Result<void> addWorkbenchPage(const nlohmann::json &page, WorkbenchPage &out);

} // namespace gpuledger::gcp
