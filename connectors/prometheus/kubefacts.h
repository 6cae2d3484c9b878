// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <tuple>

namespace gpuledger::prometheus {

struct PodName {
    std::string cluster, nameSpace, name;
    auto operator<=>(const PodName &) const = default;
};

enum class PodVerdict {
    Unknown, // no scheduler record speaks of it
    Holder, // requests a GPU
    Other // exists and requests none: never a holder, such as the exporter itself
};

// What the scheduler's records say about names found on series. Implemented by KubeAssembler; one thread.
class KubeFacts {
public:
    virtual ~KubeFacts() = default;
    virtual PodVerdict verdict(const PodName &pod) const = 0;
    // Whether any request for a GPU is known in the cluster: only then does a pod without one hold none.
    virtual bool knowsRequests(const std::string &cluster) const = 0;
    virtual bool isNode(const std::string &cluster, const std::string &name) const = 0;
    // The node with this address, or "".
    virtual std::string nodeAt(const std::string &cluster, const std::string &address) const = 0;
    // The node of the pod (an exporter that gives its own name as the host's), or "".
    virtual std::string nodeOfPod(const PodName &pod) const = 0;
};

} // namespace gpuledger::prometheus
