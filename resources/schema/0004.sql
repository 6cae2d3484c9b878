-- SPDX-License-Identifier: GPL-3.0-or-later
-- What cost allocators (OpenCost, Kubecost) say of UTC days: see app/model/money/allocation.h. Amounts are nano-units of the
-- day's currency, texts are rows of text, NULL is "it does not say".

-- What is replaced as a whole. final: it was asked for so late that it changes no more. checksum: over all of it.
CREATE TABLE allocation_day (
    id INTEGER PRIMARY KEY,
    source INTEGER NOT NULL REFERENCES source (id),
    day INTEGER NOT NULL,
    product INTEGER NOT NULL,
    currency TEXT NOT NULL,
    told_use INTEGER NOT NULL,
    fetched_at INTEGER NOT NULL,
    final INTEGER NOT NULL,
    checksum INTEGER NOT NULL,
    UNIQUE (source, day)
) STRICT;
CREATE INDEX allocation_day_day ON allocation_day (day);

CREATE TABLE allocation_node (
    allocation INTEGER NOT NULL REFERENCES allocation_day (id),
    position INTEGER NOT NULL,
    cluster INTEGER,
    name INTEGER,
    provider_id INTEGER,
    provider INTEGER,
    instance_type INTEGER,
    seconds INTEGER,
    gpu_millis INTEGER,
    gpu_seconds INTEGER,
    cpu_cost INTEGER,
    ram_cost INTEGER,
    gpu_cost INTEGER,
    adjustment INTEGER,
    total INTEGER,
    spot INTEGER NOT NULL,
    pods INTEGER NOT NULL,
    pod_gpu_seconds INTEGER,
    pod_gpu_cost INTEGER,
    PRIMARY KEY (allocation, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE allocation_idle (
    allocation INTEGER NOT NULL REFERENCES allocation_day (id),
    position INTEGER NOT NULL,
    cluster INTEGER,
    node INTEGER,
    total INTEGER,
    gpu_cost INTEGER,
    gpu_seconds INTEGER,
    PRIMARY KEY (allocation, position)
) STRICT, WITHOUT ROWID;

-- Where they differ from telemetry and the price book, and why. Written with the ledger of the day.
CREATE TABLE allocation_finding (
    day INTEGER NOT NULL,
    source TEXT NOT NULL,
    cluster TEXT NOT NULL,
    reason INTEGER NOT NULL,
    product INTEGER NOT NULL,
    currency TEXT NOT NULL,
    theirs INTEGER,
    ours INTEGER,
    nodes INTEGER NOT NULL,
    example TEXT NOT NULL,
    PRIMARY KEY (day, source, cluster, reason, product, currency)
) STRICT, WITHOUT ROWID;

-- Of origin "allocated": what the allocator says, in the key's currency. In no bill.
ALTER TABLE ledger_line ADD COLUMN allocated INTEGER NOT NULL DEFAULT 0;
DROP VIEW ledger_view;
CREATE VIEW ledger_view AS
    SELECT date(l.day * 86400, 'unixepoch') AS day, k.currency, k.category, k.origin, k.match, k.source, k.team, k.state,
        k.workload_kind, k.environment, k.account, k.account_name, k.service, k.cloud, k.region, k.cluster, k.gpu_model,
        l.billed / 1e9 AS billed, l.effective / 1e9 AS effective, l.allocated / 1e9 AS allocated,
        l.ticks / 9072000.0 AS gpu_hours, l.priced / 1e9 AS priced
    FROM ledger_line l JOIN ledger_key k ON k.id = l.key;
