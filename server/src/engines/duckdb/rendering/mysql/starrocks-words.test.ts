import { expect, test } from 'vitest'
import { runText } from '../run-text.ts'
import { render } from '../render.ts'

const WRITTEN = {
  quotes: { escapes: true, doubleIsText: true, comments: 'mysql' },
  systemVariables: {},
  variables: {},
  words: 'mysql',
} as const

const plain = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()
const sent = (text: string): string => plain(render(text, WRITTEN)?.text ?? text)
const remarks = (text: string) => render(text, WRITTEN)?.remarks

const REPLACES = 'ON false WHEN NOT MATCHED BY SOURCE THEN DELETE WHEN NOT MATCHED BY TARGET THEN INSERT'

test.each([
  [
    'create table `d`.`t` DUPLICATE KEY (`id`) DISTRIBUTED BY HASH (id) BUCKETS 3 ORDER BY (id) PROPERTIES ("replication_num" = "1") as select id, a && b from u',
    'create table "d"."t" as select id AS "id", a AND b AS "a && b" from u',
  ],
  [
    'create table t ENGINE = OLAP PARTITION BY date_trunc("day", at) as select 1 as a',
    'create table t as select 1 as a',
  ],
  ['create table t ( INDEX idx_a (a) USING BITMAP ) as select 1 as a', 'create table t as select 1 as a'],
  [
    'create table t (id bigint, n largeint, s string) ENGINE = OLAP PRIMARY KEY (`id`) DISTRIBUTED BY HASH(id)',
    'create table t (id BIGINT, n HUGEINT, s string, PRIMARY KEY ("id"))',
  ],
  [
    'insert /*+SET_VAR(dynamic_overwrite = FALSE)*/ overwrite `d`.`t` (`a`, b) ( select `a`, b from u )',
    `MERGE INTO "d"."t" USING (SELECT NULL AS "0", NULL AS "1" WHERE false UNION ALL ( ( select "a", b from u ))) AS mysql_new ${REPLACES} ("a", "b") VALUES (mysql_new."0", mysql_new."1")`,
  ],
  [
    'insert overwrite table t select ifnull(a, 0) from u;',
    `MERGE INTO "t" USING (FROM ( select ifnull(a, 0) from u)) AS mysql_new ${REPLACES} BY POSITION;`,
  ],
  ['create table t', 'create table t'],
])('%s', (text, rendered) => {
  expect(sent(text)).toBe(rendered)
})

test('a key behind the columns of a query is made in the same transaction', () => {
  const text = 'create table `d`.t PRIMARY KEY (`id`, b) as select 1 as id, 2 as b'
  expect(sent(text)).toBe('create table "d".t as select 1 as id, 2 as b')
  expect(remarks(text)?.behind).toEqual(['ALTER TABLE "d"."t" ADD PRIMARY KEY ("id", "b")'])
  expect(remarks(text)?.warnings).toEqual([expect.stringContaining('REPLACE INTO')])
})

test('two tables take each other’s names', () => {
  const text = 'alter table `d`.`a` swap with `b c`;'
  expect(sent(text)).toBe('ALTER TABLE "d"."a" RENAME TO "a__swapped";')
  expect(remarks(text)?.behind).toEqual([
    'ALTER TABLE "d"."b c" RENAME TO "a"',
    'ALTER TABLE "d"."a__swapped" RENAME TO "b c"',
  ])
})

test('what has no effect is said', () => {
  expect(remarks('create table t DISTRIBUTED BY HASH (a) as select 1 as a')?.warnings).toEqual([
    expect.stringContaining('have no effect'),
  ])
  expect(remarks('create table t engine = InnoDB as select 1 as a')).toBeUndefined()
})

test.each([
  ['insert /*+ SET_VAR(dynamic_overwrite = TRUE) */ overwrite t select 1', 'no partitions'],
  ['insert overwrite t partition (p1) select 1', 'no partitions'],
  ['create table t (a int) UNIQUE KEY (a)', 'neither replaces nor sums up'],
  ['create table t AGGREGATE KEY (a) as select 1 as a', 'neither replaces nor sums up'],
  ['create table if not exists t PRIMARY KEY (a) as select 1 as a', 'IF NOT EXISTS'],
])('%s is refused, and nothing runs behind it', (text, words) => {
  expect(sent(text)).toMatch(/^SELECT system\.main\.error\(/)
  expect(sent(text)).toContain(words)
  expect(remarks(text)?.behind ?? []).toEqual([])
})

test('information_schema of the session’s own catalog is that of the session', () => {
  const text = 'select * from `default_catalog`.information_schema.materialized_views mv'
  const own = plain(runText(text, WRITTEN, 'default_catalog').sql)
  expect(own).toBe('select * from information_mysqls.materialized_views mv')
  expect(plain(runText(text, WRITTEN, 'lake').sql)).toContain('"default_catalog".information_schema.')
})
