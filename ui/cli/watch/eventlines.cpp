// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/cli/watch/eventlines.h"

namespace gpuledger::cli {

base::Result<void> EventLines::tell(const Json &line)
{
    const std::lock_guard guard(m_mutex);
    GPULEDGER_TRY(
        m_out.print(m_out.withDamage(line).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + '\n'));
    return m_out.flush();
}

Json eventOf(const char *event, base::UtcTime at, const Json &fields)
{
    Json line{{"at", cli::toJson(at)}, {"event", event}};
    for (const auto &[name, value] : fields.items())
        line[name == "at" ? "changed" : name] = value;
    return line;
}

} // namespace gpuledger::cli
