// SPDX-License-Identifier: GPL-3.0-or-later
// The part of SourceService that evaluates users' expressions.
#include "app/base/remedy.h"
#include "app/insight/device/extraseries.h"
#include "app/services/engine/engine.h"
#include "app/services/sources/sourceservice.h"

namespace gpuledger::services {

using base::Result;

namespace {

// Among the sources that take expressions: the only source, the one that names this cluster, else the only one whose
// clusters are given by a label.
const model::SourceSettings *expressionSourceOf(const std::vector<model::SourceSettings> &sources,
                                                const ports::SourceKinds &kinds, const std::string &cluster)
{
    const auto takes = [&](const model::SourceSettings &s) {
        const ports::SourceKind *const kind = ports::findKind(kinds, s.kind);
        return s.mayRead && kind && kind->has(ports::Capability::Expressions);
    };
    const auto tellsNoTelemetry = [&](const model::SourceSettings &s) {
        const ports::SourceKind *const kind = ports::findKind(kinds, s.kind);
        return kind && !kind->tellsTelemetry();
    };
    std::vector<const model::SourceSettings *> telemetry;
    for (const model::SourceSettings &s : sources) {
        if (!tellsNoTelemetry(s))
            telemetry.push_back(&s);
    }
    if (telemetry.size() == 1)
        return takes(*telemetry.front()) ? telemetry.front() : nullptr;
    const model::SourceSettings *labelled = nullptr;
    int count = 0;
    for (const model::SourceSettings *one : telemetry) {
        const model::SourceSettings &s = *one;
        if (s.clusterLabel.empty() && (s.cluster.empty() ? s.name : s.cluster) == cluster)
            return takes(s) ? &s : nullptr;
        if (!s.clusterLabel.empty()) {
            labelled = &s;
            ++count;
        }
    }
    return count == 1 && takes(*labelled) ? labelled : nullptr;
}

} // namespace

std::string SourceService::expressionSource(const std::string &cluster) const
{
    const auto *source = expressionSourceOf(m_engine.setup().settings.sources, m_engine.catalog().kinds(), cluster);
    return source ? source->name : std::string();
}

Result<insight::ExtraSeries> SourceService::extraSeries(const insight::ExtraQuery &query, std::stop_token stop)
{
    const auto question = insight::seriesQuestion(query);
    GPULEDGER_TRY(question);
    const auto *settings =
        expressionSourceOf(m_engine.setup().settings.sources, m_engine.catalog().kinds(), query.cluster);
    if (!settings)
        return base::fail(base::ErrorCode::Unsupported, "no source evaluates expressions for this device",
                          base::Remedy::ConnectDevicePrometheus);
    auto source = m_engine.source(*settings);
    if (!source)
        return base::fail(std::move(source).error().withSource(settings->name));
    auto answer = (*source)->series(*question, std::move(stop));
    if (!answer)
        return base::fail(std::move(answer).error().withSource(settings->name));
    insight::ExtraSeries out;
    out.source = settings->name;
    out.step = question->step;
    out.answer = std::move(*answer);
    for (std::size_t i = 0; i < question->count(); ++i)
        out.times.push_back(question->first + static_cast<std::int64_t>(i) * question->step);
    return out;
}

} // namespace gpuledger::services
