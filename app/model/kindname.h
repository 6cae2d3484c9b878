// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/fleet.h"

#include <string_view>

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

} // namespace gpuledger::model
