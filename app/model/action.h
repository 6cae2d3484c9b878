// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time.h"
#include "app/model/fleet.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

// What can be stopped, how, and what that costs (definitions.md, Actions; reliability.md, section 3). Values; any
// thread.
namespace gpuledger::model {

// Who holds GPUs, as telemetry names it: a pod of Kubernetes, a machine of a cloud.
struct HolderKey {
    std::string cluster, nameSpace, name;
    std::string uid; // of the pod; empty where telemetry does not tell it
    std::string node;
    std::string instanceId; // of the machine at its cloud (i-0123…), or what telemetry calls it; empty: unknown
    SubjectKind kind = SubjectKind::Pod;

    bool operator==(const HolderKey &) const = default;
};

// The object of a platform that is stopped. `uid` is never used again for another object; where a platform has names
// only, it is the identity that tells two objects of one name apart (ARN and time of creation).
struct TargetRef {
    std::string source; // the configured source that reaches it
    std::string cluster; // or account and region
    std::string apiVersion; // "apps/v1"; empty outside of Kubernetes
    std::string kind; // "Deployment", "Instance", "NotebookInstance"
    std::string nameSpace, name, uid;

    bool operator==(const TargetRef &) const = default;
};

// "ml/train-0", or the name alone where there is no namespace: what is typed in full before it is gone for good.
std::string fullNameOf(const TargetRef &target);

// How it is stopped; the gentlest that the kind has.
enum class StopVerb {
    None, // it can't be
    ScaleToZero,
    Suspend, // a field of its specification
    Annotate, // its controller reads an annotation
    Deactivate, // through the queue that admitted it
    Evict, // respecting disruption budgets
    Delete,
    StopInstance,
};

// What is gone after a stop.
enum class Loss {
    ProcessMemory, // what its processes hold in memory, kernels of notebooks
    ProgressSinceCheckpoint,
    LocalDisk, // emptyDir, instance store
    QueuePlace, // it goes back to the queue and may wait
    Endpoint, // nobody answers requests meanwhile
    Capacity, // a start may fail because the cloud has none
    Manifest, // the object itself; it can be made again from what was kept
};

// Somebody who may undo or disturb a stop, or a reason to think twice.
struct Caution {
    enum class Kind {
        Autoscaler, // HPA: sleeps while replicas are 0
        Keda, // scales back
        GitOps, // Argo CD, Flux, Helm or another field manager sets it back
        Queue, // Kueue sets it back
        DisruptionBudget, // somebody wants it to stay up
        FutureRuns, // a schedule starts it again
        Unguarded, // the platform has no precondition: it is looked at right before instead
        StaysBilled, // volumes, addresses
        Other,
    };
    Kind kind = Kind::Other;
    std::string text; // names and the platform's own words, plain text
};

// Why an object can't be stopped at all, whatever anybody confirms.
struct Obstacle {
    enum class Kind {
        AlreadyStopped, // not ours to undo
        Finished,
        NeverStopped, // DaemonSet, static pod
        UnknownKind, // no way to stop it is known
        LosesVolumes, // StatefulSet with whenScaled: Delete
        TooOld, // the operator lacks the field
        ManagedElsewhere,
        BrokenChain, // an owner is not the one that was meant, or can't be read
        StopProtection, // set at the platform
        Other,
    };
    Kind kind = Kind::Other;
    std::string text;
};

// Who stopped it, written at the object itself, so that anybody can undo it.
struct StopMark {
    std::string key; // of the action
    std::string actor, reason;
    base::UtcTime at{};
    std::string oldValue; // JSON
};

// A protect mark that was found at the platform: labels, annotations and tags of these names protect what they are
// at, whatever the configuration says.
struct ProtectMark {
    enum class Place { Label, Annotation, Tag };
    Place place = Place::Label;
    std::string object; // "Pod ml/train-0", "Namespace ml"; foreign text
};
bool isProtectedBy(const Labels &labels);

// An object as the platform tells it at one instant.
struct TargetState {
    TargetRef ref;
    std::string version; // changes with the object; compared for equality only
    base::UtcTime created{};
    base::UtcTime readAt{};
    StopVerb verb = StopVerb::None;
    std::string field; // what is changed: "spec.replicas", "spec.suspend", "state"
    std::string value; // what it is now, as JSON; "null": absent
    std::string stoppedValue; // what a stop sets
    bool isStopped = false; // the field has it
    bool isReversible = true; // false: something is gone for good, whatever is set back later
    // Who holds GPUs through it, each with its own UID; all must be idle before it is stopped. After a stop, those that
    // are not gone yet.
    std::vector<HolderKey> holders;
    Labels labels; // of the object and its pods' template
    Labels annotations;
    Labels nameSpaceLabels; // and annotations of the namespace
    std::optional<ProtectMark> protectedBy; // at the object, what is below it, or its namespace; read by the platform
    std::vector<Loss> losses;
    std::vector<Caution> cautions;
    std::optional<Obstacle> obstacle;
    // Other controllers that decide about it and may set a stop back, as they are named to stop it all the same:
    // "argo-cd:serving", "flux:apps", "hpa:scaler", "keda:scaler". Ascending, each once.
    std::vector<std::string> managers;
    std::optional<StopMark> mark;
    std::string manifest; // JSON; of what has no other undo. No secrets: those are references.
};

// Stable names for JSON and the database.
std::string_view toString(StopVerb verb);
std::string_view toString(Loss loss);
std::string_view toString(Caution::Kind kind);
std::string_view toString(Obstacle::Kind kind);
// Fails with nothing on a name that is none.
std::optional<StopVerb> stopVerbFrom(std::string_view name);
std::optional<Loss> lossFrom(std::string_view name);
std::optional<Caution::Kind> cautionFrom(std::string_view name);

} // namespace gpuledger::model
