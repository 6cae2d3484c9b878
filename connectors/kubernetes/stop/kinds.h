// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/action.h"
#include "connectors/kubernetes/api/discovery.h"

#include <optional>
#include <string>
#include <vector>

namespace gpuledger::kubernetes {

inline const Resource kPods{"", "v1", "Pod", "pods", true, {}};

// A Kubernetes object, its kind and what the server provides for it.
struct Subject {
    Resource resource;
    Json object;
};

// A field that a stop changes.
struct Field {
    std::string pointer; // RFC 6901
    std::optional<Json> value; // the current value; std::nullopt if absent
    Json stopped; // the value that a stop sets
    bool anyValueStops = false; // the field's presence is enough
};

// The way to stop an object, derived from the object itself.
struct StopPlan {
    model::StopVerb verb = model::StopVerb::None;
    std::vector<Field> fields; // empty for objects that are deleted
    std::vector<model::Loss> losses;
    std::optional<model::Obstacle> obstacle;
    bool isReversible = true;
    bool onlyScale = false; // its scale is changed through the subresource, because its own field is not known

    bool isStopped() const;
    std::string fieldName() const; // "spec.replicas"
    std::string value() const; // the old value as JSON; with several fields, an object keyed by pointer
    std::string stoppedValue() const;
};

// Looks the kind up in the table of known kinds. `now` is the time written into a stopped notebook. std::nullopt if the
// kind is not in the table.
std::optional<StopPlan> planOf(const Subject &subject, base::UtcTime now);
// The plan for a kind that serves /scale, derived from its Scale object.
StopPlan scalePlan(const Json &scale);
StopPlan podPlan(const Json &pod, bool evict);
// Set for a kind that is never stopped, whatever it serves: daemons, static pods, Knative revisions.
std::optional<model::Obstacle> neverStopped(const Subject &subject);

// The value at a pointer; std::nullopt if absent.
std::optional<Json> valueAt(const Json &object, const std::string &pointer);

} // namespace gpuledger::kubernetes
