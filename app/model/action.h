// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/time.h"
#include "app/model/fleet/fleet.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

// What can be stopped, how, and what is lost (definitions.md, Actions; reliability.md, section 3). Values; any thread.
namespace gpuledger::model {

// Identifies a holder of GPUs as telemetry names it: a Kubernetes pod, a cloud machine.
struct HolderKey {
    std::string cluster, nameSpace, name;
    std::string uid; // of the pod; empty if telemetry does not report it
    std::string node;
    std::string instanceId; // of the machine in its cloud (i-0123…), or its name in telemetry; empty: unknown
    SubjectKind kind = SubjectKind::Pod;

    bool operator==(const HolderKey &) const = default;
};

// The platform object that is stopped. `uid` is never reused for another object; if a platform only has names, it is
// whatever distinguishes two objects of the same name (ARN and creation time).
struct TargetRef {
    std::string source; // the configured source that reaches it
    std::string cluster; // or account and region
    std::string apiVersion; // "apps/v1"; empty outside Kubernetes
    std::string kind; // "Deployment", "Instance", "NotebookInstance"
    std::string nameSpace, name, uid;

    bool operator==(const TargetRef &) const = default;
};

// "ml/train-0", or only the name if there is no namespace: what the user types in full before it is irreversibly
// stopped.
std::string fullNameOf(const TargetRef &target);

// How it is stopped; the gentlest way that the kind supports.
enum class StopVerb {
    None, // it cannot be stopped
    ScaleToZero,
    Suspend, // by a field of its specification
    Annotate, // its controller reads an annotation
    Deactivate, // through the queue that admitted it
    Evict, // respecting disruption budgets
    Delete,
    StopInstance,
};

// What is lost by a stop.
enum class Loss {
    ProcessMemory, // what its processes hold in memory, such as notebook kernels
    ProgressSinceCheckpoint,
    LocalDisk, // emptyDir, instance store
    QueuePlace, // it returns to the queue and may wait
    Endpoint, // requests are not answered in the meantime
    Capacity, // a start may fail because the cloud has no capacity
    Manifest, // the object itself; it can be recreated from the stored manifest
};

// Someone or something that may undo or disturb a stop, or another reason for caution.
struct Caution {
    enum class Kind {
        Autoscaler, // HPA: inactive while replicas are 0
        Keda, // scales it back up
        GitOps, // Argo CD, Flux, Helm or another field manager reverts it
        Queue, // Kueue reverts it
        DisruptionBudget, // the owner wants it to stay available
        FutureRuns, // a schedule starts it again
        Unguarded, // the platform has no preconditions: the object is read right before instead
        StaysBilled, // volumes, addresses
        Other,
    };
    Kind kind = Kind::Other;
    std::string text; // names and the platform's own words, plain text
};

// Why an object cannot be stopped at all, whatever the user confirms.
struct Obstacle {
    enum class Kind {
        AlreadyStopped, // not ours to undo
        Finished,
        NeverStopped, // DaemonSet, static pod
        UnknownKind, // no known way to stop it
        LosesVolumes, // StatefulSet with whenScaled: Delete
        TooOld, // the operator lacks the field
        ManagedElsewhere,
        BrokenChain, // an owner differs from the expected one, or cannot be read
        StopProtection, // set on the platform
        Other,
    };
    Kind kind = Kind::Other;
    std::string text;
};

// Who stopped it, written on the object itself, so that anyone can undo it.
struct StopMark {
    std::string key; // of the action
    std::string actor, reason;
    base::UtcTime at{};
    std::string oldValue; // JSON
};

// A protect mark found on the platform: labels, annotations and tags with these names protect the object that carries
// them, whatever the configuration says.
struct ProtectMark {
    enum class Place { Label, Annotation, Tag };
    Place place = Place::Label;
    std::string object; // "Pod ml/train-0", "Namespace ml"; external text
};
bool isProtectedBy(const Labels &labels);

// What an owner reads at the object about a stop that is planned, in annotations with these names.
inline constexpr char kStopAtNote[] = "gpu-ledger.io/stop-at"; // RFC 3339
inline constexpr char kStopReasonNote[] = "gpu-ledger.io/stop-reason";
struct StopNotice {
    base::UtcTime at{};
    std::string reason; // and who asked for it
};

// A label, annotation or tag with which an owner objects to a stop until a time (RFC 3339, or a day).
inline constexpr char kKeepUntil[] = "gpu-ledger.io/keep-until";
// "gpu-ledger.io/keep-until: 2026-12-01" if the time is later than `now` or can't be read; otherwise empty.
std::string keptUntil(const Labels &labels, base::UtcTime now);

// An object as the platform reports it at one instant.
struct TargetState {
    TargetRef ref;
    std::string version; // changes with the object; compared for equality only
    base::UtcTime created{};
    base::UtcTime readAt{};
    StopVerb verb = StopVerb::None;
    std::string field; // what is changed: "spec.replicas", "spec.suspend", "state"
    std::string value; // its current value, as JSON; "null": absent
    std::string stoppedValue; // the value that a stop sets
    bool isStopped = false; // the field has that value
    bool isChanging = false; // a machine that was told to stop or start and has not yet, which may take minutes
    bool isReversible = true; // false: something is lost permanently, whatever is set back later
    // The holders of GPUs through it, each with its own UID; all must be idle before it is stopped. After a stop, those
    // that have not ended yet.
    std::vector<HolderKey> holders;
    Labels labels; // of the object and its pod template
    Labels annotations;
    Labels nameSpaceLabels; // labels and annotations of the namespace
    std::optional<ProtectMark> protectedBy; // on the object, its children, or its namespace; read from the platform
    std::vector<Loss> losses;
    std::vector<Caution> cautions;
    std::optional<Obstacle> obstacle;
    // Other controllers that manage it and may revert a stop, by the names used to override them: "argo-cd:serving",
    // "flux:apps", "hpa:scaler", "keda:scaler". Ascending, without duplicates.
    std::vector<std::string> managers;
    std::optional<StopMark> mark;
    std::string manifest; // JSON; for objects that cannot be undone otherwise. Contains no secrets: those are
                          // references.
};

// Stable names for JSON and the database.
std::string_view toString(StopVerb verb);
std::string_view toString(Loss loss);
std::string_view toString(Caution::Kind kind);
std::string_view toString(Obstacle::Kind kind);
// Each returns std::nullopt for an unknown name.
std::optional<StopVerb> stopVerbFrom(std::string_view name);
std::optional<Loss> lossFrom(std::string_view name);
std::optional<Caution::Kind> cautionFrom(std::string_view name);

} // namespace gpuledger::model
