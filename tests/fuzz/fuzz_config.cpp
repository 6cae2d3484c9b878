// SPDX-License-Identifier: GPL-3.0-or-later
// The configuration, and changes to it that must leave the rest alone.
#include "app/model/settingsequal.h"
#include "app/services/config/config.h"
#include "app/services/config/configedit.h"
#include "app/services/config/linktemplate.h"
#include "tests/fuzz/fuzz.h"

#include <algorithm>

namespace gpuledger::fuzz {

namespace {

using services::NewSource;
using Type = ports::SourceField::Type;

const std::filesystem::path kFile = "/config/config.yaml";
// A kind with a setting of every type; the connectors are not linked into this target.
const ports::SourceKinds kKinds{
    {"prometheus",
     "Prometheus",
     {ports::Capability::Telemetry},
     {{.key = "url", .type = Type::Url, .isRequired = true},
      ports::kAccessField,
      ports::kAuthorityField,
      ports::kHeadersField,
      {.key = "timeout", .type = Type::Duration, .low = 2, .high = 600}}},
    {"kubernetes", "Kubernetes", {}, {{.key = "kubeconfig", .type = Type::Kubeconfig}, {.key = "context"}}},
    {"opencost", "OpenCost", {}, {{.key = "currency", .type = Type::Currency}}},
    {"focus", "FOCUS", {}, {{.key = "path", .type = Type::Path, .isRequired = true}}},
    {"demo", "Demo", {}, {{.key = "gpus", .type = Type::Whole, .low = 1, .high = 20'000}}}};

bool isGood(std::string_view text)
{
    return services::parseConfig(text, "/config", kKinds).problems.empty();
}

void change(std::string_view text, const model::Settings &before)
{
    NewSource source;
    source.name = "fuzzed";
    source.kind = "prometheus";
    source.url = "https://prometheus.example.org";
    if (const auto more = services::withSource(text, source, kFile, kKinds)) {
        const auto after = services::parseConfig(*more, "/config", kKinds);
        check(after.problems.empty() && after.settings.sources.size() == before.sources.size() + 1,
              "adding a source adds exactly one");
        check(std::equal(before.sources.begin(), before.sources.end(), after.settings.sources.begin()),
              "adding a source leaves the others unchanged");
        const auto back = services::withoutSource(*more, after.settings.sources.back(), kFile, kKinds);
        check(!back || services::parseConfig(*back, "/config", kKinds).settings.sources == before.sources,
              "removing a source leaves the others");
    }
    services::OwnersChange owners{before.owners, {}};
    owners.after.push_back({std::nullopt, {}});
    owners.after.back().rule.team = "everyone";
    if (const auto changed = services::withOwners(text, owners, kFile, kKinds))
        check(isGood(*changed), "changed owner rules can be read");
    model::IdleSettings idle = before.idle;
    idle.threshold = idle.threshold == 0.07 ? 0.08 : 0.07;
    if (const auto changed = services::withIdleRule(text, before.idle, idle, kFile, kKinds))
        check(isGood(*changed), "a changed idle rule can be read");
}

} // namespace

void fuzz(std::string_view bytes)
{
    const auto parsed = services::parseConfig(bytes, "/config", kKinds);
    int line = 0;
    for (const services::ConfigProblem &problem : parsed.problems) {
        check(!problem.text.empty() && problem.line >= line, "problems have a text and are in the order of the file");
        line = problem.line;
        (void)services::describe(problem, "config.yaml");
    }
    if (parsed.problems.empty())
        change(bytes, parsed.settings);
    if (services::problemsOfLink(bytes).empty())
        (void)services::linkFor(bytes, {"a b", "n", "GPU-1", "team&x", "s", "w/1", {}});
}

} // namespace gpuledger::fuzz
