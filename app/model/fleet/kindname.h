// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/fleet/fleet.h"

#include <string>
#include <string_view>
#include <utility>

namespace gpuledger::model {

// The prefix of a holder's name, like a Kubernetes kind: "Pod", "SlurmJob", "Machine".
constexpr std::string_view kindName(SubjectKind kind)
{
    switch (kind) {
    case SubjectKind::SlurmJob:
        return "SlurmJob";
    case SubjectKind::Machine:
        return "Machine";
    case SubjectKind::Pod:
        break;
    }
    return "Pod";
}

// The display name where no kind is shown beside it: a pod's own name, and "SlurmJob/17" or "Machine/i-0123" for other
// holders. Pod names contain no slash, so the forms cannot be confused.
inline std::string shownName(SubjectKind kind, std::string_view name)
{
    if (kind == SubjectKind::Pod)
        return std::string(name);
    return std::string(kindName(kind)).append("/").append(name);
}

// The name of a workload in the ledger and in lists, besides its namespace: its controller's name, else its own display
// name.
inline std::string workloadOf(SubjectKind kind, std::string_view ownerName, std::string_view name)
{
    return ownerName.empty() ? shownName(kind, name) : std::string(ownerName);
}

// Splits a display name into kind and name.
inline std::pair<SubjectKind, std::string_view> fromShownName(std::string_view shown)
{
    for (const SubjectKind kind : {SubjectKind::SlurmJob, SubjectKind::Machine}) {
        const std::string_view word = kindName(kind);
        if (shown.starts_with(word) && shown.substr(word.size()).starts_with('/'))
            return {kind, shown.substr(word.size() + 1)};
    }
    return {SubjectKind::Pod, shown};
}

} // namespace gpuledger::model
