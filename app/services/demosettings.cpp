// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/demosettings.h"

namespace gpuledger::services {

model::Settings demoSettings()
{
    model::Settings settings;
    model::SourceSettings source;
    source.name = "demo";
    source.kind = "demo";
    source.firstSync = base::Seconds{60 * 86400};
    settings.sources.push_back(std::move(source));
    for (const auto kind : {model::OwnerRule::Kind::Label, model::OwnerRule::Kind::NamespaceLabel}) {
        model::OwnerRule rule;
        rule.kind = kind;
        rule.key = "team";
        settings.owners.push_back(rule);
    }
    model::OwnerRule rest;
    rest.kind = model::OwnerRule::Kind::Default;
    rest.team = "unowned";
    settings.owners.push_back(rest);
    return settings;
}

} // namespace gpuledger::services
