// SPDX-License-Identifier: GPL-3.0-or-later
// Lists and watches of an API server, page by page and line by line, and its Status objects.
#include "connectors/kubernetes/objects.h"
#include "connectors/kubernetes/watchcache.h"
#include "tests/fuzz/fuzz.h"

namespace gpuledger::fuzz {

void fuzz(std::string_view bytes)
{
    using namespace kubernetes;
    const std::size_t question = choice(bytes, 3);
    auto server = std::make_shared<Server>(pieces(bytes, 4));
    auto pause = std::make_shared<NoPause>(20);
    Secrets secrets(bytes);
    auth::KubeAccess access;
    access.server = "https://127.0.0.1:6443";
    if (question == 2) // a login program says the bytes
        access.exec = auth::KubeExec{"client.authentication.k8s.io/v1", {{"/bin/login"}, {}, {}}, {}};
    KubeApi api(std::make_shared<auth::KubeCredentials>(std::move(access), secrets, kClock), server, pause);
    if (question == 0) {
        WatchCache cache(
            api, "/api/v1/pods", [](const Json &object) { return std::optional(manifestOf(object)); }, pause);
        std::stop_source enough; // a watch that always has news goes on forever
        server->stopBehind(8, enough);
        cache.run(enough.get_token());
        (void)cache.objects();
    } else {
        (void)api.list("/api/v1/pods", [](const Json &object) { (void)uidOf(object); }, {});
        (void)api.get("/api/v1/nodes/a", {});
        const WriteAnswer answer = api.write({"PATCH", "/api/v1/pods/a", "application/json", Json::object()}, {});
        check(answer.status == 0 || answer.status >= 200, "an answer has a status");
    }
}

} // namespace gpuledger::fuzz
