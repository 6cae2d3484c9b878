-- SPDX-License-Identifier: GPL-3.0-or-later
-- What the idle list is answered from (app/store/idlekept.h), written with the facts that it follows from.

-- What every holder did on every unit that day; data: see app/store/idlecodec.h.
CREATE TABLE idle_day (
    day INTEGER PRIMARY KEY,
    data BLOB NOT NULL
) STRICT;

-- The candidates at the end of what was fetched, numbered in their order; instant and grace windows lie in meta.
CREATE TABLE idle_candidate (
    id INTEGER PRIMARY KEY,
    data BLOB NOT NULL
) STRICT;
