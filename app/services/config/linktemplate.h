// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/base/time/time.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

// Links to other programs with placeholders, such as "https://grafana.example.org/d/gpu?var-node={node}". Pure
// functions; any thread.
namespace gpuledger::services {

// The values for the placeholders. A missing value stays empty.
struct LinkValues {
    std::string cluster, node, device, team, nameSpace, workload;
    base::TimeRange range;
};

// The names that are allowed in braces.
const std::vector<std::string> &linkPlaceholders();

// An error in a template. `placeholder` is the unknown name, if that is the error.
struct LinkProblem {
    std::string text;
    std::string placeholder;
};
std::vector<LinkProblem> problemsOfLink(std::string_view link);

// The link with its placeholders filled in: values percent-encoded, times in milliseconds since the epoch. The template
// must have no problems.
std::string linkFor(std::string_view link, const LinkValues &values);

} // namespace gpuledger::services
