// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ledger/prices/gpucatalog.h"

#include "app/base/text/text.h"
#include "app/ledger/prices/csvtable.h"

#include <array>

namespace gpuledger::ledger {

namespace {

using base::ErrorCode;

bool isModelDigit(char c)
{
    return c >= '0' && c <= '9';
}

// Letters and digits in lower case, with every other run of characters replaced by one dash.
std::string dashed(std::string_view text)
{
    std::string out;
    for (const char c : text) {
        if (c >= 'A' && c <= 'Z')
            out += static_cast<char>(c - 'A' + 'a');
        else if ((c >= 'a' && c <= 'z') || isModelDigit(c))
            out += c;
        else if (!out.empty() && out.back() != '-')
            out += '-';
    }
    while (!out.empty() && out.back() == '-')
        out.pop_back();
    return out;
}

base::Result<std::optional<double>> optionalNumber(const std::string &text)
{
    if (text.empty())
        return std::nullopt;
    const auto v = base::parseDouble(text);
    if (!v || !(*v > 0) || *v > 1e9)
        return base::fail(ErrorCode::Parse, "not a positive number: \"" + base::printable(text, 32) + '"');
    return *v;
}

struct Columns {
    std::size_t model, vendor, memory, fp16, fp8, bandwidth, tdp, idle, slices, profiles, aliases, source;
    std::optional<std::size_t> capability, nvlink;
};

base::Result<Columns> columnsOf(const CsvTable &table)
{
    Columns c{};
    const std::array<std::pair<std::size_t *, std::string_view>, 12> wanted{{{&c.model, "gpu_model"},
                                                                             {&c.vendor, "vendor"},
                                                                             {&c.memory, "memory_gib"},
                                                                             {&c.fp16, "fp16_dense_tflops"},
                                                                             {&c.fp8, "fp8_dense_tflops"},
                                                                             {&c.bandwidth, "mem_bw_gbs"},
                                                                             {&c.tdp, "tdp_w"},
                                                                             {&c.idle, "idle_w"},
                                                                             {&c.slices, "compute_slices"},
                                                                             {&c.profiles, "mig_profiles"},
                                                                             {&c.aliases, "aliases"},
                                                                             {&c.source, "source"}}};
    for (const auto &[position, name] : wanted) {
        const auto found = table.column(name);
        if (!found)
            return base::fail(found.error());
        *position = *found;
    }
    if (const auto found = table.column("compute_capability"))
        c.capability = *found;
    if (const auto found = table.column("nvlink_gbs"))
        c.nvlink = *found;
    return c;
}

base::Result<std::optional<double>> nvlinkOf(const std::string &text)
{
    return text == "no" ? std::optional(0.0) : optionalNumber(text);
}

base::Result<GpuFacts> factsOf(const std::vector<std::string> &row, const Columns &c)
{
    GpuFacts facts;
    facts.model = row[c.model];
    facts.vendor = row[c.vendor];
    facts.migProfiles = splitList(row[c.profiles], ';');
    facts.aliases = splitList(row[c.aliases], ';');
    facts.source = row[c.source];
    const auto memory = base::parseInt(row[c.memory]);
    if (facts.model.empty() || !memory || *memory <= 0)
        return base::fail(ErrorCode::Parse, "a model needs a name and a memory size");
    facts.memoryGib = *memory;
    const std::array<std::pair<std::optional<double> *, std::size_t>, 5> numbers{
        {{&facts.fp16DenseTflops, c.fp16},
         {&facts.fp8DenseTflops, c.fp8},
         {&facts.memoryBandwidthGbs, c.bandwidth},
         {&facts.powerLimitW, c.tdp},
         {&facts.restingW, c.idle}}};
    for (const auto &[field, position] : numbers) {
        auto value = optionalNumber(row[position]);
        if (!value)
            return base::fail(value.error());
        *field = *value;
    }
    if (c.capability)
        facts.computeCapability = row[*c.capability];
    if (c.nvlink) {
        const auto nvlink = nvlinkOf(row[*c.nvlink]);
        GPULEDGER_TRY(nvlink);
        facts.nvlinkGbs = *nvlink;
    }
    if (!row[c.slices].empty()) {
        const auto slices = base::parseInt(row[c.slices]);
        if (!slices || *slices < 1 || *slices > 64)
            return base::fail(ErrorCode::Parse, "compute_slices is not a positive integer");
        facts.computeSlices = static_cast<int>(*slices);
    }
    return facts;
}

} // namespace

std::string GpuCatalog::folded(std::string_view exporterModel)
{
    std::string name = dashed(exporterModel);
    for (std::size_t at = name.find("-mig-"); at != std::string::npos; at = name.find("-mig-", at + 1)) {
        if (at + 5 < name.size() && isModelDigit(name[at + 5])) {
            name.resize(at);
            break;
        }
    }
    constexpr std::string_view kSharedSuffix = "-shared";
    if (name.size() > kSharedSuffix.size()
        && std::string_view(name).substr(name.size() - kSharedSuffix.size()) == kSharedSuffix)
        name.resize(name.size() - kSharedSuffix.size());
    std::string_view rest = name;
    for (const std::string_view word : {"nvidia-", "amd-", "intel-", "tesla-", "geforce-", "instinct-"}) {
        if (rest.substr(0, word.size()) == word)
            rest.remove_prefix(word.size());
    }
    std::string out;
    for (const char c : rest) {
        if (c != '-')
            out += c;
    }
    return out;
}

base::Result<GpuCatalog> GpuCatalog::load(std::string_view csv)
{
    const auto table = CsvTable::parse(csv);
    if (!table)
        return base::fail(table.error());
    const auto columns = columnsOf(*table);
    if (!columns)
        return base::fail(columns.error());
    GpuCatalog catalog;
    for (const auto &row : table->rows()) {
        auto facts = factsOf(row, *columns);
        if (!facts)
            return base::fail(ErrorCode::Parse, '"' + row[columns->model] + "\": " + facts.error().text);
        const std::size_t index = catalog.m_models.size();
        std::vector<std::string> names = facts->aliases;
        names.push_back(facts->model);
        for (const std::string &name : names) {
            const auto [it, added] = catalog.m_byName.try_emplace(folded(name), index);
            if (!added && it->second != index)
                return base::fail(ErrorCode::Parse, '"' + name + "\" is the name of two models");
        }
        catalog.m_models.push_back(std::move(*facts));
    }
    return catalog;
}

const GpuFacts *GpuCatalog::find(std::string_view exporterModel) const
{
    const auto it = m_byName.find(folded(exporterModel));
    return it == m_byName.end() ? nullptr : &m_models[it->second];
}

} // namespace gpuledger::ledger
