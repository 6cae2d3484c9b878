// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/actions/run/announced.h"

#include "app/actions/plan/checkjson.h"
#include "app/base/files/filereplace.h"

#include <fstream>
#include <iterator>

namespace gpuledger::actions {

namespace {

using AnnouncedJson = nlohmann::ordered_json;

std::filesystem::path announcedFile(const std::filesystem::path &dataFolder)
{
    return dataFolder / "marks.announced";
}

AnnouncedJson announcedJson(const Announced &one)
{
    AnnouncedJson json{{"source", one.target.source},
                       {"cluster", one.target.cluster},
                       {"api_version", one.target.apiVersion},
                       {"kind", one.target.kind},
                       {"namespace", one.target.nameSpace},
                       {"name", one.target.name},
                       {"uid", one.target.uid},
                       {"holders", one.holders}};
    if (one.until)
        json["until"] = base::toRfc3339(*one.until);
    return json;
}

Announced announcedFrom(const AnnouncedJson &json)
{
    Announced one;
    one.target = {textIn(json, "source"),    textIn(json, "cluster"), textIn(json, "api_version"), textIn(json, "kind"),
                  textIn(json, "namespace"), textIn(json, "name"),    textIn(json, "uid")};
    if (const auto holders = json.find("holders"); holders != json.end() && holders->is_array()) {
        for (const AnnouncedJson &holder : *holders) {
            if (holder.is_string())
                one.holders.push_back(holder.get<std::string>());
        }
    }
    if (const auto until = base::parseTime(textIn(json, "until")))
        one.until = *until;
    return one;
}

} // namespace

std::vector<Announced> announcedIn(const std::filesystem::path &dataFolder)
{
    std::ifstream file(announcedFile(dataFolder), std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    const AnnouncedJson json = AnnouncedJson::parse(text, nullptr, false);
    std::vector<Announced> all;
    if (!json.is_array())
        return all;
    for (const AnnouncedJson &one : json) {
        if (one.is_object())
            all.push_back(announcedFrom(one));
    }
    return all;
}

base::Result<void> setAnnounced(const std::filesystem::path &dataFolder, const std::vector<Announced> &all)
{
    AnnouncedJson json = AnnouncedJson::array();
    for (const Announced &one : all)
        json.push_back(announcedJson(one));
    return base::replaceFile(announcedFile(dataFolder), written(json) + '\n');
}

} // namespace gpuledger::actions
