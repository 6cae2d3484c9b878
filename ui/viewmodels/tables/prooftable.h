// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/timezone.h"
#include "app/insight/proof/proof.h"
#include "ui/viewmodels/tables/tablesnapshot.h"

#include <QString>

#include <memory>
#include <utility>
#include <vector>

namespace gpuledger::ui {

// The source rows of a proof as a table: of usage or of cost, whichever it has.
std::vector<TableColumn> proofColumns(const insight::Proof &proof);
std::shared_ptr<const TableSnapshot> proofRows(std::shared_ptr<const insight::Proof> proof, const base::TimeZone &zone);

// The facts shown above the table: name and text, in order.
std::vector<std::pair<QString, QString>> proofFacts(const insight::Proof &proof, const base::TimeZone &zone);
// "and 12 smaller rows with 3.50 GPU-h"; empty: none is omitted.
QString proofLeftOut(const insight::Proof &proof);

// All digits, so that two different values look different.
QString proofValue(const insight::FigureValue &value);

} // namespace gpuledger::ui
