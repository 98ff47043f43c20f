import { expect, test } from 'vitest'
import { render } from '../render.ts'

const WRITTEN = {
  quotes: { escapes: true, doubleIsText: true, comments: 'mysql' },
  systemVariables: {},
  variables: {},
  words: 'mysql',
} as const

const sent = (text: string): string => (render(text, WRITTEN)?.text ?? text).replaceAll(/\s+/g, ' ').trim()

test.each([
  [
    'update a join b on a.id = b.id set a.x = b.y where b.z > 1',
    'UPDATE "a" AS "a" SET "x" = mysql_found."1" FROM (FROM a join b on a.id = b.id SELECT DISTINCT ON ("a".rowid) "a".rowid AS "0", b.y AS "1" where b.z > 1) AS mysql_found WHERE "a".rowid = mysql_found."0"',
  ],
  [
    'UPDATE LOW_PRIORITY `db`.`a` AS t, b SET t.x = 1, t.`y` = CONCAT(b.n, "q") WHERE t.id = b.id;',
    `UPDATE "db"."a" AS "t" SET "x" = mysql_found."1", "y" = mysql_found."2" FROM (FROM "db"."a" AS t, b SELECT DISTINCT ON ("t".rowid) "t".rowid AS "0", 1 AS "1", ("||"(mysql_text(b.n), CAST('q' AS VARCHAR))) AS "2" WHERE t.id = b.id) AS mysql_found WHERE "t".rowid = mysql_found."0";`,
  ],
  [
    'update a set x = x + 1 where y = 2 order by id desc limit 3',
    'UPDATE "a" AS "a" SET "x" = mysql_found."1" FROM (FROM a SELECT "a".rowid AS "0", x + 1 AS "1" where y = 2 order by id desc limit 3) AS mysql_found WHERE "a".rowid = mysql_found."0"',
  ],
  [
    'delete from a where x = 1 order by id limit 2',
    'DELETE FROM "a" AS "a" WHERE "a".rowid IN (SELECT "a".rowid from a where x = 1 order by id limit 2)',
  ],
  [
    'delete o from orders o left join people p on p.id = o.person where p.id is null',
    'DELETE FROM "orders" AS "o" WHERE "o".rowid IN (SELECT "o".rowid FROM orders o left join people p on p.id = o.person where p.id is null)',
  ],
  [
    'delete from o using orders as o inner join people p on p.id = o.person',
    'DELETE FROM "orders" AS "o" WHERE "o".rowid IN (SELECT "o".rowid FROM orders as o inner join people p on p.id = o.person)',
  ],
  [
    'delete a.* from a join (select id from b) c on a.id = c.id',
    'DELETE FROM "a" AS "a" WHERE "a".rowid IN (SELECT "a".rowid FROM a join (select id from b) c on a.id = c.id)',
  ],
  ['insert into a () values ()', 'insert into a DEFAULT VALUES'],
  ['insert into a values ();', 'insert into a DEFAULT VALUES;'],
  ['insert into a values (1), ()', 'insert into a values (1), ()'],
  ['update a set x = 1 where y = 2', 'update a set x = 1 where y = 2'],
  [
    'delete from a where x = (select 1 order by 1 limit 1)',
    'delete from a where x = (select 1 order by 1 limit 1)',
  ],
])('%s', (text, rendered) => {
  expect(sent(text)).toBe(rendered)
})

test('rows are distinguished by their numbers, and the rendering says of which table', () => {
  expect(render('delete from `d`.a limit 1', WRITTEN)?.remarks?.numbered).toEqual(['"d"."a"'])
  expect(render('delete from a', WRITTEN)?.remarks).toBeUndefined()
})

test.each([
  ['update a join b on a.id = b.id set a.x = 1, b.x = 2', 'changes one table'],
  ['delete a, b from a join b on a.id = b.id', 'changes one table'],
  ['alter table a add x int, add y int', 'one change at a time'],
  ['alter table a change x y int', 'RENAME COLUMN and MODIFY COLUMN'],
  ['alter table a modify x int not null', 'the type alone'],
])('%s is refused', (text, words) => {
  expect(sent(text)).toMatch(/^SELECT system\.main\.error\(/)
  expect(sent(text)).toContain(words)
})

test.each([
  [
    'alter table a add column x int(11) unsigned default 0 after id',
    'alter table a add column x UINTEGER default 0',
  ],
  ['alter table a add x datetime first', 'alter table a add x TIMESTAMP'],
  [
    'alter table a modify column x varchar(20) collate utf8mb4_bin',
    'alter table a ALTER COLUMN x TYPE varchar(20)',
  ],
  ['alter table a change x x bigint', 'alter table a ALTER COLUMN x TYPE BIGINT'],
  ['alter table a rename as b', 'alter table a RENAME TO b'],
  ['alter table a rename b', 'alter table a RENAME TO b'],
])('%s', (text, rendered) => {
  expect(sent(text)).toBe(rendered)
})

test('a place for a new column is not kept, and that is said', () => {
  expect(render('alter table a add x int after id', WRITTEN)?.remarks?.warnings).toEqual([
    expect.stringContaining('is the last one of its table'),
  ])
})
