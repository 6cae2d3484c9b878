-- SPDX-License-Identifier: GPL-3.0-or-later
-- What the replays of savings need of a UTC day whose facts are complete. Derived: a day without a row is read from its facts. The row is
-- removed in each transaction that rebuilds the roll-up of its day.

-- day: since 1970-01-01; rules: the settings and the form under which the data were derived, rows with others are not used; data: hourcodec.
CREATE TABLE day_fact (
    day INTEGER PRIMARY KEY,
    rules TEXT NOT NULL,
    data BLOB NOT NULL
) STRICT;
