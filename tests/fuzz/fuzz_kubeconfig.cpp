// SPDX-License-Identifier: GPL-3.0-or-later
// kubeconfig files.
#include "connectors/auth/kubeconfig.h"
#include "connectors/auth/kubecredentials.h"
#include "tests/fuzz/fuzz.h"

#include <algorithm>

namespace gpuledger::fuzz {

void fuzz(std::string_view bytes)
{
    const auto parts = pieces(bytes, 2);
    std::vector<std::filesystem::path> files{fileOf("kubeconfig", parts[0])};
    if (parts.size() > 1)
        files.push_back(fileOf("kubeconfig2", parts[1]));
    const auto names = auth::listKubeContexts(files);
    for (const char *context : {"", "work"}) {
        auto access = auth::loadKubeconfig(files, context);
        if (!access)
            continue;
        check(http::parseUrl(access->server).has_value(), "the server is an address");
        check(names.has_value(), "a file with a usable context has names");
        check(std::all_of(access->headers.begin(), access->headers.end(),
                          [](const auto &h) { return h.first.starts_with("Impersonate-"); }),
              "only headers of impersonation");
        check(!access->exec || !access->exec->command.arguments.empty(), "a login program has a name");
        Secrets secrets(bytes);
        auth::KubeCredentials credentials(std::move(*access), secrets, kClock);
        if (const auto now = credentials.current()) {
            const std::string_view token = (*now)->bearer.reveal();
            check(token.find_first_of("\r\n") == std::string_view::npos, "a token has no line break");
        }
    }
}

} // namespace gpuledger::fuzz
