// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/table/tableinterface.h"

namespace gpuledger::widgets {

TableInterface::~TableInterface() = default;

} // namespace gpuledger::widgets
