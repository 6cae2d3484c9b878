// SPDX-License-Identifier: GPL-3.0-or-later
// A description of an exporter: the text of a mapping, and what a user writes into the configuration.
#include "connectors/prometheus/series/exportermapping.h"
#include "tests/fuzz/fuzz.h"

#include <cmath>

namespace gpuledger::fuzz {

void fuzz(std::string_view bytes)
{
    using namespace prometheus;
    Mappings alone;
    (void)addMapping(alone, "own", bytes);
    const auto all = loadMappings({{"own", std::string(bytes)}, {"dcgm", std::string(bytes)}});
    if (!all)
        return;
    std::set<std::string> names;
    for (const ExporterMapping &exporter : all->exporters) {
        for (const MetricMapping &metric : exporter.metrics) {
            check(!metric.name.empty() && std::isfinite(metric.factor) && metric.factor > 0,
                  "a metric has a name and a valid factor");
            names.insert(metric.name);
            names.insert("prefix_" + metric.name);
        }
    }
    for (const ExporterMapping &exporter : presentExporters(*all, names))
        check(exporter.describesGpus(), "a present exporter has metrics");
}

} // namespace gpuledger::fuzz
