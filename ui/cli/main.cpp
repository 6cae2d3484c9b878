// SPDX-License-Identifier: GPL-3.0-or-later
// Composition root of the command line: the one place here that knows the connectors.
#include "connectors/connectorregistry.h"
#include "connectors/secrets/secretstore.h"
#include "ui/cli/commandline.h"
#include "ui/cli/signalwatcher.h"

#include <sys/resource.h>
#include <sys/stat.h>

int main(int argc, char **argv)
{
    using namespace gpuledger;
    // Credentials pass through memory: no core file, and nothing that we write is for others.
    const rlimit none{0, 0};
    setrlimit(RLIMIT_CORE, &none);
    umask(0077);
    cli::SignalWatcher signals;
    const auto catalog = connectors::makeSourceCatalog();
    const auto secrets = connectors::makeSecretStore();
    return cli::runCommandLine(argc, argv, *catalog, *secrets, signals.token(),
                               [&](bool cooperative) { signals.setCooperative(cooperative); });
}
