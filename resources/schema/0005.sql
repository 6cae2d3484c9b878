-- SPDX-License-Identifier: GPL-3.0-or-later
-- What people stopped and brought back, and what they asked to be left alone. None of it can be fetched again: it is written
-- with synchronous=FULL, only ever added to, and every row has its entry in audit_entry. Meanings: app/model/actionrecord.h.

-- What somebody confirmed, before its call left. Values are JSON, manifest is empty where nothing needs it. per_month in
-- nano-units, NULL: unpriced. checksum: of all columns before it, as app/store/actionrows.cpp joins them.
CREATE TABLE action (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,
    plan TEXT NOT NULL,
    kind TEXT NOT NULL,
    undoes INTEGER REFERENCES action (id),
    source TEXT NOT NULL,
    cluster TEXT NOT NULL,
    api_version TEXT NOT NULL,
    object_kind TEXT NOT NULL,
    namespace TEXT NOT NULL,
    name TEXT NOT NULL,
    uid TEXT NOT NULL,
    simulated INTEGER NOT NULL,
    verb TEXT NOT NULL,
    version TEXT NOT NULL,
    field TEXT NOT NULL,
    old_value TEXT NOT NULL,
    new_value TEXT NOT NULL,
    manifest TEXT NOT NULL,
    holders TEXT NOT NULL,
    owner TEXT NOT NULL,
    gpu_millis INTEGER NOT NULL,
    per_month INTEGER,
    currency TEXT NOT NULL,
    actor TEXT NOT NULL,
    reason TEXT NOT NULL,
    at INTEGER NOT NULL,
    evidence TEXT NOT NULL,
    checksum INTEGER NOT NULL
) STRICT;
CREATE INDEX action_uid ON action (uid);
CREATE INDEX action_undoes ON action (undoes) WHERE undoes IS NOT NULL;

-- The states that it went through, the last one is the one it has.
CREATE TABLE action_step (
    action INTEGER NOT NULL REFERENCES action (id),
    number INTEGER NOT NULL,
    state TEXT NOT NULL,
    at INTEGER NOT NULL,
    result TEXT NOT NULL,
    receipt TEXT NOT NULL,
    version_after TEXT NOT NULL,
    checksum INTEGER NOT NULL,
    PRIMARY KEY (action, number)
) STRICT, WITHOUT ROWID;

-- until NULL: until it is taken back.
CREATE TABLE lease (
    id INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    holder TEXT NOT NULL,
    until INTEGER,
    actor TEXT NOT NULL,
    reason TEXT NOT NULL,
    at INTEGER NOT NULL,
    ended_at INTEGER,
    ended_by TEXT NOT NULL
) STRICT;
CREATE INDEX lease_holder ON lease (holder);

CREATE TRIGGER action_stays BEFORE UPDATE ON action BEGIN SELECT raise(ABORT, 'an action is only added to'); END;
CREATE TRIGGER action_is_kept BEFORE DELETE ON action BEGIN SELECT raise(ABORT, 'an action is never deleted'); END;
CREATE TRIGGER action_step_stays BEFORE UPDATE ON action_step BEGIN SELECT raise(ABORT, 'an action is only added to'); END;
CREATE TRIGGER action_step_is_kept BEFORE DELETE ON action_step BEGIN SELECT raise(ABORT, 'an action is never deleted'); END;
