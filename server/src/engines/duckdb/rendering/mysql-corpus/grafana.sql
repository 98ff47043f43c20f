# As Grafana's MySQL data source expands its macros.
SELECT UNIX_TIMESTAMP(at) DIV 60 * 60 AS "time", kind AS metric, AVG(value) AS value FROM events WHERE at BETWEEN FROM_UNIXTIME(1714989600) AND FROM_UNIXTIME(1714993200) GROUP BY 1, 2 ORDER BY 1, 2
SELECT UNIX_TIMESTAMP(at) DIV 300 * 300 AS time, COUNT(*) AS n FROM events GROUP BY time ORDER BY time
SELECT UNIX_TIMESTAMP(at) as time_sec, value as value, host as metric FROM events WHERE at >= FROM_UNIXTIME(1714989600) AND at <= FROM_UNIXTIME(1714990100) ORDER BY at ASC
SELECT seconds DIV 3600 * 3600 AS time, MAX(value) AS value FROM events WHERE seconds >= 1714989600 AND seconds <= 1715040000 GROUP BY 1 ORDER BY 1
SELECT cast(cast(UNIX_TIMESTAMP(at)/(60) as signed)*60 as signed) AS time, sum(value) AS value FROM events GROUP BY 1 ORDER BY 1
SELECT FROM_UNIXTIME(seconds) AS time, value FROM events WHERE kind = 'cpu' ORDER BY time
SELECT at AS time, CONCAT(kind, '@', host) AS metric, value FROM events WHERE kind IN ('cpu','mem') ORDER BY at
SELECT DISTINCT host FROM events ORDER BY host
SELECT host AS __text, id AS __value FROM events ORDER BY id
SELECT DATE_FORMAT(at, '%Y-%m-%d %H:%i:00') AS t, AVG(value) AS v FROM events GROUP BY t ORDER BY t
SELECT MIN(UNIX_TIMESTAMP(at)) AS time, COUNT(*) AS value, kind AS metric FROM events GROUP BY kind ORDER BY kind
SELECT TIMESTAMPDIFF(SECOND, MIN(at), MAX(at)) AS span FROM events
SELECT at, TIMEDIFF(at, '2024-05-06 10:00:00') AS since FROM events WHERE id < 6 ORDER BY id
SELECT at, TIME(at) AS clock, TIME_TO_SEC(TIME(at)) AS secs FROM events ORDER BY id
SELECT SEC_TO_TIME(SUM(seconds - 1714989600)) AS total FROM events WHERE id < 4
SELECT FLOOR(seconds / 3600) * 3600 AS hour, COUNT(*) FROM events GROUP BY hour ORDER BY hour
SELECT at - INTERVAL 1 HOUR AS earlier, at + INTERVAL 15 MINUTE AS later FROM events ORDER BY id
SELECT COUNT(*) FROM events WHERE at > '2024-05-06 10:00:00' - INTERVAL 1 DAY
SELECT host, SUM(IF(kind = 'cpu', value, 0)) AS cpu, SUM(IF(kind = 'mem', value, 0)) AS mem FROM events GROUP BY host ORDER BY host
SELECT ROUND(AVG(value), 3) AS v, STDDEV(value) > 1 AS s FROM events
SELECT UNIX_TIMESTAMP(at) DIV 300 * 300 AS `time`, host AS metric, MAX(value) AS value FROM events WHERE at BETWEEN FROM_UNIXTIME(1714980000) AND FROM_UNIXTIME(1715050000) GROUP BY 1, 2 ORDER BY 1, 2
SELECT at AS time_sec, value, kind AS metric FROM events WHERE at >= FROM_UNIXTIME(1714989600) AND at <= FROM_UNIXTIME(1714993200) ORDER BY at ASC LIMIT 1000
SELECT DISTINCT host FROM events WHERE kind IN ('cpu','mem') AND ('a.example.org' = 'All' OR host REGEXP 'a|b') ORDER BY host
SELECT kind AS __text, kind AS __value FROM events GROUP BY kind ORDER BY kind
SELECT FLOOR(UNIX_TIMESTAMP(at)/(3600))*3600 AS `time`, AVG(value) AS avg_value, COUNT(*) AS n FROM events GROUP BY 1 HAVING n > 1 ORDER BY 1
