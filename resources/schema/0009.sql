-- SPDX-License-Identifier: GPL-3.0-or-later
-- How long workloads stayed idle before they worked again or ended (app/store/values/gapkept.h), from which the idle list says how
-- likely each one stays idle.

-- Every holder's idle runs of that day; data: see app/store/codecs/gapcodec.h.
CREATE TABLE gap_day (
    day INTEGER PRIMARY KEY,
    data BLOB NOT NULL
) STRICT;

-- What the days before that one add up to: one row, for the end of what was fetched.
CREATE TABLE gap_past (
    day INTEGER PRIMARY KEY,
    data BLOB NOT NULL
) STRICT;

-- Both follow from the facts of every day: the next writer derives all days anew. A report keeps what it was written with.
DELETE FROM meta WHERE key = 'rollup_fingerprint' AND NOT EXISTS (SELECT 1 FROM meta WHERE key = 'cut_to_days');
