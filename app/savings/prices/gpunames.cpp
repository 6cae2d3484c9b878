// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/savings/prices/gpunames.h"

#include "app/base/text/text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <set>
#include <utility>
#include <vector>

namespace gpuledger::savings {

namespace {

using ledger::GpuCatalog;
using ledger::GpuFacts;

constexpr std::int64_t kMibOfGib = 1024;
constexpr std::int64_t kMostGib = 16384; // of one GPU

bool isLetterOrDigit(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

bool isMemoryWord(std::string_view word)
{
    const std::size_t digits = std::min(word.find_first_not_of("0123456789"), word.size());
    return digits > 0 && word.substr(digits) == "gb";
}

bool isVariantWord(std::string_view word)
{
    return isMemoryWord(word) || word == "sxm" || word == "pcie" || word == "nvl";
}

// Words in lower case, in one spelling: "80G" is "80gb", "SXM5" is "sxm". Vendors and families are left out, as in the
// catalogue, and so is NVLink, which is how the machine connects its GPUs.
std::vector<std::string> wordsOfName(std::string_view name)
{
    std::vector<std::string> words(1);
    for (const char c : loweredName(name)) {
        if (isLetterOrDigit(c))
            words.back() += c;
        else if (!words.back().empty())
            words.emplace_back();
    }
    static constexpr std::array<std::string_view, 8> kSilent{"",        "nvidia", "amd",      "intel",
                                                             "geforce", "tesla",  "instinct", "nvlink"};
    std::erase_if(words, [](const std::string &word) {
        return std::find(kSilent.begin(), kSilent.end(), word) != kSilent.end();
    });
    for (std::string &word : words) {
        if (word.ends_with('g') && isMemoryWord(word + 'b'))
            word += 'b';
        if (word.size() == 4 && word.starts_with("sxm"))
            word.resize(3);
    }
    return words;
}

std::string joinedWords(const std::vector<std::string> &words, std::size_t count)
{
    std::string all;
    for (std::size_t i = 0; i < count; ++i)
        all += words[i];
    return all;
}

bool hasVariants(const std::vector<std::string> &words, const std::string &wanted)
{
    for (std::size_t count = 1; count <= words.size(); ++count) {
        if (joinedWords(words, count) == wanted)
            return std::all_of(words.begin() + static_cast<std::ptrdiff_t>(count), words.end(), isVariantWord);
    }
    return false;
}

// True if `words` are the same model, with all variants that are asked for in any order: "H100 SXM 80GB" is a variant
// of "H100 80GB".
bool namesAllOf(const std::vector<std::string> &words, const std::vector<std::string> &asked)
{
    const auto split = [](const std::vector<std::string> &all) {
        std::pair<std::string, std::set<std::string>> out;
        for (const std::string &word : all) {
            if (isVariantWord(word))
                out.second.insert(word);
            else
                out.first += word;
        }
        return out;
    };
    const auto own = split(words), wanted = split(asked);
    return !wanted.first.empty() && (own.first == wanted.first || own.first == "rtx" + wanted.first)
        && std::includes(own.second.begin(), own.second.end(), wanted.second.begin(), wanted.second.end());
}

// A name without its variants, and these.
struct NameParts {
    std::string base; // "h100"
    std::string form; // "sxm", "pcie", "nvl" or empty
    std::optional<std::int64_t> gib; // "80gb"
};

NameParts partsOfName(std::string_view name)
{
    NameParts parts;
    for (const std::string &word : wordsOfName(name)) {
        if (!isVariantWord(word))
            parts.base += word;
        else if (!isMemoryWord(word))
            parts.form = word;
        else
            parts.gib = base::parseInt(std::string_view(word).substr(0, word.size() - 2));
    }
    return parts;
}

// Catalogue models of that name, whatever their variant. Lists leave "RTX" out ("A6000").
std::vector<const GpuFacts *> modelsNamed(const GpuCatalog &catalog, const std::string &name)
{
    std::vector<const GpuFacts *> all;
    for (const GpuFacts &facts : catalog.all()) {
        const std::string own = partsOfName(facts.model).base;
        if (!name.empty() && (own == name || own == "rtx" + name))
            all.push_back(&facts);
    }
    return all;
}

// The form that the instance type names, or empty. "NVLink" is none.
std::string formInType(const std::string &machine)
{
    const std::string type = loweredName(machine);
    for (const char *form : {"sxm", "pcie"}) {
        if (type.find(form) != std::string::npos)
            return form;
    }
    const std::size_t nvl = type.find("nvl");
    return nvl != std::string::npos && type.compare(nvl, 6, "nvlink") != 0 ? "nvl" : "";
}

// Keeps the models of that form, else those whose name has none, else all.
void keepForm(std::vector<const GpuFacts *> &models, const std::string &form)
{
    if (form.empty())
        return;
    for (const std::string &kept : {form, std::string()}) {
        std::vector<const GpuFacts *> some;
        std::copy_if(models.begin(), models.end(), std::back_inserter(some),
                     [&](const GpuFacts *facts) { return partsOfName(facts->model).form == kept; });
        if (!some.empty()) {
            models = std::move(some);
            return;
        }
    }
}

// Lists and the catalogue round differently, by a few percent; the sizes of two models differ by more than a tenth.
bool differsInMemory(const GpuFacts &facts, std::int64_t mib)
{
    const std::int64_t own = facts.memoryGib * kMibOfGib;
    return std::abs(own - mib) * 10 > own;
}

std::optional<std::int64_t> milliTflopsOf(const GpuFacts &facts)
{
    return facts.fp16DenseTflops ? std::optional<std::int64_t>(std::llround(*facts.fp16DenseTflops * 1000))
                                 : std::nullopt;
}

} // namespace

std::string loweredName(std::string_view text)
{
    std::string out(text);
    for (char &c : out)
        c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    return out;
}

GpuIdentity identify(const GpuCatalog &catalog, const GpuNaming &naming)
{
    GpuIdentity identity;
    identity.memoryMib = naming.memoryMib;
    const NameParts parts = partsOfName(naming.name);
    if (!identity.memoryMib && parts.gib && *parts.gib < kMostGib)
        identity.memoryMib = *parts.gib * kMibOfGib;
    std::vector<const GpuFacts *> models;
    if (const GpuFacts *exact = catalog.find(naming.name))
        models = {exact};
    else
        models = modelsNamed(catalog, parts.base);
    if (identity.memoryMib)
        std::erase_if(models, [&](const GpuFacts *facts) { return differsInMemory(*facts, *identity.memoryMib); });
    keepForm(models, parts.form.empty() ? formInType(naming.machine) : parts.form);
    if (models.empty())
        return identity;
    const GpuFacts &first = *models.front();
    const auto all = [&](auto same) { return std::all_of(models.begin(), models.end(), same); };
    if (models.size() == 1)
        identity.model = first.model;
    if (!identity.memoryMib && all([&](const GpuFacts *facts) { return facts->memoryGib == first.memoryGib; }))
        identity.memoryMib = first.memoryGib * kMibOfGib;
    if (all([&](const GpuFacts *facts) { return milliTflopsOf(*facts) == milliTflopsOf(first); }))
        identity.milliTflops = milliTflopsOf(first);
    return identity;
}

bool isVariantOf(std::string_view name, std::string_view wanted)
{
    const std::vector<std::string> own = wordsOfName(name), asked = wordsOfName(wanted);
    const std::string joined = joinedWords(asked, asked.size());
    if (joined.empty()) // "NVIDIA" alone names no model
        return wanted.empty();
    return namesAllOf(own, asked) || hasVariants(own, joined) || hasVariants(own, "rtx" + joined)
        || "rtx" + joinedWords(own, own.size()) == joined;
}

bool isOtherAccelerator(std::string_view name)
{
    const std::string lowered = loweredName(name);
    static constexpr std::array<std::string_view, 5> kOthers{"tpu", "inferentia", "trainium", "fpga", "alveo"};
    return std::any_of(kOthers.begin(), kOthers.end(),
                       [&](std::string_view other) { return lowered.starts_with(other); });
}

} // namespace gpuledger::savings
