// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/base/time/time.h"
#include "app/insight/idle/servedrequests.h"
#include "app/model/fleet/signals.h"
#include "app/store/facts/attributionreader.h"
#include "app/store/values/idlekept.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

// Tells what the hosts, buses and inference servers of idle workloads did meanwhile: whether work waits for input.
namespace gpuledger::insight {

struct IdleSignal;

// A mean at or above one of these says that work waits for input (policy choices). An idle process moves less than
// 1 MB/s over PCIe or NVLink; a loader that keeps a GPU waiting moves tens of MB/s.
inline constexpr double kBusyBytes = 10e6; // per second and device
inline constexpr double kBusyCopies = 0.05;
inline constexpr double kBusyHost = 0.8; // of all its CPUs
inline constexpr double kMuchIoWait = 0.1; // of all its CPUs
inline constexpr double kMuchStorageWait = 0.2; // of the time

// Means since the last activity, a day at most; std::nullopt: not reported by each of its devices or hosts.
struct InputSignals {
    std::optional<double> pcieBytes, nvlinkBytes; // per second, of the device with most
    std::optional<double> copies; // share, of the device with most
    // Shares, of the host with most. Known only if no other holder of GPUs is on the same host: whose work it was is
    // not told otherwise.
    std::optional<double> hostCpu, ioWait, storageWait;
    // Served within kRequestWindow, at least; 0 only if all of the window is known.
    std::optional<double> requests;

    // The host, its storage or the bus is busy, and nothing says that no work waits.
    bool showsWaiting() const;
    // An inference server that served requests in the last 24 h is not idle (definitions.md, Idle).
    bool showsService(model::WorkloadKind kind) const;
};

// Adds the evidence for and against idle, strongest reason to wait for input first.
void addSignals(std::vector<IdleSignal> &signals, const InputSignals &input, base::Seconds grace);
// The first of the signals that says what work waits for; null if none does.
const IdleSignal *waitingSignal(const std::vector<IdleSignal> &signals);

// Reads the signals of candidates of one idle list. One thread; the facts must outlive it. Fails with Storage… codes.
class SignalReader {
public:
    [[nodiscard]] static base::Result<SignalReader> create(store::AttributionReader &facts, base::UtcTime at);
    [[nodiscard]] base::Result<InputSignals> of(const store::IdleCandidate &candidate);

private:
    explicit SignalReader(base::UtcTime at)
        : m_at(at)
    {
    }
    base::Result<std::optional<double>> mean(model::HourSignal signal, std::int64_t of, base::UtcTime since);
    // The highest of several means; std::nullopt if one is unknown.
    base::Result<std::optional<double>> most(model::HourSignal signal, const std::set<std::int64_t> &of,
                                             base::UtcTime since);
    base::Result<std::set<std::int64_t>> ownHosts(const store::IdleCandidate &candidate);

    base::UtcTime m_at;
    store::FactReader *m_facts = nullptr; // null: no signal is known
    std::map<std::pair<std::string, std::string>, std::int64_t> m_nodes; // by cluster and name
    ServedRequests m_requests;
    std::optional<std::map<std::int64_t, std::set<std::int64_t>>> m_holdersOn; // named holders, by node
};

} // namespace gpuledger::insight
