// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ports/inventorysource.h"

#include "app/base/text/text.h"
#include "app/ports/sourcekind.h"

#include <algorithm>

namespace gpuledger::ports {

void Inventory::leaveOut(std::string_view reason)
{
    const auto known = std::find_if(leftOut.begin(), leftOut.end(),
                                    [&](const FactBatch::Rejected &one) { return one.reason == reason; });
    if (known == leftOut.end())
        leftOut.push_back({std::string(reason), 1});
    else
        ++known->count;
}

base::Result<bool> wantsMachines(const model::SourceSettings &settings)
{
    const auto word = settings.options.find(std::string(kMachinesKey));
    if (word == settings.options.end() || word->second == kAllMachines)
        return true;
    if (word->second == kNoMachines)
        return false;
    return base::fail(base::Error::make(base::ErrorCode::InvalidConfig,
                                        "source \"" + settings.name + "\" has no machines named \""
                                            + base::printable(word->second, 40) + '"',
                                        "set machines of " + settings.name + " to all or none")
                          .withSource(settings.name));
}

} // namespace gpuledger::ports
