// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"

#include <stop_token>

namespace gpuledger::insight {
struct Figure;
struct Proof;
} // namespace gpuledger::insight

namespace gpuledger::services {

class Engine;
class SavingsService;
class SourceService;

// Proves figures. `engine`, `sources` and `savings` must outlive it. Blocks and must be called from a worker thread;
// any thread.
class ProofService {
public:
    ProofService(Engine &engine, SourceService &sources, SavingsService &savings)
        : m_engine(engine)
        , m_sources(sources)
        , m_savings(savings)
    {
    }

    // The data behind a figure of any page or JSON answer, recomputed from the facts (app/insight/proof/proof.h). Fails
    // with Storage… codes, InvalidArgument (no such bin or zone), NotFound (no such row), StorageCorrupt (the stored
    // data of a closed month are not what was written), Overflow and Cancelled.
    [[nodiscard]] base::Result<insight::Proof> explain(const insight::Figure &figure, const std::stop_token &stop = {});

private:
    Engine &m_engine;
    SourceService &m_sources;
    SavingsService &m_savings;
};

} // namespace gpuledger::services
