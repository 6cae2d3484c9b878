// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/actions/plan/protection.h"

#include <algorithm>

namespace gpuledger::actions {

namespace {

Check failed(Why why, std::string subject)
{
    return {CheckName::NotProtected, Outcome::Failed, why, std::move(subject)};
}

bool hasAll(const model::Labels &wanted, const model::Labels &labels)
{
    return std::all_of(wanted.begin(), wanted.end(), [&](const auto &pair) {
        const auto it = labels.find(pair.first);
        return it != labels.end() && it->second == pair.second;
    });
}

const std::string &nameSpaceOf(const PlannedStop &planned)
{
    return planned.target.ref.nameSpace;
}

std::string labelText(const model::Labels &labels)
{
    std::string text;
    for (const auto &[key, value] : labels)
        text.append(text.empty() ? "" : ", ").append(key).append("=").append(value);
    return text;
}

bool holds(const model::Lease &lease)
{
    return lease.kind == model::Lease::Kind::KeepUntil || lease.kind == model::Lease::Kind::Protect;
}

Why whyOf(model::ProtectMark::Place place)
{
    using Place = model::ProtectMark::Place;
    return place == Place::Annotation ? Why::Annotation : place == Place::Tag ? Why::Tag : Why::Label;
}

// Labels, annotations and tags set on the platform.
std::optional<Check> markedThere(const model::TargetState &target, base::UtcTime now)
{
    if (target.protectedBy)
        return failed(whyOf(target.protectedBy->place), target.protectedBy->object);
    const std::string object = target.ref.kind + ' ' + model::fullNameOf(target.ref);
    if (model::isProtectedBy(target.labels))
        return failed(Why::Label, object);
    if (model::isProtectedBy(target.annotations))
        return failed(Why::Annotation, object);
    if (model::isProtectedBy(target.nameSpaceLabels))
        return failed(Why::Label, target.ref.nameSpace);
    if (const std::string kept = model::keptUntil(target.annotations, now); !kept.empty())
        return failed(Why::Annotation, object + " (" + kept + ')');
    if (const std::string kept = model::keptUntil(target.labels, now); !kept.empty())
        return failed(Why::Label, object + " (" + kept + ')');
    if (const std::string kept = model::keptUntil(target.nameSpaceLabels, now); !kept.empty())
        return failed(Why::Label, target.ref.nameSpace + " (" + kept + ')');
    return std::nullopt;
}

} // namespace

Check protection(const PlannedStop &planned, const std::vector<model::Lease> &leases, const model::Settings &settings,
                 base::UtcTime now)
{
    const model::TargetState &target = planned.target;
    if (auto marked = markedThere(target, now))
        return *marked;
    for (const model::ProtectRule &rule : settings.idle.protect) {
        const bool matches = (!rule.labels.empty() && hasAll(rule.labels, target.labels))
            || (!rule.nameSpace.empty() && rule.nameSpace == nameSpaceOf(planned));
        if (matches)
            return failed(Why::Rule, rule.labels.empty() ? rule.nameSpace : labelText(rule.labels));
    }
    for (const insight::IdleItem &item : planned.items) {
        if (!item.protection.empty())
            return failed(Why::Rule, item.protection);
        for (const model::Lease &lease : leases) {
            if (lease.holder == item.id && holds(lease))
                return failed(Why::Lease, lease.actor + (lease.until ? ", " + base::toRfc3339(*lease.until) : ""));
        }
    }
    return {CheckName::NotProtected, Outcome::Passed, Why::None, {}};
}

} // namespace gpuledger::actions
