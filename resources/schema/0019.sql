-- SPDX-License-Identifier: GPL-3.0-or-later
-- Groups of the roll-up by node pool, too: until the days are rebuilt, they have none. So have the candidates of the idle list.

CREATE TABLE rollup_day_before AS SELECT day, group_id FROM rollup_day;
CREATE TABLE rollup_group_before AS SELECT * FROM rollup_group;
DELETE FROM rollup_day;
DROP TABLE rollup_group;

CREATE TABLE rollup_group (
    id INTEGER PRIMARY KEY,
    team TEXT NOT NULL,
    cluster TEXT NOT NULL,
    cloud TEXT NOT NULL,
    region TEXT NOT NULL,
    gpu_model TEXT NOT NULL,
    workload_kind TEXT NOT NULL,
    environment TEXT NOT NULL,
    node_pool TEXT NOT NULL,
    UNIQUE (team, cluster, cloud, region, gpu_model, workload_kind, environment, node_pool)
) STRICT;

INSERT INTO rollup_group
    SELECT id, team, cluster, cloud, region, gpu_model, workload_kind, environment, '' FROM rollup_group_before;
INSERT INTO rollup_day (day, group_id) SELECT day, group_id FROM rollup_day_before;
DROP TABLE rollup_group_before;
DROP TABLE rollup_day_before;

DELETE FROM idle_candidate;
DELETE FROM meta WHERE key = 'idle_candidates';
