// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gpuledger::format {

// A label of a series; the views are valid during the visitor's call only.
struct Label {
    std::string_view name;
    std::string_view value;
};

// One value of a series.
struct Sample {
    double time = 0; // Unix seconds
    double value = 0; // NaN if the text is not a number
};

// Receives the series of one answer. Views are valid during the call only.
class SeriesVisitor {
public:
    virtual ~SeriesVisitor() = default;
    // A new answer begins; also called when a failed answer is requested again: discard what the first attempt
    // delivered.
    virtual void begin() { }
    // Labels sorted by name, without __name__; samples in the order of the answer. Empty for a series without float
    // samples (native histograms).
    virtual void series(std::span<const Label> labels, std::span<const Sample> samples) = 0;
    // A series that cannot be identified: broken text or above the size limit.
    virtual void refused(std::string_view reason) = 0;
    // The answer was complete.
    virtual void end() { }
};

// The parts of an answer besides its series.
struct Envelope {
    std::vector<std::string> warnings; // the result may be incomplete
    std::uint64_t series = 0;
    std::uint64_t samples = 0;
};

inline constexpr std::size_t kMaxLabelBytes = 64u << 10; // of one series

// Reads `matrix` and `vector` answers of the Prometheus HTTP API with a reused simdjson parser and without building a
// tree. One object per thread.
class SeriesReader {
public:
    SeriesReader();
    ~SeriesReader();
    SeriesReader(const SeriesReader &) = delete;
    SeriesReader &operator=(const SeriesReader &) = delete;

    // May modify `body`. Fails with Parse (truncated, not JSON, types other than the contract's, success without a
    // result) or Server (an error envelope); the visitor has then seen a part of the answer, but no end().
    [[nodiscard]] base::Result<Envelope> read(std::string &body, SeriesVisitor &visitor);

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace gpuledger::format
