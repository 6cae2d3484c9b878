// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/fleet.h"

#include <string>
#include <string_view>
#include <utility>

namespace gpuledger::model {

// What stands before the name of a holder, as kinds of Kubernetes do: "Pod", "SlurmJob", "Machine".
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

// The name that people read where no kind stands beside it: a pod's own, and "SlurmJob/17" or "Machine/i-0123" of what
// is no pod. Names of pods have no slash, so that none can be taken for the other.
inline std::string shownName(SubjectKind kind, std::string_view name)
{
    if (kind == SubjectKind::Pod)
        return std::string(name);
    return std::string(kindName(kind)).append("/").append(name);
}

// What the ledger and lists call a workload beside its namespace: its controller's name, else its own as it is shown.
inline std::string workloadOf(SubjectKind kind, std::string_view ownerName, std::string_view name)
{
    return ownerName.empty() ? shownName(kind, name) : std::string(ownerName);
}

// Who a shown name is of.
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
