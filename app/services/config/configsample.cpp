// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/config/config.h"
#include "app/services/config/configtext.h"
#include "resources/resources.h"

#include <algorithm>
#include <array>
#include <utility>

namespace gpuledger::services {

namespace {

using ports::Capability;
using ports::SourceField;
using ports::SourceKind;
using Type = ports::SourceField::Type;

// The line of the template that the sources replace.
constexpr std::string_view kSourcesMark = "@SOURCES@\n";
constexpr std::size_t kCommentColumn = 40;

// The settings of every source.
constexpr SourceField kNameField{.key = "name", .help = "Unique; shown with every figure that comes from this source"};
constexpr SourceField kClusterField{.key = "cluster",
                                    .help = "Name of the cluster in the figures, or { label: NAME } for the label that "
                                            "has it",
                                    .fallback = "the source's name",
                                    .example = "prod"};
constexpr std::array<SourceField, 2> kSyncFields{
    {{.key = "first_sync",
      .type = Type::Duration,
      .help = "How far back the first sync fetches data",
      .example = "90d"},
     {.key = "every", .type = Type::Duration, .help = "How often the source is read", .example = "5m"}}};
constexpr SourceField kRightsField{.key = "rights",
                                   .help = "[read, stop]: stopping must be allowed both here and by the platform",
                                   .fallback = "[read]"};

std::string secondsText(std::int64_t seconds)
{
    return seconds % 60 == 0 ? std::to_string(seconds / 60) + 'm' : std::to_string(seconds) + 's';
}

std::string loginsOf(const SourceField &field)
{
    constexpr std::array<std::pair<const char *, const char *>, 5> kLogins{{{"none", ""},
                                                                            {"basic", " {user, password}"},
                                                                            {"bearer", " {token}"},
                                                                            {"mtls", " {certificate, key}"},
                                                                            {"sigv4", " {profile, region}"}}};
    std::string out;
    for (const auto &[login, parts] : kLogins) {
        if (field.takesLogin(login))
            out += (out.empty() ? "type: " : " | ") + std::string(login) + parts;
    }
    return out;
}

// What a value may be, where the example does not tell.
std::string formOf(const SourceField &field)
{
    if (field.type == Type::Access)
        return loginsOf(field);
    if (field.low == 0 && field.high == 0)
        return {};
    const bool isTime = field.type == Type::Duration;
    return (isTime ? secondsText(field.low) : std::to_string(field.low)) + " to "
        + (isTime ? secondsText(field.high) : std::to_string(field.high));
}

std::string commentOf(const SourceField &field)
{
    std::string text(field.help);
    if (const std::string form = formOf(field); !form.empty())
        text += "; " + form;
    if (!field.fallback.empty())
        text += "; default: " + std::string(field.fallback);
    return text;
}

std::string exampleOf(const SourceField &field)
{
    const bool isAnyText = field.type == Type::Text || field.type == Type::KubeContext;
    return isAnyText ? writtenScalar(field.example) : std::string(field.example);
}

// "    url: https://example.org   # Address of the server"; `isOff`: behind "#- ".
void addLine(std::string &out, bool isOff, const SourceField &field, const std::string &value,
             std::string_view dash = "    ")
{
    std::string line = (isOff ? "#- " : "") + std::string(dash) + std::string(field.key) + ": " + value;
    line.resize(std::max(line.size() + 2, kCommentColumn), ' ');
    out += line + "# " + commentOf(field) + '\n';
}

void addHead(std::string &out, const SourceKind &kind)
{
    out += "# " + (kind.use.empty() ? kind.title : kind.use) + '\n';
    for (const ports::SourceRight &right : kind.rights)
        out += std::string("# Its account ")
            + (right.what == ports::SourceRight::For::Stopping ? "for stopping" : "for reading") + ": "
            + std::string(right.words) + '\n';
}

// One source with every setting of its kind. The first one is in use, with its required settings and those of every
// source; all others are examples.
void addSource(std::string &out, const SourceKind &kind, bool isFirst)
{
    addHead(out, kind);
    const bool isOff = !isFirst;
    addLine(out, isOff, kNameField, isFirst ? "prod" : writtenScalar(kind.kind), "  - ");
    out += std::string(isOff ? "#- " : "") + "    kind: " + kind.kind + '\n';
    for (const bool isRequired : {true, false}) {
        for (const SourceField &field : kind.fields) {
            if (field.isRequired == isRequired)
                addLine(out, isOff || !isRequired, field, exampleOf(field));
        }
    }
    if (isFirst || (kind.stops() && !kind.tellsTelemetry()))
        addLine(out, true, kClusterField, std::string(kClusterField.example));
    if (isFirst) {
        for (const SourceField &field : kSyncFields)
            addLine(out, false, field, std::string(field.example));
    }
    if (isFirst || kind.stops())
        addLine(out, isOff, kRightsField, kind.stops() && isOff ? "[read, stop]" : "[read]");
}

// Real sources before simulated ones, and first of all one that reports usage: without it there are no figures.
std::vector<const SourceKind *> inOrder(const ports::SourceKinds &kinds)
{
    std::vector<const SourceKind *> all;
    for (const SourceKind &kind : kinds)
        all.push_back(&kind);
    const auto rank = [](const SourceKind *kind) {
        return kind->has(Capability::Simulated) ? 2 : kind->tellsTelemetry() ? 0 : 1;
    };
    std::stable_sort(all.begin(), all.end(),
                     [&](const SourceKind *a, const SourceKind *b) { return rank(a) < rank(b); });
    return all;
}

} // namespace

std::string sampleConfig(const ports::SourceKinds &kinds)
{
    std::string text(resources::find("config/sample.yaml").value_or(std::string_view()));
    const std::size_t mark = text.find(kSourcesMark);
    if (mark == std::string::npos)
        return text;
    std::string sources;
    for (const SourceKind *const kind : inOrder(kinds))
        addSource(sources, *kind, sources.empty());
    return text.replace(mark, kSourcesMark.size(), sources);
}

} // namespace gpuledger::services
