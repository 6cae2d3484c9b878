// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ports/costsource.h"
#include "connectors/format/json.h"

#include <map>
#include <optional>
#include <string>
#include <utility>

// What a service lists under an id as long as it exists, kept because its bill goes on. `Name` is a struct of texts
// with a member `kTexts`: an array of pointers to all of them. Plain functions.
namespace gpuledger::format {

template <typename Name> using KeptNames = std::map<std::string, Name>; // by id

// Takes over what is listed now, and keeps what was listed before; if both are more than `most`, only what is listed
// now.
template <typename Name> void remember(KeptNames<Name> &known, KeptNames<Name> listed, std::size_t most)
{
    if (listed.size() + known.size() <= most)
        listed.merge(known); // those that are listed now stay as they are
    known = std::move(listed);
}

// The texts of a name, in their order.
template <typename Name> nlohmann::json textsOf(const Name &name)
{
    nlohmann::json texts = nlohmann::json::array();
    for (const auto text : Name::kTexts)
        texts.push_back(name.*text);
    return texts;
}

// std::nullopt if these are not textsOf() such a name.
template <typename Name> std::optional<Name> nameFrom(const nlohmann::json &texts)
{
    if (!texts.is_array() || texts.size() != Name::kTexts.size())
        return std::nullopt;
    Name name;
    std::size_t at = 0;
    for (const auto member : Name::kTexts) {
        const nlohmann::json &one = texts[at++];
        if (!one.is_string())
            return std::nullopt;
        name.*member = one.template get<std::string>();
    }
    return name;
}

template <typename Name> std::string namesText(const KeptNames<Name> &names)
{
    nlohmann::json all = nlohmann::json::object();
    for (const auto &[id, name] : names)
        all[id] = textsOf(name);
    return all.dump();
}

// Empty if the text is not one of namesText().
template <typename Name> KeptNames<Name> namesFrom(const std::string &text)
{
    const auto all = parseJson(text);
    if (!all || !all->is_object())
        return {};
    KeptNames<Name> names;
    for (const auto &[id, stored] : all->items()) {
        auto name = nameFrom<Name>(stored);
        if (!name)
            return {};
        names[id] = std::move(*name);
    }
    return names;
}

// What was kept under `key`, and what is listed now, which is kept from now on; without `listed`, which the key may not
// read, what was kept. Fails with the errors of the sink.
template <typename Name>
[[nodiscard]] base::Result<KeptNames<Name>> renewNames(ports::BillSink &sink, const std::string &key,
                                                       std::optional<KeptNames<Name>> listed, std::size_t most)
{
    const auto text = ports::lastingMemory(sink, key);
    GPULEDGER_TRY(text);
    KeptNames<Name> known = text->empty() ? KeptNames<Name>() : namesFrom<Name>(*text);
    if (!listed)
        return known;
    remember(known, std::move(*listed), most);
    if (const std::string now = namesText(known); now != *text)
        GPULEDGER_TRY(ports::keepForGood(sink, key, now));
    return known;
}

} // namespace gpuledger::format
