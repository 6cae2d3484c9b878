// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/config/confignode.h"
#include "app/services/config/linktemplate.h"

namespace gpuledger::services {

void readLinks(const ConfigValue &value, model::LinkSettings &links)
{
    ConfigMap map(value, "{ grafana: \"https://grafana.example.org/d/gpu?var-node={node}\" }");
    if (!map.valid())
        return;
    if (const auto grafana = map.take("grafana")) {
        links.grafana = grafana->text("https://grafana.example.org/d/gpu?var-node={node}").value_or("");
        for (const LinkProblem &problem :
             links.grafana.empty() ? std::vector<LinkProblem>{} : problemsOfLink(links.grafana)) {
            if (problem.placeholder.empty()) {
                grafana->problem(problem.text);
                continue;
            }
            const std::string meant = nearest(problem.placeholder, linkPlaceholders());
            grafana->problem(
                inQuotes("{" + problem.placeholder + "}") + " is unknown; "
                + (meant.empty() ? "known: " + joined(linkPlaceholders()) : "did you mean {" + meant + "}?"));
        }
    }
    map.finish();
}

} // namespace gpuledger::services
