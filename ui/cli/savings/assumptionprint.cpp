// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/cli/savings/assumptionprint.h"

#include "app/base/text/text.h"
#include "ui/cli/program/output.h"
#include "ui/format/texttable.h"

#include <algorithm>
#include <string_view>

namespace gpuledger::cli {

using base::Result;
using savings::Assumptions;
using savings::AssumptionSpec;
using savings::AssumptionType;

namespace {

const char *typeName(AssumptionType type)
{
    switch (type) {
    case AssumptionType::Duration:
        return "duration";
    case AssumptionType::Percent:
        return "percent";
    case AssumptionType::Count:
        return "count";
    case AssumptionType::Answer:
        return "answer";
    case AssumptionType::WeekHours:
        return "week-hours";
    }
    return "";
}

bool hasLimits(const AssumptionSpec &spec)
{
    return spec.type != AssumptionType::WeekHours && spec.type != AssumptionType::Answer;
}

// "20%", "1h"
std::string unitText(const AssumptionSpec &spec, std::string_view value)
{
    return std::string(value) + (spec.type == AssumptionType::Percent ? "%" : "");
}

std::string limitsText(const AssumptionSpec &spec)
{
    if (spec.type == AssumptionType::Answer)
        return "yes or no";
    if (!hasLimits(spec))
        return "hours of the week, or none";
    return unitText(spec, savings::assumptionText(spec, spec.least)) + " to "
        + unitText(spec, savings::assumptionText(spec, spec.most));
}

const char *defaultFrom(const AssumptionSpec &spec, const Assumptions &assumed)
{
    return assumed.isConfigured(spec.name) ? "configuration" : "program";
}

ui::TextTable assumptionTable(const std::vector<AssumptionSpec> &specs, const Assumptions &assumed)
{
    ui::TextTable table(
        {{"assumption"}, {"kind"}, {"value"}, {"default"}, {"default from"}, {"limits"}, {"what it is"}});
    for (const AssumptionSpec &spec : specs) {
        if (!spec.usual.empty())
            table.add({std::string(spec.name), std::string(toString(spec.kind)),
                       unitText(spec, assumed.text(spec.name)), unitText(spec, assumed.usual(spec.name)),
                       defaultFrom(spec, assumed), limitsText(spec), std::string(spec.help)});
        for (const auto &[work, usual] : assumed.usualByWork(spec.name))
            table.add({std::string(spec.name), std::string(toString(spec.kind)),
                       unitText(spec, assumed.textOf(work, spec.name)), unitText(spec, usual), "configuration",
                       limitsText(spec), savings::helpOfWork(spec, work)});
    }
    return table;
}

} // namespace

Result<Assumptions> assumptionsFrom(const std::vector<std::string> &given, const Assumptions &before)
{
    Assumptions assumed = before;
    for (const std::string &one : given) {
        const auto at = one.find('=');
        if (at == std::string::npos)
            return base::fail(
                base::ErrorCode::InvalidArgument, "not an assumption: \"" + base::printable(one, 64) + '"',
                "write NAME=VALUE, such as " + std::string(savings::assumptionSpecs().front().name) + "=2h");
        GPULEDGER_TRY(assumed.set(one.substr(0, at), one.substr(at + 1)));
    }
    return assumed;
}

std::vector<AssumptionSpec> assumptionsOf(std::optional<savings::Kind> kind, const Assumptions &assumed)
{
    std::vector<AssumptionSpec> out;
    for (const AssumptionSpec &spec : savings::assumptionSpecs()) {
        if (!kind || spec.kind == *kind)
            out.push_back(spec);
    }
    for (const AssumptionSpec &spec : savings::workDefaultSpecs()) {
        if ((!kind || spec.kind == *kind) && !assumed.usualByWork(spec.name).empty())
            out.push_back(spec);
    }
    return out;
}

Json assumptionJson(const AssumptionSpec &spec, const Assumptions &assumed)
{
    Json json;
    json["name"] = std::string(spec.name);
    json["kind"] = std::string(toString(spec.kind));
    json["type"] = typeName(spec.type);
    const bool isForAll = !spec.usual.empty();
    json["value"] = isForAll ? Json(assumed.text(spec.name)) : Json(nullptr);
    json["default"] = isForAll ? Json(assumed.usual(spec.name)) : Json(nullptr);
    json["default_from"] = isForAll ? defaultFrom(spec, assumed) : "configuration";
    for (const auto &[work, usual] : assumed.usualByWork(spec.name))
        json["by_work"][std::string(toString(work))] = {{"value", assumed.textOf(work, spec.name)}, {"default", usual}};
    json["least"] = hasLimits(spec) ? Json(savings::assumptionText(spec, spec.least)) : Json(nullptr);
    json["most"] = hasLimits(spec) ? Json(savings::assumptionText(spec, spec.most)) : Json(nullptr);
    json["help"] = std::string(spec.help);
    return json;
}

std::string assumptionsText(const std::vector<AssumptionSpec> &specs, const Assumptions &assumed, bool bold)
{
    return assumptionTable(specs, assumed).toText(bold);
}

std::string assumptionsCsv(const std::vector<AssumptionSpec> &specs, const Assumptions &assumed)
{
    return assumptionTable(specs, assumed).toCsv();
}

Json changedJson(const Assumptions &assumed)
{
    Json json = Json::object();
    for (const auto &[name, value] : assumed.changed())
        json[name] = value;
    return json;
}

std::string changedText(const Assumptions &assumed)
{
    std::string text;
    for (const auto &[name, value] : assumed.changed()) {
        const AssumptionSpec *const spec = savings::assumptionSpec(name);
        text += (text.empty() ? "Assumed: " : "; ") + name + ' ' + (spec ? unitText(*spec, value) : value);
    }
    return text.empty() ? text : text + '\n';
}

} // namespace gpuledger::cli
