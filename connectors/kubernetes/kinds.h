// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/action.h"
#include "connectors/kubernetes/discovery.h"

#include <optional>
#include <string>
#include <vector>

namespace gpuledger::kubernetes {

inline const Resource kPods{"", "v1", "Pod", "pods", true, {}};

// A kind of object in Kubernetes and what there is of it on a server.
struct Subject {
    Resource resource;
    Json object;
};

// A field that a stop changes.
struct Field {
    std::string pointer; // RFC 6901
    std::optional<Json> value; // as it is; nothing: absent
    Json stopped; // what a stop sets
    bool anyValueStops = false; // its presence is enough
};

// How an object is stopped, read from the object itself.
struct StopPlan {
    model::StopVerb verb = model::StopVerb::None;
    std::vector<Field> fields; // empty for what is deleted
    std::vector<model::Loss> losses;
    std::optional<model::Obstacle> obstacle;
    bool isReversible = true;
    bool onlyScale = false; // its scale is changed through the subresource, because its own field is not known

    bool isStopped() const;
    std::string fieldName() const; // "spec.replicas"
    std::string value() const; // JSON of the old value; an object by pointer where there are several fields
    std::string stoppedValue() const;
};

// The table of the kinds that we know (contract, section 4). `now` is what a stopped notebook carries. Nothing: this
// kind is not in the table.
std::optional<StopPlan> planOf(const Subject &subject, base::UtcTime now);
// A kind that serves /scale, told by its Scale object.
StopPlan scalePlan(const Json &scale);
StopPlan podPlan(const Json &pod, bool evict);
// A kind that is never stopped, whatever it serves: daemons, static pods, revisions of Knative.
std::optional<model::Obstacle> neverStopped(const Subject &subject);

// The value at a pointer; nothing where it is absent.
std::optional<Json> valueAt(const Json &object, const std::string &pointer);

} // namespace gpuledger::kubernetes
