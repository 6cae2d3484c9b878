// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/kubernetes/api/access.h"

#include "connectors/kubernetes/api/objects.h"

namespace gpuledger::kubernetes {

std::string AccessQuestion::shownRight() const
{
    std::string right = verb + ' ' + resource;
    if (!group.empty())
        right += '.' + group;
    if (!subresource.empty())
        right += '/' + subresource;
    return shown(right + (nameSpace.empty() ? " in the cluster" : " in namespace " + nameSpace));
}

AccessQuestion rightOn(const Resource &resource, std::string verb, std::string subresource,
                       const std::string &nameSpace, const std::string &name)
{
    return {std::move(verb), resource.group, resource.plural, std::move(subresource), nameSpace, name};
}

base::Result<bool> mayI(KubeApi &api, const AccessQuestion &question, const std::stop_token &stop)
{
    Json attributes{{"verb", question.verb}, {"group", question.group}, {"resource", question.resource}};
    if (!question.nameSpace.empty())
        attributes["namespace"] = question.nameSpace;
    if (!question.subresource.empty())
        attributes["subresource"] = question.subresource;
    if (!question.name.empty() && question.verb != "create")
        attributes["name"] = question.name;
    const Json body{{"apiVersion", "authorization.k8s.io/v1"},
                    {"kind", "SelfSubjectAccessReview"},
                    {"spec", {{"resourceAttributes", std::move(attributes)}}}};
    const auto answer = api.ask("/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", body, stop);
    GPULEDGER_TRY(answer);
    return isTrue(*answer, {"status", "allowed"}) && !isTrue(*answer, {"status", "denied"});
}

} // namespace gpuledger::kubernetes
