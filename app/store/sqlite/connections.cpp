// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/store/sqlite/connections.h"

#include "app/base/remedy.h"

namespace gpuledger::store {

using base::ErrorCode;
using base::fail;
using base::Result;

Result<void> Connections::prepareWriter()
{
    if (readOnly)
        return fail(base::Error::make(ErrorCode::StorageReadOnly, file.filename().string() + " is open read-only")
                        .withSource(file.string()));
    if (identityOf(file) != identity) {
        writer.reset();
        return fail(base::Error::make(ErrorCode::Storage,
                                      file.filename().string() + " was removed or replaced while it was in use",
                                      base::Remedy::RestartProgram)
                        .withSource(file.string()));
    }
    if (!writer) {
        auto opened = Database::open(file, Database::Mode::Writer);
        if (!opened)
            return fail(std::move(opened).error());
        writer = std::move(*opened);
    }
    return {};
}

Result<void> Connections::nextGeneration()
{
    return writer->execute("UPDATE meta SET value = value + 1 WHERE key = 'generation'");
}

void Connections::closeAfter(const base::Error &error)
{
    if (error.code == ErrorCode::StorageFull || error.code == ErrorCode::Storage
        || error.code == ErrorCode::StorageCorrupt)
        writer.reset();
}

} // namespace gpuledger::store
