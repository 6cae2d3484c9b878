-- SPDX-License-Identifier: GPL-3.0-or-later
-- Months that people signed off, and the log of what people did. None of it can be fetched or computed again: it is written
-- with synchronous=FULL and never changed. A month is YYYY-MM of UTC days; names of users are empty where unknown.

-- figures: SHA-256 of what was reviewed (app/reports/frozenmonth.h).
CREATE TABLE month_review (
    month TEXT PRIMARY KEY NOT NULL,
    reviewed_at INTEGER NOT NULL,
    reviewed_by TEXT NOT NULL,
    figures TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- figure_count: documents are made of the first so many of its rows. hash: SHA-256, in hexadecimal, of figure_count in
-- decimal and the contents of all rows in order, each followed by a line feed.
CREATE TABLE month_close (
    month TEXT PRIMARY KEY NOT NULL,
    figure_count INTEGER NOT NULL,
    row_count INTEGER NOT NULL,
    hash TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- content: a JSON array that begins with what it is (app/reports/frozenmonth.h). checksum: of month, number and content.
CREATE TABLE closed_row (
    month TEXT NOT NULL REFERENCES month_close (month),
    number INTEGER NOT NULL,
    content TEXT NOT NULL,
    checksum INTEGER NOT NULL,
    PRIMARY KEY (month, number)
) STRICT, WITHOUT ROWID;

-- See app/store/auditlog.h for the hash. meta.audit_head is the last entry's sequence and hash.
CREATE TABLE audit_entry (
    sequence INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    actor TEXT NOT NULL,
    action TEXT NOT NULL,
    object TEXT NOT NULL,
    details TEXT NOT NULL, -- JSON object
    previous TEXT NOT NULL,
    hash TEXT NOT NULL
) STRICT;

-- For those who forget; whoever means to can drop them, and is found by the hashes.
CREATE TRIGGER month_close_stays BEFORE UPDATE ON month_close BEGIN SELECT raise(ABORT, 'a closed month never changes'); END;
CREATE TRIGGER month_close_is_kept BEFORE DELETE ON month_close BEGIN SELECT raise(ABORT, 'a closed month is never deleted'); END;
CREATE TRIGGER closed_row_stays BEFORE UPDATE ON closed_row BEGIN SELECT raise(ABORT, 'a closed month never changes'); END;
CREATE TRIGGER closed_row_is_kept BEFORE DELETE ON closed_row BEGIN SELECT raise(ABORT, 'a closed month is never deleted'); END;
CREATE TRIGGER audit_entry_stays BEFORE UPDATE ON audit_entry BEGIN SELECT raise(ABORT, 'the audit log is only added to'); END;
CREATE TRIGGER audit_entry_is_kept BEFORE DELETE ON audit_entry BEGIN SELECT raise(ABORT, 'the audit log is only added to'); END;
