-- The tables of schema.sql on several nodes. Each node keeps its part in the database orca_node; the tables in the
-- database orca read and write all nodes. All rows of a run are on one node. On each node:
--   clickhouse-client --query 'CREATE DATABASE orca_node'
--   clickhouse-client --database orca_node --multiquery < schema.sql
--   clickhouse-client --query 'CREATE DATABASE orca'
--   clickhouse-client --database orca --multiquery < distributed.sql
--   clickhouse-client --database orca --multiquery < views.sql
-- The configuration of each node needs the cluster `orca`, with the default_database orca_node: docs/fleet.md.

CREATE TABLE IF NOT EXISTS runs AS orca_node.runs ENGINE = Distributed(orca, '', runs, cityHash64(run));
CREATE TABLE IF NOT EXISTS waits AS orca_node.waits ENGINE = Distributed(orca, '', waits, cityHash64(run));
CREATE TABLE IF NOT EXISTS samples AS orca_node.samples ENGINE = Distributed(orca, '', samples, cityHash64(run));
CREATE TABLE IF NOT EXISTS locks AS orca_node.locks ENGINE = Distributed(orca, '', locks, cityHash64(run));
CREATE TABLE IF NOT EXISTS threads AS orca_node.threads ENGINE = Distributed(orca, '', threads, cityHash64(run));
CREATE TABLE IF NOT EXISTS stacks AS orca_node.stacks ENGINE = Distributed(orca, '', stacks, cityHash64(run));
