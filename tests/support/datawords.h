// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/services/workspace/workspace.h"

#include <QSet>
#include <QString>

namespace gpuledger::tests {

// What comes from outside, word by word: names of teams, nodes and so on of a synced fleet, units, names of months and
// days. It stays as it is in every language.
QSet<QString> dataWords(services::Workspace &workspace);

} // namespace gpuledger::tests
