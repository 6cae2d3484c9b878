// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/fleet/fleet.h"
#include "connectors/format/seriesreader.h"
#include "connectors/prometheus/series/exportermapping.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gpuledger::prometheus {

// A possible holder named by the labels; candidates are ordered best first. The first that is not an exporter is the
// holder.
struct SubjectCandidate {
    model::SubjectKind kind = model::SubjectKind::Pod;
    std::string nameSpace;
    std::string name;
    bool exported = false; // from exported_*: never the exporter's own target
};

// The identity of one series from its labels, whichever exporter and release wrote them.
struct SeriesIdentity {
    std::string cluster;
    std::string uuid; // with its prefix
    std::string uuidLabel, uuidText; // as the server writes it, to query this series again
    std::string gpuInstance;
    std::string profile;
    std::string modelName;
    int index = -1;
    std::vector<std::string> nodes; // best first
    std::string address; // host of `instance`
    std::vector<SubjectCandidate> subjects;
    std::string podUid;
    std::string container;
    // Other labels that describe a machine, such as its cloud tags; empty if something else may hold the device.
    model::Labels machineLabels;
    bool claim = false; // held through a DRA claim, which does not request a countable resource
    std::string job, instance; // of the scrape
    std::string replica; // of an HA pair
};

// The naming of clusters in a source: one fixed name, or a label of the series.
struct ClusterNaming {
    std::string fixed;
    std::string label;
    std::string otherwise;

    std::string of(std::span<const format::Label> labels) const;
};

std::string_view labelValue(std::span<const format::Label> labels, std::string_view name);
std::string_view firstLabel(std::span<const format::Label> labels, std::span<const std::string> names);
// The label that a scrape renamed to keep it apart from its target's own, otherwise the plain one.
std::string_view exportedOr(std::span<const format::Label> labels, std::string_view exported, std::string_view plain);
// Names and values in one string: the identity of a series within an exporter.
std::string seriesKey(std::span<const format::Label> labels);
// The host in "10.0.0.1:9400" or "[::1]:9400".
std::string hostOfInstance(std::string_view instance);

// std::nullopt if the series cannot belong to a device; `reason` is empty if that need not be reported.
std::optional<SeriesIdentity> identify(const ExporterMapping &exporter, const ClusterNaming &clusters,
                                       std::span<const format::Label> labels, std::string_view &reason);
// "1g.10gb" on an A100 is 1/7, on an A30 1/4.
model::Fraction migFraction(std::string_view profile, std::string_view modelName);

} // namespace gpuledger::prometheus
