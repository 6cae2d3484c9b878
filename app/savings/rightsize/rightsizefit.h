// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/money/money.h"
#include "app/base/result.h"

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

// Whether a GPU, a machine or a slice holds what a workload used (definitions.md, Savings: Right-size). Pure; any
// thread. What is not known of a GPU never holds anything.
namespace gpuledger::savings {

// A GPU model as the catalogue knows it.
struct RightSizeGpu {
    std::string model, vendor; // "A100 40GB", "nvidia"
    std::int64_t memoryMib = 0;
    std::optional<double> fp16Tflops, fp8Tflops; // dense
    std::optional<double> bandwidthGbs; // of its memory
    std::optional<double> nvlinkGbs; // 0: it has none
    std::string capability; // "8.0"; of other vendors than nvidia the name of the architecture
    std::optional<int> slices; // MIG compute slices
    std::vector<std::string> profiles; // MIG
};

// Whose price a machine has: that of its own region, that of another one, or it is unknown in which region it would be.
enum class PriceRegion : std::uint8_t { Own, Other, Unknown };

// A machine with a known price.
struct RightSizeOffer {
    std::string instanceType;
    RightSizeGpu gpu;
    int gpus = 1;
    base::Rate perHour; // the machine
    std::string source; // of the price, as the price book words it
    std::int64_t vcpus = 0, memory = 0; // thousandths; 0: unknown
    PriceRegion region = PriceRegion::Own;
};

// The work that decides how strict a choice is.
enum class WorkTier : std::uint8_t { Development, Batch, Production };
const char *toString(WorkTier tier);
// Of the GPU time in use, for which a proposal may have been too small if nothing else is assumed: 5 % in development
// and batch, 1 % in production.
int mostTooSmallPermille(WorkTier tier);

// GPU time by what one GPU did in it: memory in units of 64 MiB and activity in percent, both rounded up.
inline constexpr std::int64_t kRightSizeMemoryUnit = 64; // MiB
struct RightSizeLoad {
    std::int32_t memory = 0;
    std::int32_t activity = 0;
    auto operator<=>(const RightSizeLoad &) const = default;
};
// In ascending order. A workload has few of them, and a large fleet many workloads: they lie in one block.
class RightSizeLoads {
public:
    using Entry = std::pair<RightSizeLoad, std::int64_t>; // with ticks of base::GpuTime
    RightSizeLoads() = default;
    RightSizeLoads(std::initializer_list<Entry> entries);

    std::int64_t &operator[](const RightSizeLoad &load); // 0 at first; valid until the next new load
    std::vector<Entry>::const_iterator begin() const { return m_entries.begin(); }
    std::vector<Entry>::const_iterator end() const { return m_entries.end(); }
    std::size_t size() const { return m_entries.size(); }
    bool empty() const { return m_entries.empty(); }
    void clear() { m_entries = std::vector<Entry>(); } // also its memory

private:
    std::vector<Entry> m_entries;
};

// What a GPU must have beyond what was used, in percent of that.
struct RightSizeHeadroom {
    int memory = 20, activity = 20;
};

// What loads say of one GPU, whatever is assumed.
struct RightSizePeak {
    std::int64_t p99Memory = 0; // MiB
    int p95Activity = 0; // percent
};
RightSizePeak rightSizePeak(const RightSizeLoads &loads);

// What one GPU must have.
struct RightSizeNeed {
    std::int64_t p99Memory = 0; // MiB
    int p95Activity = 0; // percent
    std::int64_t memory = 0; // MiB: p99 and its headroom, rounded up
    // p95 and its headroom, of the present GPU's dense FP16 throughput; null: that is unknown.
    std::optional<double> tflops;
    // Inference only: of its bandwidth. Memory is only read while something runs, so this is an upper bound.
    std::optional<double> bandwidth;
    bool inference = false; // then a null bandwidth is unknown
    bool linked = false; // one job uses several GPUs
    int activityHeadroom = 20; // percent, for slices
};
RightSizeNeed rightSizeNeed(const RightSizePeak &peak, const RightSizeGpu &present, bool inference, bool linked,
                            RightSizeHeadroom headroom = {});
RightSizeNeed rightSizeNeed(const RightSizeLoads &loads, const RightSizeGpu &present, bool inference, bool linked,
                            RightSizeHeadroom headroom = {});

// True if nothing of the present GPU's generation is missing: for nvidia at least its compute capability (12 does not
// replace 9 and 10), FP8 and, for linked GPUs, NVLink of at least its speed; for others the same architecture. What a
// workload uses of these is not reported, so it is taken to use all. Double precision is not compared.
bool hasFeatures(const RightSizeGpu &gpu, const RightSizeGpu &present, bool linked);
// True if double precision (FP64) is a small part of what it is on the present GPU: 1/32 or 1/64 of the FP32 throughput
// on compute capability 8.6, 8.9 and 12, but 1/2 on 8.0 and 9.0 (CUDA C++ Programming Guide, Throughput of Native
// Arithmetic Instructions).
bool hasSlowDoubles(const RightSizeGpu &gpu, const RightSizeGpu &present);
// True if machines with this model have Arm hosts, on which programs for x86 do not run.
bool isArm(const std::string &model);

// True if whatever runs on the present machine runs on this one, no slower, as far as the catalogues say: at least as
// many GPUs, each with the features, memory, throughput and bandwidth of the present ones, a host of the same
// architecture with as many vCPUs and as much memory. What is not known of either machine makes it false, but a host
// size that neither states. Prices are not compared.
bool replacesMachine(const RightSizeOffer &machine, const RightSizeOffer &present);

// A driver reports less than the nominal memory of the catalogue: ECC, page tables and the driver keep a part.
// Assumed, because the catalogue has no usable figure: "usable-memory".
inline constexpr int kUsableMemoryPercent = 93;
std::int64_t usableMib(const RightSizeGpu &gpu);

// One GPU for one GPU, with the usable part of its memory. The present model always fits itself.
bool holdsNeed(const RightSizeGpu &gpu, const RightSizeGpu &present, const RightSizeNeed &need);
// The time in which a GPU of this model would have had too little memory, throughput or, for inference, bandwidth.
std::int64_t tooSmallTicks(const RightSizeGpu &gpu, const RightSizeGpu &present, const RightSizeLoads &loads,
                           bool inference);

// The cheapest machine with at least `used` GPUs that hold the need, with another model or fewer GPUs than `present`
// has (`presentGpus`), a host of the same architecture, and which would have been too small in at most `mostTooSmall`
// permille of the past. Equal prices: fewer GPUs, then the first. Null: none.
const RightSizeOffer *cheapestFit(std::span<const RightSizeOffer> offers, const RightSizeGpu &present, int presentGpus,
                                  int used, const RightSizeNeed &need, const RightSizeLoads &loads, int mostTooSmall);

// A MIG profile as a part of its card: "2g.20gb" of an A100 80GB has 2 of 7 compute slices and 2 of 8 memory slices.
struct MigPart {
    std::string profile;
    int compute = 0, memory = 0;
};
// The smallest profile of the present card that holds the need; null: not a MIG card, or no part of it is enough.
std::optional<MigPart> smallestSlice(const RightSizeGpu &present, const RightSizeNeed &need);
// Cards of the model on which the slices fit, largest first onto the first card with room. A layout is one that the
// card supports if its compute slices and its memory slices (8 of a card with 7 compute slices, else as many) suffice.
// One text for each card: "3g.40gb, 2g.20gb".
std::vector<std::string> packedSlices(const RightSizeGpu &card, std::vector<MigPart> slices);

} // namespace gpuledger::savings
