-- SPDX-License-Identifier: GPL-3.0-or-later
-- The cache of a fleet. Times are Unix seconds (UTC), ranges are half-open. Everything in it can be fetched or computed again.

-- generation: counts the commits that changed facts or roll-up; rollup_fingerprint: the settings that the roll-up was made with.
CREATE TABLE meta (
    key TEXT PRIMARY KEY NOT NULL,
    value ANY NOT NULL
) STRICT;
INSERT INTO meta (key, value) VALUES ('generation', 0);

CREATE TABLE source (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE
) STRICT;

-- hull: from the first to the last instant that was ever asked for.
CREATE TABLE sync_state (
    source INTEGER PRIMARY KEY REFERENCES source (id),
    hull_start INTEGER,
    hull_end INTEGER,
    last_success INTEGER,
    last_attempt INTEGER,
    last_error TEXT NOT NULL DEFAULT '',
    last_error_code TEXT NOT NULL DEFAULT '',
    accepted INTEGER NOT NULL DEFAULT 0,
    rejected INTEGER NOT NULL DEFAULT 0,
    gaps INTEGER NOT NULL DEFAULT 0,
    bytes INTEGER NOT NULL DEFAULT 0
) STRICT;

-- What was fetched whole: disjoint ranges that do not touch.
CREATE TABLE sync_range (
    source INTEGER NOT NULL REFERENCES source (id),
    range_start INTEGER NOT NULL,
    range_end INTEGER NOT NULL,
    PRIMARY KEY (source, range_start)
) STRICT, WITHOUT ROWID;

CREATE TABLE cluster (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE
) STRICT;

-- as_of: the evidence that the attributes come from; older evidence only fills what is empty.
CREATE TABLE node (
    id INTEGER PRIMARY KEY,
    cluster INTEGER NOT NULL REFERENCES cluster (id),
    name TEXT NOT NULL,
    as_of INTEGER NOT NULL,
    labels TEXT NOT NULL, -- JSON object
    provider_id TEXT NOT NULL,
    instance_type TEXT NOT NULL,
    cloud TEXT NOT NULL,
    region TEXT NOT NULL,
    zone TEXT NOT NULL,
    gpu_capacity INTEGER NOT NULL,
    shared_gpus INTEGER NOT NULL,
    UNIQUE (cluster, name)
) STRICT;

CREATE TABLE device (
    id INTEGER PRIMARY KEY,
    cluster INTEGER NOT NULL REFERENCES cluster (id),
    uuid TEXT NOT NULL,
    as_of INTEGER NOT NULL,
    model TEXT NOT NULL,
    vendor TEXT NOT NULL,
    position INTEGER NOT NULL,
    memory_mib INTEGER NOT NULL,
    UNIQUE (cluster, uuid)
) STRICT;

CREATE TABLE mig_slice (
    device INTEGER NOT NULL REFERENCES device (id),
    gpu_instance TEXT NOT NULL,
    as_of INTEGER NOT NULL,
    profile TEXT NOT NULL,
    part INTEGER NOT NULL,
    whole INTEGER NOT NULL,
    PRIMARY KEY (device, gpu_instance)
) STRICT, WITHOUT ROWID;

CREATE TABLE subject (
    id INTEGER PRIMARY KEY,
    cluster INTEGER NOT NULL REFERENCES cluster (id),
    kind INTEGER NOT NULL,
    namespace TEXT NOT NULL,
    name TEXT NOT NULL,
    uid TEXT NOT NULL,
    exporter_like INTEGER NOT NULL,
    UNIQUE (cluster, namespace, name, uid, kind)
) STRICT;

CREATE TABLE holder (
    id INTEGER PRIMARY KEY,
    cluster INTEGER NOT NULL REFERENCES cluster (id),
    kind INTEGER NOT NULL,
    namespace TEXT NOT NULL,
    name TEXT NOT NULL,
    uid TEXT NOT NULL,
    as_of INTEGER NOT NULL,
    node TEXT NOT NULL,
    owner_kind TEXT NOT NULL,
    owner_name TEXT NOT NULL,
    labels TEXT NOT NULL, -- JSON object
    namespace_labels TEXT NOT NULL, -- JSON object
    gpu_requests TEXT NOT NULL, -- JSON object
    started_at INTEGER,
    completed_at INTEGER,
    UNIQUE (cluster, namespace, name, uid)
) STRICT;

-- Where a series spoke; one that is silent for more than an hour has a further row. subject 0 and node 0: not named by the series.
CREATE TABLE placement (
    device INTEGER NOT NULL REFERENCES device (id),
    gpu_instance TEXT NOT NULL,
    subject INTEGER NOT NULL,
    node INTEGER NOT NULL,
    role INTEGER NOT NULL,
    seen_start INTEGER NOT NULL,
    seen_end INTEGER NOT NULL,
    PRIMARY KEY (device, gpu_instance, subject, node, role, seen_start)
) STRICT, WITHOUT ROWID;
CREATE INDEX placement_subject ON placement (subject);
CREATE INDEX placement_node ON placement (node);

-- Disjoint ranges that do not touch, for each source and holder (node).
CREATE TABLE holder_span (
    holder INTEGER NOT NULL REFERENCES holder (id),
    source INTEGER NOT NULL REFERENCES source (id),
    span_start INTEGER NOT NULL,
    span_end INTEGER NOT NULL,
    PRIMARY KEY (holder, source, span_start)
) STRICT, WITHOUT ROWID;
CREATE INDEX holder_span_end ON holder_span (span_end, span_start);

CREATE TABLE node_span (
    node INTEGER NOT NULL REFERENCES node (id),
    source INTEGER NOT NULL REFERENCES source (id),
    span_start INTEGER NOT NULL,
    span_end INTEGER NOT NULL,
    PRIMARY KEY (node, source, span_start)
) STRICT, WITHOUT ROWID;
CREATE INDEX node_span_end ON node_span (span_end, span_start);

-- id = day << 32 | device; data: see app/store/usagecodec.h.
CREATE TABLE usage_day (
    id INTEGER PRIMARY KEY,
    data BLOB NOT NULL
) STRICT;

CREATE TABLE rollup_group (
    id INTEGER PRIMARY KEY,
    team TEXT NOT NULL,
    cluster TEXT NOT NULL,
    cloud TEXT NOT NULL,
    region TEXT NOT NULL,
    gpu_model TEXT NOT NULL,
    workload_kind TEXT NOT NULL,
    environment TEXT NOT NULL,
    UNIQUE (team, cluster, cloud, region, gpu_model, workload_kind, environment)
) STRICT;

-- Which groups occur on which day.
CREATE TABLE rollup_day (
    day INTEGER NOT NULL,
    group_id INTEGER NOT NULL REFERENCES rollup_group (id),
    PRIMARY KEY (day, group_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX rollup_day_group ON rollup_day (group_id);

-- id = measure << 48 | day << 24 | group, so that the days of one measure lie together; data: see app/store/cubecodec.h.
CREATE TABLE rollup (
    id INTEGER PRIMARY KEY,
    data BLOB NOT NULL
) STRICT;

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
