// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/base/time.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

// Addresses of other programs with placeholders, such as "https://grafana.example.org/d/gpu?var-node={node}". Pure
// functions; any thread.
namespace gpuledger::services {

// What a link is made for. A value that does not exist stays empty.
struct LinkValues {
    std::string cluster, node, device, team, nameSpace, workload;
    base::TimeRange range;
};

// The words that may stand in braces.
const std::vector<std::string> &linkPlaceholders();

// What is wrong with a template. `placeholder` is the unknown word, where that is what is wrong.
struct LinkProblem {
    std::string text;
    std::string placeholder;
};
std::vector<LinkProblem> problemsOfLink(std::string_view link);

// The address for a thing: values percent-encoded, times in milliseconds since the epoch. Only for a template without
// problems.
std::string linkFor(std::string_view link, const LinkValues &values);

} // namespace gpuledger::services
