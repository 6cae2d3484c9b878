-- SPDX-License-Identifier: GPL-3.0-or-later
-- Statements of single teams that people looked at, as month_review has it for whole months (0003.sql).

-- figures: SHA-256 of what was reviewed (app/reports/months/monthrecord.h).
CREATE TABLE team_review (
    month TEXT NOT NULL,
    team TEXT NOT NULL,
    reviewed_at INTEGER NOT NULL,
    reviewed_by TEXT NOT NULL,
    figures TEXT NOT NULL,
    PRIMARY KEY (month, team)
) STRICT, WITHOUT ROWID;
