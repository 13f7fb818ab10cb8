-- The tables of `orca export --format=tsv`, for ClickHouse 18.16 and later. docs/fleet.md explains the columns.
--   clickhouse-client --query 'CREATE DATABASE orca'
--   clickhouse-client --database orca --multiquery < schema.sql
-- Times are integer nanoseconds since 1970 in UTC. The column `time` is the same moment in seconds. It is not in
-- the exported tables: the server computes it. A partition is a month: ALTER TABLE waits DROP PARTITION 202611.

CREATE TABLE IF NOT EXISTS runs
(
    host String,
    service String,
    version String,
    run String,
    begin_at UInt64,
    end_at UInt64,
    recorded_ns UInt64,
    program String,
    jvm String,
    pid UInt64,
    ended_by String,
    threads UInt64,
    events UInt64,
    dropped UInt64,
    cpu_ns UInt64,
    blocked_ns UInt64,
    deadlocks UInt64,
    time DateTime DEFAULT toDateTime(intDiv(begin_at, 1000000000))
)
ENGINE = MergeTree PARTITION BY toYYYYMM(time) ORDER BY (service, version, run);

CREATE TABLE IF NOT EXISTS waits
(
    host String,
    service String,
    version String,
    run String,
    begin_at UInt64,
    wait_ns UInt64,
    event String,
    sort String,
    contended UInt8,
    failed UInt8,
    open UInt8,
    thread String,
    thread_hash String,
    object String,
    class String,
    name String,
    owner String,
    owner_hash String,
    method String,
    line UInt64,
    stack UInt64,
    time DateTime DEFAULT toDateTime(intDiv(begin_at, 1000000000))
)
ENGINE = MergeTree PARTITION BY toYYYYMM(time) ORDER BY (service, version, name, event, begin_at);

CREATE TABLE IF NOT EXISTS samples
(
    host String,
    service String,
    version String,
    run String,
    sampled_at UInt64,
    kind String,
    thread String,
    thread_hash String,
    state String,
    cpu_ns UInt64,
    method String,
    stack UInt64,
    time DateTime DEFAULT toDateTime(intDiv(sampled_at, 1000000000))
)
ENGINE = MergeTree PARTITION BY toYYYYMM(time) ORDER BY (service, version, thread, sampled_at);

CREATE TABLE IF NOT EXISTS locks
(
    host String,
    service String,
    version String,
    run String,
    begin_at UInt64,
    lock String,
    title String,
    name String,
    class String,
    sort String,
    is_signal UInt8,
    acquired Nullable(UInt64),
    waited UInt64,
    failed UInt64,
    open UInt64,
    blocked_ns UInt64,
    p99_blocked_ns UInt64,
    longest_blocked_ns UInt64,
    holds UInt64,
    held_ns Nullable(UInt64),
    longest_held_ns Nullable(UInt64),
    handoff_ns UInt64,
    method String,
    line UInt64,
    waiter String,
    holder String,
    holder_method String,
    holder_line UInt64,
    waited_is_least UInt8,
    time DateTime DEFAULT toDateTime(intDiv(begin_at, 1000000000))
)
ENGINE = MergeTree PARTITION BY toYYYYMM(time) ORDER BY (service, version, name, run);

CREATE TABLE IF NOT EXISTS threads
(
    host String,
    service String,
    version String,
    run String,
    thread String,
    thread_hash String,
    begin_at UInt64,
    end_at UInt64,
    alive UInt8,
    cpu_ns UInt64,
    running_ns UInt64,
    runnable_ns UInt64,
    blocked_ns UInt64,
    waiting_ns UInt64,
    parked_ns UInt64,
    sleeping_ns UInt64,
    io_ns UInt64,
    hidden_ns UInt64,
    no_call_ns UInt64,
    deadlock UInt64,
    deadlock_lock String,
    time DateTime DEFAULT toDateTime(intDiv(begin_at, 1000000000))
)
ENGINE = MergeTree PARTITION BY toYYYYMM(time) ORDER BY (service, version, run, thread);

CREATE TABLE IF NOT EXISTS stacks
(
    host String,
    service String,
    version String,
    run String,
    begin_at UInt64,
    stack UInt64,
    method String,
    methods Array(String),
    lines Array(UInt64),
    cpu_ns UInt64,
    wall_ns UInt64,
    blocked_ns UInt64,
    waits_ns UInt64,
    time DateTime DEFAULT toDateTime(intDiv(begin_at, 1000000000))
)
ENGINE = MergeTree PARTITION BY toYYYYMM(time) ORDER BY (service, version, method, stack, run);
