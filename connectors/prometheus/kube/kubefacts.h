// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <tuple>

namespace gpuledger::prometheus {

// A pod's name, unique at any one time but reused over time.
struct PodName {
    std::string cluster, nameSpace, name;
    auto operator<=>(const PodName &) const = default;
};

// Whether a pod can hold a GPU, judged by the scheduler's records.
enum class PodVerdict {
    Unknown, // not in the scheduler's records
    Holder, // requests a GPU
    Other // exists but requests no GPU: never a holder, for example the exporter itself
};

// Answers from the scheduler's records about the names found on series. Implemented by KubeAssembler; one thread.
class KubeFacts {
public:
    virtual ~KubeFacts() = default;
    virtual PodVerdict verdict(const PodName &pod) const = 0;
    // Whether any GPU request is known in the cluster: only then does a pod without a request hold no GPU.
    virtual bool knowsRequests(const std::string &cluster) const = 0;
    virtual bool isNode(const std::string &cluster, const std::string &name) const = 0;
    // The node with this address, or "".
    virtual std::string nodeAt(const std::string &cluster, const std::string &address) const = 0;
    // The node of the pod (for an exporter that reports its own pod name as the host's), or "".
    virtual std::string nodeOfPod(const PodName &pod) const = 0;
};

} // namespace gpuledger::prometheus
