// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/money/ledgerline.h"

namespace gpuledger::model {

std::string_view toString(SplitPolicy value)
{
    switch (value) {
    case SplitPolicy::GpuFirst:
        return "gpu-first";
    case SplitPolicy::Aws:
        return "aws"; // allowed: a policy
    case SplitPolicy::OpenCost:
        return "opencost"; // allowed: a policy
    case SplitPolicy::Fixed:
        return "fixed";
    }
    return {};
}

std::optional<SplitPolicy> splitPolicyFromString(std::string_view text)
{
    for (const auto policy : {SplitPolicy::GpuFirst, SplitPolicy::Aws, SplitPolicy::OpenCost, SplitPolicy::Fixed}) {
        if (toString(policy) == text)
            return policy;
    }
    return std::nullopt;
}

std::string_view toString(MachinePart value)
{
    switch (value) {
    case MachinePart::None:
        return "";
    case MachinePart::Gpu:
        return "gpu";
    case MachinePart::Cpu:
        return "cpu";
    case MachinePart::Memory:
        return "memory";
    case MachinePart::Unsplit:
        return "unsplit";
    }
    return {};
}

std::string_view toString(LedgerCategory value)
{
    switch (value) {
    case LedgerCategory::Gpu:
        return "gpu";
    case LedgerCategory::Compute:
        return "compute";
    case LedgerCategory::Storage:
        return "storage";
    case LedgerCategory::Network:
        return "network";
    case LedgerCategory::Database:
        return "database";
    case LedgerCategory::Ai:
        return "ai";
    case LedgerCategory::Other:
        return "other";
    case LedgerCategory::Commitment:
        return "unused-commitment";
    case LedgerCategory::Purchase:
        return "purchase";
    case LedgerCategory::Support:
        return "support";
    case LedgerCategory::Tax:
        return "tax";
    case LedgerCategory::Credit:
        return "credit";
    case LedgerCategory::Refund:
        return "refund";
    case LedgerCategory::Adjustment:
        return "adjustment";
    case LedgerCategory::NotBilled:
        return "not-billed";
    case LedgerCategory::Unexplained:
        return "unexplained";
    }
    return "unexplained";
}

std::string_view toString(LedgerOrigin value)
{
    switch (value) {
    case LedgerOrigin::Billed:
        return "billed";
    case LedgerOrigin::Allocated:
        return "allocated";
    case LedgerOrigin::Priced:
        return "priced";
    }
    return "billed";
}

std::string_view toString(LedgerMatch value)
{
    switch (value) {
    case LedgerMatch::ResourceId:
        return "resource-id";
    case LedgerMatch::InstanceId:
        return "instance-id";
    case LedgerMatch::ProviderId:
        return "provider-id";
    case LedgerMatch::Attributes:
        return "attributes";
    case LedgerMatch::None:
        return "none";
    }
    return "none";
}

} // namespace gpuledger::model
