// SPDX-License-Identifier: GPL-3.0-or-later
// Composition root of the command line: the one place here that knows the connectors.
#include "app/base/coredump.h"
#include "app/base/memory.h"
#include "app/services/environment/folders.h"
#include "connectors/connectorregistry.h"
#include "connectors/secrets/commandconsent.h"
#include "connectors/secrets/secretstore.h"
#include "ui/cli/commandline.h"
#include "ui/cli/program/signalwatcher.h"

#include <sys/stat.h>

int main(int argc, char **argv)
{
    using namespace gpuledger;
    base::returnFreedMemory(); // the answers of a large fleet are read one after the other
    const base::NoCoreDumps noCoreDumps;
    umask(0077); // files we write are not accessible to others
    cli::SignalWatcher signals;
    const auto catalog = connectors::makeSourceCatalog();
    const auto consent = connectors::makeCommandConsent(services::agreedCommandsFile());
    const auto logins = connectors::makeLoginCommands();
    const auto secrets = connectors::makeSecretStore(consent.get());
    const std::shared_ptr<ports::NoticeTargets> targets = connectors::makeNoticeTargets(*secrets);
    return cli::runCommandLine(argc, argv, {*catalog, *secrets, *consent, *logins, targets}, signals.token(),
                               [&](cli::Ending ending) { signals.setEnding(ending); });
}
