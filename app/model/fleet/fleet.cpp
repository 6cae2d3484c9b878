// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/fleet/fleet.h"

#include <array>
#include <utility>

namespace gpuledger::model {

namespace {

constexpr std::array<std::pair<WorkloadKind, std::string_view>, 6> kKinds{{{WorkloadKind::Unknown, "unknown"},
                                                                           {WorkloadKind::Notebook, "notebook"},
                                                                           {WorkloadKind::Development, "development"},
                                                                           {WorkloadKind::Training, "training"},
                                                                           {WorkloadKind::Batch, "batch"},
                                                                           {WorkloadKind::Inference, "inference"}}};

} // namespace

std::string_view toString(SubjectKind kind)
{
    switch (kind) {
    case SubjectKind::Pod:
        return "pod";
    case SubjectKind::SlurmJob:
        return "slurm_job";
    case SubjectKind::Machine:
        return "machine";
    }
    return "pod";
}

std::string_view toString(WorkloadKind kind)
{
    for (const auto &[k, name] : kKinds) {
        if (k == kind)
            return name;
    }
    return "unknown";
}

std::optional<WorkloadKind> workloadKindFromString(std::string_view text)
{
    for (const auto &[k, name] : kKinds) {
        if (name == text)
            return k;
    }
    return std::nullopt;
}

} // namespace gpuledger::model
