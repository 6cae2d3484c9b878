-- SPDX-License-Identifier: GPL-3.0-or-later
-- What alerts did, and the notices about them (app/store/alerts/alertstore.h). Times are seconds since 1970.

-- The states of a rule's scopes, as alerts::RuleMachine exports them. definition: a hash of what the rule watches; another one begins anew.
CREATE TABLE alert_state (
    rule TEXT NOT NULL PRIMARY KEY,
    definition TEXT NOT NULL,
    states TEXT NOT NULL,
    at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- alert_key: '' unless it began or ended to fire. value: with its unit; '' if unknown.
CREATE TABLE alert_change (
    id INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    rule TEXT NOT NULL,
    scope TEXT NOT NULL,
    alert_key TEXT NOT NULL,
    from_state TEXT NOT NULL,
    to_state TEXT NOT NULL,
    value TEXT NOT NULL
) STRICT;
CREATE INDEX alert_change_at ON alert_change (at);

-- A message to one target. state: waiting, delivered, dead. notice: firing, resolved. content: JSON. next_at: when it is tried next, NULL: never.
-- claimed_until: a program is sending it.
CREATE TABLE alert_message (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    target TEXT NOT NULL,
    rule TEXT NOT NULL,
    notice TEXT NOT NULL,
    state TEXT NOT NULL,
    content TEXT NOT NULL,
    attempts INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    next_at INTEGER,
    claimed_until INTEGER,
    delivered_at INTEGER,
    detail TEXT NOT NULL
) STRICT;
CREATE INDEX alert_message_next ON alert_message (next_at) WHERE next_at IS NOT NULL;

-- Which alert is in which message: no target is told the same thing twice.
CREATE TABLE alert_told (
    alert_key TEXT NOT NULL,
    target TEXT NOT NULL,
    notice TEXT NOT NULL,
    rule TEXT NOT NULL,
    scope TEXT NOT NULL,
    fired_at INTEGER NOT NULL,
    message INTEGER NOT NULL,
    PRIMARY KEY (alert_key, target, notice)
) STRICT, WITHOUT ROWID;
CREATE INDEX alert_told_message ON alert_told (message);

-- rule, scope: '' for all.
CREATE TABLE alert_silence (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    rule TEXT NOT NULL,
    scope TEXT NOT NULL,
    from_at INTEGER NOT NULL,
    until_at INTEGER NOT NULL,
    by_whom TEXT NOT NULL,
    reason TEXT NOT NULL
) STRICT;

CREATE TABLE alert_ack (
    alert_key TEXT NOT NULL PRIMARY KEY,
    by_whom TEXT NOT NULL,
    note TEXT NOT NULL,
    at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- The program that evaluates the rules.
CREATE TABLE alert_leader (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    instance TEXT NOT NULL,
    until_at INTEGER NOT NULL
) STRICT;
