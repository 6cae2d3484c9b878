// SPDX-License-Identifier: GPL-3.0-or-later
// Lists of an API server, page by page, its Status objects, and the output of login programs.
#include "connectors/kubernetes/api/kubeapi.h"
#include "connectors/kubernetes/api/objects.h"
#include "tests/fuzz/fuzz.h"

namespace gpuledger::fuzz {

void fuzz(std::string_view bytes)
{
    using namespace kubernetes;
    const std::size_t question = choice(bytes, 2);
    auto server = std::make_shared<Server>(pieces(bytes, 4));
    auto pause = std::make_shared<NoPause>(20);
    Secrets secrets(bytes);
    auth::KubeAccess access;
    access.server = "https://127.0.0.1:6443";
    if (question == 1) // the bytes as the output of a login program
        access.exec = auth::KubeExec{"client.authentication.k8s.io/v1", {{"/bin/login"}, {}, {}}, {}};
    KubeApi api(std::make_shared<auth::KubeCredentials>(std::move(access), secrets, kClock), server, pause);
    (void)api.list("/api/v1/pods", [](const Json &object) { (void)uidOf(object); }, {});
    (void)api.get("/api/v1/nodes/a", {});
    const WriteAnswer answer = api.write({"PATCH", "/api/v1/pods/a", "application/json", Json::object()}, {});
    check(answer.status == 0 || answer.status >= 200, "an answer has a status");
}

} // namespace gpuledger::fuzz
