// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/services/workspace/workspace.h"

#include <QSet>
#include <QString>

namespace gpuledger::tests {

// All external words: names of teams, nodes and so on of a synced fleet, units, names of months and days. They are the
// same in every language.
QSet<QString> dataWords(services::Workspace &workspace);

} // namespace gpuledger::tests
