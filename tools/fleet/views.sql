-- Questions about many recordings, as views over the tables of schema.sql. For ClickHouse 18.16 and later.
--   clickhouse-client --database orca --multiquery < views.sql
-- docs/fleet.md explains the columns. Times are nanoseconds.

-- Which locks cost most, over all JVMs? Each thread that waits counts: two threads blocked for a second are two seconds.
DROP TABLE IF EXISTS worst_locks;
CREATE VIEW worst_locks AS
SELECT
    name,
    sort,
    uniqExact(service) AS services,
    uniqExact(cityHash64(run)) AS runs,
    sum(waited) AS times,
    sum(blocked_ns) AS total_ns,
    max(longest_blocked_ns) AS longest_ns,
    argMax(service, blocked_ns) AS worst_service,
    argMax(version, blocked_ns) AS worst_version,
    argMax(run, blocked_ns) AS worst_run,
    argMax(method, blocked_ns) AS waits_in,
    argMax(holder_method, blocked_ns) AS holder_in,
    max(waited_is_least) AS is_least
FROM locks
WHERE is_signal = 0 AND waited > 0
GROUP BY name, sort
ORDER BY total_ns DESC, name, sort;

-- The same by service and version. `share`: threads that were blocked on the lock at a time, on average over all
-- recordings of this version.
DROP TABLE IF EXISTS worst_locks_by_version;
CREATE VIEW worst_locks_by_version AS
SELECT service, version, name, sort, runs, all_runs, times, total_ns, total_ns / all_ns AS share, longest_ns,
    worst_run, waits_in, holder_in, is_least
FROM
(
    SELECT
        service,
        version,
        name,
        sort,
        uniqExact(cityHash64(run)) AS runs,
        sum(waited) AS times,
        sum(blocked_ns) AS total_ns,
        max(longest_blocked_ns) AS longest_ns,
        argMax(run, blocked_ns) AS worst_run,
        argMax(method, blocked_ns) AS waits_in,
        argMax(holder_method, blocked_ns) AS holder_in,
        max(waited_is_least) AS is_least
    FROM locks
    WHERE is_signal = 0 AND waited > 0
    GROUP BY service, version, name, sort
)
ANY LEFT JOIN
(
    SELECT service, version, count() AS all_runs, sum(recorded_ns) AS all_ns
    FROM runs
    GROUP BY service, version
) USING (service, version)
ORDER BY total_ns DESC, service, version, name, sort;

-- Which JVMs ended in a deadlock, and which threads waited for which locks?
DROP TABLE IF EXISTS deadlocked_runs;
CREATE VIEW deadlocked_runs AS
SELECT service, version, host, run, program, ended_by, begin_at, time, deadlocks, members
FROM
(
    SELECT service, version, host, run, program, ended_by, begin_at, time, deadlocks
    FROM runs
    WHERE deadlocks > 0
)
ANY LEFT JOIN
(
    SELECT run, groupArray(concat(thread, ' waits for ', deadlock_lock)) AS members
    FROM threads
    WHERE deadlock > 0
    GROUP BY run
) USING (run)
ORDER BY begin_at DESC, run;

-- Which methods use the CPU? Time of a method itself, without its callees.
DROP TABLE IF EXISTS hot_methods;
CREATE VIEW hot_methods AS
SELECT service, version, method, runs, self_ns, self_ns / all_ns AS share
FROM
(
    SELECT service, version, method, uniqExact(cityHash64(run)) AS runs, sum(cpu_ns) AS self_ns
    FROM stacks
    WHERE cpu_ns > 0
    GROUP BY service, version, method
)
ANY LEFT JOIN
(
    SELECT service, version, sum(cpu_ns) AS all_ns
    FROM runs
    GROUP BY service, version
) USING (service, version)
ORDER BY self_ns DESC, service, version, method;

-- The same with callees: a method counts once for each stack that contains it.
DROP TABLE IF EXISTS hot_methods_with_callees;
CREATE VIEW hot_methods_with_callees AS
SELECT service, version, method, runs, total_ns, total_ns / all_ns AS share
FROM
(
    SELECT service, version, frame AS method, uniqExact(cityHash64(run)) AS runs, sum(cpu_ns) AS total_ns
    FROM
    (
        SELECT service, version, run, cpu_ns, arrayJoin(arrayDistinct(methods)) AS frame
        FROM stacks
        WHERE cpu_ns > 0
    )
    WHERE substring(frame, 1, 1) != '('
    GROUP BY service, version, frame
)
ANY LEFT JOIN
(
    SELECT service, version, sum(cpu_ns) AS all_ns
    FROM runs
    GROUP BY service, version
) USING (service, version)
ORDER BY total_ns DESC, service, version, method;

-- Where do threads wait, and how long do these calls take? Acquisitions that found their lock free are left out.
DROP TABLE IF EXISTS waits_by_method;
CREATE VIEW waits_by_method AS
SELECT
    service,
    version,
    event,
    name,
    method,
    count() AS times,
    sum(wait_ns) AS total_ns,
    quantile(0.99)(wait_ns) AS p99_ns,
    max(wait_ns) AS longest_ns,
    sum(open) AS not_ended
FROM waits
WHERE contended = 1
GROUP BY service, version, event, name, method
ORDER BY total_ns DESC, service, version, event, name, method;

-- The recordings that `changed_locks` compares: at most about 1,000 of each version of a service, chosen by a hash.
DROP TABLE IF EXISTS sampled_runs;
CREATE VIEW sampled_runs AS
SELECT service, version, run, begin_at, recorded_ns
FROM
(
    SELECT service, version, run, begin_at, recorded_ns
    FROM runs
    WHERE recorded_ns > 0
)
ANY LEFT JOIN
(
    SELECT service, version, count() AS all_runs
    FROM runs
    GROUP BY service, version
) USING (service, version)
WHERE (cityHash64(run) % 1000003) * all_runs < 1000003 * 1000;

-- The blocked time per second of each of these recordings, by the name of the lock. Without the row of several locks
-- that are not told apart: which locks are in it depends on which ones the agent had room for.
DROP TABLE IF EXISTS lock_shares;
CREATE VIEW lock_shares AS
SELECT service, version, run, name, lock_ns / recorded_ns AS share
FROM
(
    SELECT service, version, run, name, sum(blocked_ns) AS lock_ns
    FROM locks
    WHERE is_signal = 0 AND blocked_ns > 0
        AND name NOT IN ('', 'several objects, not told apart') AND run GLOBAL IN (SELECT run FROM sampled_runs)
    GROUP BY service, version, run, name
)
ALL INNER JOIN
(
    SELECT service, version, run, recorded_ns
    FROM sampled_runs
) USING (service, version, run);

-- Which locks got worse or better from one version of a service to a later one, and is that chance? Each recording
-- gives one figure: the blocked time per second of recording. The two versions are compared by the ranks of these
-- figures (Mann and Whitney's test, corrected for ties). `chance` is how likely so large a difference would be at some
-- lock of this service if both versions were the same. At most about 1,000 recordings of each version are
-- used, chosen by a hash of `run`.
DROP TABLE IF EXISTS changed_locks;
CREATE VIEW changed_locks AS
SELECT
    service,
    name,
    version_from,
    version_to,
    runs_from,
    runs_to,
    arraySum(shares_from) / runs_from AS share_from,
    arraySum(shares_to) / runs_to AS share_to,
    above,
    variance,
    locks_compared,
    z,
    least(1, erfc(abs(z) / sqrt(2)) * locks_compared) AS chance,
    multiIf(runs_from < 8 OR runs_to < 8, 'too few runs', chance >= 0.01, 'may be chance', z > 0, 'worse', 'better')
        AS verdict
FROM
(
    SELECT
        service, name, version_from, version_to, runs_from, runs_to, shares_from, shares_to, locks_compared,
        rank_sum - runs_to * (runs_to + 1) / 2 - runs_from * runs_to / 2 AS above,
        runs_from + runs_to AS num,
        runs_from * runs_to / 12 * (num + 1 - tied / (num * (num - 1))) AS variance,
        if(variance <= 0 OR abs(above) <= 0.5, 0,
           (abs(above) - 0.5) / sqrt(variance) * if(above > 0, 1, -1)) AS z
    FROM
    (
        SELECT
            service, name, version_from, version_to, runs_from, runs_to, shares_from, shares_to, locks_compared,
            arrayEnumerateUniq(sorted) AS after_first,
            arrayReverse(arrayEnumerateUniq(arrayReverse(sorted))) AS before_last,
            arraySum(arrayMap((later, i, a, b) -> later * (i + (toInt64(b) - toInt64(a)) / 2),
                              sorted_later, arrayEnumerate(sorted), after_first, before_last)) AS rank_sum,
            arraySum(arrayMap((a, b) -> (toFloat64(a) + b - 1) * (toFloat64(a) + b - 1) - 1,
                              after_first, before_last)) AS tied
        FROM
        (
            SELECT
                service, name, version_from, version_to, runs_from, runs_to, shares_from, shares_to, locks_compared,
                arrayConcat(shares_from, arrayMap(i -> toFloat64(0), range(toUInt64(runs_from - length(shares_from)))),
                            shares_to, arrayMap(i -> toFloat64(0), range(toUInt64(runs_to - length(shares_to))))) AS figures,
                arrayMap(i -> i >= runs_from, range(runs_from + runs_to)) AS is_later,
                arraySort(figures) AS sorted,
                arraySort((later, figure) -> figure, is_later, figures) AS sorted_later
            FROM
            (
                SELECT service, name, version_from, version_to, runs_from, runs_to, locks_compared, shares_from
                FROM
                (
                    SELECT service, name, version_from, version_to, runs_from, runs_to, locks_compared
                    FROM
                    (
                        SELECT service, version_from, version_to, runs_from, runs_to
                        FROM
                        (
                            SELECT service, version AS version_from, count() AS runs_from, min(begin_at) AS first_from
                            FROM sampled_runs
                            GROUP BY service, version
                        )
                        ALL INNER JOIN
                        (
                            SELECT service, version AS version_to, count() AS runs_to, min(begin_at) AS first_to
                            FROM sampled_runs
                            GROUP BY service, version
                        ) USING (service)
                        WHERE (first_from, version_from) < (first_to, version_to)
                    )
                    ALL INNER JOIN
                    (
                        SELECT service, arrayJoin(names) AS name, length(names) AS locks_compared
                        FROM
                        (
                            SELECT service, groupUniqArray(name) AS names
                            FROM lock_shares
                            GROUP BY service
                        )
                    ) USING (service)
                )
                ANY LEFT JOIN
                (
                    SELECT service, name, version AS version_from, groupArray(share) AS shares_from
                    FROM lock_shares
                    GROUP BY service, name, version
                ) USING (service, name, version_from)
            )
            ANY LEFT JOIN
            (
                SELECT service, name, version AS version_to, groupArray(share) AS shares_to
                FROM lock_shares
                GROUP BY service, name, version
            ) USING (service, name, version_to)
        )
    )
)
ORDER BY chance, share_to - share_from DESC, service, name, version_from, version_to;

-- The same for all services together, for locks of shared code and versions that many services have. Each service is
-- compared with itself, and the rank sums are added up. So services with few recordings count too.
DROP TABLE IF EXISTS changed_locks_of_fleet;
CREATE VIEW changed_locks_of_fleet AS
SELECT name, version_from, version_to, services, runs_compared, share_from_mean, share_to_mean, z, chance,
    multiIf(runs_compared < 16, 'too few runs', chance >= 0.01, 'may be chance', z > 0, 'worse', 'better') AS verdict
FROM
(
    SELECT name, version_from, version_to, services, runs_compared, share_from_mean, share_to_mean,
        if(all_variance <= 0 OR abs(all_above) <= 0.5, 0,
           (abs(all_above) - 0.5) / sqrt(all_variance) * if(all_above > 0, 1, -1)) AS z,
        least(1, erfc(abs(z) / sqrt(2)) * names_compared) AS chance
    FROM
    (
        SELECT
            name,
            version_from,
            version_to,
            count() AS services,
            sum(runs_from + runs_to) AS runs_compared,
            avg(share_from) AS share_from_mean,
            avg(share_to) AS share_to_mean,
            sum(above) AS all_above,
            sum(variance) AS all_variance
        FROM changed_locks
        GROUP BY name, version_from, version_to
    )
    ALL INNER JOIN
    (
        SELECT version_from, version_to, uniqExact(name) AS names_compared
        FROM changed_locks
        GROUP BY version_from, version_to
    ) USING (version_from, version_to)
)
ORDER BY chance, share_to_mean - share_from_mean DESC, name, version_from, version_to;
