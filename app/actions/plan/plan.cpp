// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/actions/plan/plan.h"

#include "app/actions/environment/actionenvironment.h"
#include "app/base/crypto/sha256.h"

#include <algorithm>

namespace gpuledger::actions {

std::string hashOf(const std::vector<PlannedStop> &stops)
{
    base::Sha256 hash;
    const auto add = [&](const std::string &text) { hash.add(std::to_string(text.size()) + ':' + text + ','); };
    for (const PlannedStop &stop : stops) {
        if (!stop.isStoppable())
            continue;
        const model::TargetState &target = stop.target;
        for (const std::string *text :
             {&target.ref.source, &target.ref.cluster, &target.ref.apiVersion, &target.ref.kind, &target.ref.nameSpace,
              &target.ref.name, &target.ref.uid, &target.version, &target.field, &target.value, &target.stoppedValue})
            add(*text);
        add(std::string(toString(target.verb)));
        add(target.isReversible ? "" : "irreversible");
        for (const std::string &manager : target.managers)
            add(manager);
        add("");
        for (const insight::IdleItem &item : stop.items)
            add(item.id);
        add("");
    }
    return hash.hex();
}

Plan withOnly(const Plan &plan, const std::vector<std::string> &uids)
{
    Plan out = plan;
    out.stops.erase(std::remove_if(out.stops.begin(), out.stops.end(),
                                   [&](const PlannedStop &stop) {
                                       return std::find(uids.begin(), uids.end(), stop.target.ref.uid) == uids.end();
                                   }),
                    out.stops.end());
    out.blast = blastOf(out.stops, out.held, out.limits);
    return out;
}

model::HolderKey keyOf(const insight::IdleItem &item)
{
    model::HolderKey key{item.cluster, item.nameSpace, item.name, {}, item.node, {}, {}};
    // The id is cluster/namespace/name/uid.
    const std::size_t before = item.cluster.size() + item.nameSpace.size() + item.name.size() + 3;
    if (item.id.size() > before)
        key.uid = item.id.substr(before);
    key.kind = item.kind;
    if (item.kind == model::SubjectKind::Machine)
        key.instanceId = item.name;
    return key;
}

std::string idOf(const model::HolderKey &holder)
{
    return holder.cluster + '/' + holder.nameSpace + '/' + holder.name + (holder.uid.empty() ? "" : '/' + holder.uid);
}

} // namespace gpuledger::actions
