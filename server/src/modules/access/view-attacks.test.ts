import { expect, test } from 'vitest'
import { sharedApp, type TestUser } from '../../testing/start-app.ts'

/** What nobody but an administrator may see, in a row that no view shows. */
const MARKER = 'MARKER'

const SETUP = [
  'CREATE DATABASE shop',
  'CREATE DATABASE mine',
  `CREATE TABLE shop.secret_t AS SELECT * FROM (VALUES
    (1, 'plain', true, 'b', TIMESTAMPTZ '2024-01-01 12:00:00+00', 1::DOUBLE, 1, NULL),
    (2, '${MARKER}', false, 'a', TIMESTAMPTZ '2024-01-01 23:30:00+00', 2::DOUBLE, NULL, 1))
    AS t(id, word, pub, lvl, moment, f, low, high)`,
  'CREATE TABLE shop.other AS SELECT 1 AS id',
  `CREATE TYPE main.lvl AS ENUM ('a', 'b')`,
  'CREATE MACRO main.shown(x) AS x < 2',
  'CREATE VIEW shop.pub_v AS SELECT id FROM shop.secret_t',
  'CREATE VIEW shop.over_v AS SELECT * FROM shop.pub_v',
  'CREATE VIEW shop.filt_v AS SELECT id, word FROM shop.secret_t WHERE pub',
  `CREATE VIEW shop.type_v AS SELECT word FROM shop.secret_t WHERE CAST(lvl AS main.lvl) > CAST('b' AS main.lvl)`,
  `CREATE VIEW shop.lambda_v AS SELECT list_filter([word], lambda x: CAST(lvl AS lvl) > CAST('b' AS lvl)) AS w FROM shop.secret_t`,
  'CREATE VIEW shop.first_v AS SELECT word FROM shop.secret_t ORDER BY id LIMIT 1',
  'CREATE VIEW shop.null_v AS SELECT word FROM shop.secret_t ORDER BY low LIMIT 1',
  `CREATE VIEW shop.text_v AS SELECT word FROM shop.secret_t WHERE lvl = 'A'`,
  'CREATE VIEW shop.div_v AS SELECT word FROM shop.secret_t WHERE f / 0 IS NULL',
  `CREATE VIEW shop.mod_v AS SELECT word FROM shop.secret_t WHERE (f % 0.0::DOUBLE) IS NULL`,
  `CREATE VIEW shop.day_v AS SELECT word FROM shop.secret_t WHERE CAST(moment AS DATE) = DATE '2024-01-02'`,
  `CREATE VIEW shop.hour_v AS SELECT word FROM shop.secret_t WHERE date_part('hour', moment) = 8`,
  `CREATE VIEW shop.since_v AS SELECT word FROM shop.secret_t WHERE moment < CAST('2024-01-01 10:00:00' AS TIMESTAMPTZ) - INTERVAL 0 DAY`,
  `CREATE VIEW shop.year_v AS SELECT word FROM shop.secret_t WHERE date_part('year', moment) > 2500`,
  'CREATE VIEW shop.sort_v AS SELECT word FROM shop.secret_t WHERE list_sort([id, 0])[1] = id',
  'CREATE VIEW shop.macro_v AS SELECT word FROM shop.secret_t WHERE shown(id)',
  `CREATE VIEW shop.cte_v AS WITH x AS (FROM shop.secret_t), y AS MATERIALIZED (SELECT id FROM x)
    SELECT y.id FROM y JOIN x USING (id) WHERE EXISTS (SELECT 1 FROM shop.secret_t s WHERE s.id = x.id)`,
  'CREATE VIEW shop.rec_v AS WITH RECURSIVE r AS (SELECT 1 AS n UNION SELECT n + 1 FROM r, shop.secret_t WHERE n < 3) FROM r',
  'CREATE VIEW shop.agg_v AS SELECT count(*) AS n FROM shop.secret_t HAVING n > 1',
  'CREATE VIEW shop.uni_v AS SELECT id FROM shop.secret_t UNION SELECT id FROM shop.other',
  'CREATE VIEW shop.user_v AS SELECT current_user AS who FROM shop.secret_t LIMIT 1',
  `CREATE VIEW shop.var_v AS SELECT id FROM shop.secret_t WHERE id = CAST(getvariable('chosen') AS INTEGER)`,
  `CREATE VIEW shop.names_v AS SELECT table_name FROM information_schema.tables WHERE table_name = 'other'`,
  'CREATE VIEW shop.pass_v AS SELECT moment, f FROM shop.secret_t',
  `CREATE VIEW shop.zone_v AS SELECT CAST(moment AT TIME ZONE 'Asia/Tokyo' AS DATE) AS day FROM shop.secret_t`,
  'USE shop',
  'CREATE VIEW unq_v AS SELECT id FROM secret_t',
  'USE main',
]

const VIEWS = SETUP.flatMap((sql) => /CREATE VIEW (?:shop\.)?(\w+)/.exec(sql)?.[1] ?? [])

const channels = new Map<TestUser, ReturnType<TestUser['channel']>>()

/** A new connection of this user. */
async function session(who: TestUser) {
  const opening = channels.get(who) ?? who.channel()
  channels.set(who, opening)
  const channel = await opening
  let connId = 0
  return async (sql: string) => {
    const answers = await channel.run(sql, { connId, oriConnId: connId })
    const last = answers.at(-1)
    if (!last) throw new Error('no answer')
    connId = last.connId
    return { answers, last }
  }
}

const app = sharedApp({}, { engine: 'embedded' })
let ready: ReturnType<typeof prepare> | undefined

async function prepare() {
  const { admin: signIn, user } = await app()
  const [admin, reader] = [await signIn(), await user()]
  const asAdmin = await session(admin)
  const ddl = ['CREATE TABLE', 'CREATE VIEW', 'CREATE FUNCTION']
  for (const sql of [
    ...SETUP,
    ...VIEWS.map((view) => `GRANT SELECT ON VIEW shop.${view} TO ${reader.name}`),
    ...ddl.map((privilege) => `GRANT ${privilege} ON DATABASE mine TO ${reader.name}`),
    `GRANT SELECT ON TABLE shop.other TO ${reader.name}`,
    `GRANT USAGE ON FUNCTION main.shown TO ${reader.name}`,
  ])
    expect([sql, (await asAdmin(sql)).last.errMsg]).toEqual([sql, ''])
  return { reader, admin }
}

const prepared = () => (ready ??= prepare())

/** A temporary view whose text found a table of the session when it was made, and finds another one now. */
const TV = [
  'CREATE TEMP TABLE secret_t AS SELECT 1 AS id, 1 AS word',
  'CREATE TEMP VIEW tv AS SELECT * FROM secret_t',
  'CREATE TEMP VIEW pub_v AS SELECT * FROM secret_t',
  'CREATE TEMP VIEW t2 AS SELECT * FROM tv',
  'CREATE TEMP MACRO m() AS TABLE SELECT * FROM secret_t',
  'DROP TABLE secret_t',
  'CREATE TABLE mine.kept (w VARCHAR)',
  'USE shop',
]

/** Each beside the view that is granted. */
const BESIDE = [
  'SELECT tv.* FROM tv, shop.pub_v',
  'SELECT * FROM pub_v',
  'SELECT * FROM pub_v, shop.pub_v AS p',
  'SELECT t2.* FROM t2, shop.pub_v',
  'SELECT m.* FROM m() AS m, shop.pub_v',
  'SELECT tv.* FROM tv, shop.over_v',
  'SELECT s.* FROM (SUMMARIZE shop.secret_t) s, shop.pub_v',
  'SELECT s.* FROM (SUMMARIZE tv) s, shop.pub_v',
  'SELECT s.* FROM shop.pub_v v, LATERAL (SELECT * FROM shop.secret_t s WHERE s.id = v.id) s',
  'SELECT s.* FROM shop.pub_v v, LATERAL (SELECT * FROM tv WHERE tv.id = v.id) s',
  'SELECT x.* FROM shop.other o, LATERAL (SELECT id, word FROM shop.secret_t s WHERE s.id >= o.id) x, shop.pub_v',
  'SELECT id FROM shop.pub_v v WHERE EXISTS (SELECT 1 FROM tv WHERE tv.id = v.id AND tv.id > 1 AND error(tv.word))',
  'WITH pub_v AS (FROM shop.secret_t) SELECT pub_v.* FROM pub_v, shop.pub_v AS p',
  'WITH shown AS (FROM shop.pub_v) SELECT tv.* FROM tv',
  'WITH RECURSIVE r AS (SELECT 1 AS n, NULL::VARCHAR AS w UNION ALL SELECT n + 1, tv.word FROM r, tv, shop.pub_v WHERE n < 2) FROM r',
  `SELECT q.* FROM query_table('shop.secr' || 'et_t') q, shop.pub_v`,
  `SELECT h.* FROM histogram('shop.secret_t', word) h, shop.pub_v`,
  'PIVOT (SELECT tv.word, tv.id FROM tv, shop.pub_v) ON id IN (1, 2) USING max(word)',
  'PIVOT (SELECT tv.word, tv.id FROM tv, shop.pub_v) ON word USING count(*)',
  'UNPIVOT (SELECT tv.word FROM tv, shop.pub_v) ON word',
  'SELECT COLUMNS(*) FROM tv, shop.pub_v',
  'SELECT tv FROM tv, shop.pub_v',
  'SELECT (SELECT min(word) FROM tv) FROM shop.pub_v',
  'SELECT id::VARCHAR FROM shop.pub_v UNION ALL SELECT word FROM tv',
  'SELECT * FROM shop.pub_v POSITIONAL JOIN tv',
  'SELECT * FROM shop.pub_v v ASOF JOIN tv ON v.id >= tv.id',
  'SELECT tv.* FROM (FROM tv TABLESAMPLE 100%) tv, shop.pub_v',
  'SELECT min(tv.word) OVER () FROM tv, shop.pub_v',
  'SELECT CAST(tv.word AS INTEGER) FROM tv, shop.pub_v WHERE tv.id = 2',
  'SELECT error(tv.word) FROM tv, shop.pub_v WHERE tv.id = 2',
  'EXPLAIN ANALYZE SELECT error(tv.word) FROM tv, shop.pub_v WHERE tv.id = 2',
  'CREATE TEMP TABLE taken AS SELECT tv.* FROM tv, shop.pub_v',
  'FROM taken',
  'INSERT INTO mine.kept SELECT tv.word FROM tv, shop.pub_v',
  'MERGE INTO mine.kept USING (SELECT tv.word FROM tv, shop.pub_v) s ON false WHEN NOT MATCHED THEN INSERT VALUES (s.word)',
  'FROM mine.kept',
  'CREATE VIEW mine.seen AS SELECT tv.* FROM tv, shop.pub_v',
  'FROM mine.seen',
  'CREATE MATERIALIZED VIEW mine.made AS SELECT tv.* FROM tv, shop.pub_v',
  'FROM mine.made',
  'BEGIN',
  'SELECT tv.* FROM tv, shop.pub_v',
  'ROLLBACK',
]

const ATTACKS: readonly (readonly [title: string, statements: readonly string[]])[] = [
  [
    'by a view of the reader that finds another table',
    [
      'USE mine',
      'CREATE TABLE secret_t AS SELECT 1 AS id, 1 AS word',
      'CREATE VIEW mine.w AS SELECT * FROM secret_t',
      'DROP TABLE secret_t',
      'USE shop',
      'SELECT w.* FROM mine.w, shop.pub_v',
    ],
  ],
  [
    'by a view that the transaction has made',
    [
      'BEGIN',
      'CREATE VIEW mine.x AS SELECT * FROM shop.secret_t',
      'FROM mine.x, shop.pub_v',
      'ROLLBACK',
      'BEGIN',
      'CREATE TEMP TABLE secret_t AS SELECT 1 AS id',
      'CREATE VIEW mine.x AS SELECT * FROM secret_t',
      'DROP TABLE temp.secret_t',
      'USE shop',
      'FROM mine.x, shop.pub_v',
      'ROLLBACK',
    ],
  ],
  [
    'by a temporary type',
    [
      'FROM shop.type_v',
      `CREATE TEMP TYPE lvl AS ENUM ('b', 'a')`,
      'FROM shop.type_v',
      'FROM shop.lambda_v',
      'CREATE TEMP VIEW x AS FROM shop.type_v',
      'FROM x',
      'WITH y AS (FROM shop.type_v) FROM y',
      'CREATE TEMP TABLE z AS FROM shop.type_v',
      'FROM z',
      'SUMMARIZE shop.type_v',
      'SELECT (SELECT min(word) FROM shop.type_v)',
    ],
  ],
  [
    'by a temporary type that is a text',
    ['CREATE TEMP TYPE lvl AS VARCHAR', 'FROM shop.type_v', 'FROM shop.lambda_v'],
  ],
  [
    'by a temporary macro in place of one of the view',
    ['CREATE TEMP MACRO shown(x) AS true', 'FROM shop.macro_v'],
  ],
  ['by a macro where the reader is', ['USE mine', 'CREATE MACRO mine.shown(x) AS true', 'FROM shop.macro_v']],
  [
    'by a temporary table in place of one of the view',
    ['CREATE TEMP TABLE secret_t AS SELECT 7 AS id', 'FROM shop.unq_v'],
  ],
  [
    'by default_order',
    [
      'FROM shop.first_v',
      `SET default_order = 'DESC'`,
      'FROM shop.first_v',
      'SELECT * FROM (FROM shop.first_v)',
      'CREATE TEMP TABLE z AS FROM shop.first_v',
      'FROM z',
      'FROM shop.sort_v',
    ],
  ],
  ['by default_null_order', [`SET default_null_order = 'NULLS_FIRST'`, 'FROM shop.null_v']],
  ['by default_collation', [`SET default_collation = 'NOCASE'`, 'FROM shop.text_v']],
  [
    'by ieee_floating_point_ops',
    ['SET ieee_floating_point_ops = false', 'FROM shop.div_v', 'FROM shop.mod_v'],
  ],
  [
    'by time_zone',
    [
      `SET time_zone = 'Asia/Tokyo'`,
      'FROM shop.day_v',
      'FROM shop.hour_v',
      'SELECT count(*) AS n, max(word) FROM shop.day_v',
      `SET time_zone = 'America/Los_Angeles'`,
      'FROM shop.since_v',
    ],
  ],
  ['by calendar', [`SET calendar = 'buddhist'`, 'FROM shop.year_v']],
]

/** The statements that show what nobody may see. */
async function leaks(run: Awaited<ReturnType<typeof session>>, statements: readonly string[]) {
  const found: string[] = []
  for (const sql of statements) if (JSON.stringify((await run(sql)).answers).includes(MARKER)) found.push(sql)
  return found
}

test('a view shows nothing of the table below it, whatever is read with it', async () => {
  const { reader } = await prepared()
  const run = await session(reader)
  for (const sql of TV) expect([sql, (await run(sql)).last.errMsg]).toEqual([sql, ''])
  expect(await leaks(run, BESIDE)).toEqual([])
})

test.each(ATTACKS)('a view shows nothing else than its maker meant it to: %s', async (_, statements) => {
  const { reader } = await prepared()
  expect(await leaks(await session(reader), statements)).toEqual([])
})

test('the message says why a view is not read in a session, and what to do', async () => {
  const { reader } = await prepared()
  const run = await session(reader)
  const why = async (...statements: string[]) => {
    for (const sql of statements.slice(0, -1)) expect([sql, (await run(sql)).last.errMsg]).toEqual([sql, ''])
    return (await run(statements.at(-1) ?? '')).last.errMsg
  }
  expect(await why(`SET default_order = 'DESC'`, 'FROM shop.first_v')).toBe(
    'The view shop.first_v has another meaning in this session, because of the setting default_order. Run RESET default_order, then run the statement again.',
  )
  expect(await why('RESET default_order', 'FROM shop.first_v')).toBe('')
  expect(await why(`SET time_zone = 'Asia/Tokyo'`, 'FROM shop.day_v')).toContain('Run RESET time_zone')
  expect(await why('RESET time_zone', 'FROM shop.day_v')).toBe('')
  expect(await why(`CREATE TEMP TYPE lvl AS ENUM ('b', 'a')`, 'FROM shop.type_v')).toContain(
    'because of the temporary type lvl: drop it and run the statement again',
  )
  expect(await why('DROP TYPE temp.lvl', 'FROM shop.type_v')).toBe('')
})

/** What people do with views, in sessions as they have them: each gives what it says. */
const USES: readonly (readonly [sql: string, rows: unknown])[] = [
  ['FROM shop.pub_v ORDER BY id', [['1'], ['2']]],
  ['SELECT v.id FROM shop.pub_v v JOIN shop.over_v o USING (id) WHERE v.id > 1', [['2']]],
  ['SELECT * FROM shop.filt_v', [['1', 'plain']]],
  ['SELECT id FROM shop.other o WHERE EXISTS (SELECT 1 FROM shop.pub_v v WHERE v.id = o.id)', [['1']]],
  ['SELECT id FROM shop.other WHERE id IN (SELECT id FROM shop.over_v)', [['1']]],
  ['SELECT x.id FROM shop.other o, LATERAL (SELECT * FROM shop.over_v v WHERE v.id = o.id) x', [['1']]],
  ['SELECT (SELECT max(v.id + o.id) FROM shop.cte_v v) FROM shop.other o', [['3']]],
  ['WITH x AS (FROM shop.pub_v) SELECT a.id FROM x a, x b WHERE a.id < b.id', [['1']]],
  ['SELECT count(*) FROM (FROM shop.pub_v UNION ALL FROM shop.pub_v)', [['4']]],
  [
    'SELECT id, row_number() OVER (ORDER BY id DESC) FROM shop.pub_v ORDER BY id',
    [
      ['1', '2'],
      ['2', '1'],
    ],
  ],
  ['PIVOT shop.pub_v ON id IN (1, 2) USING count(*)', [['1', '1']]],
  ['PIVOT shop.pub_v ON id USING count(*)', [['1', '1']]],
  ['SELECT column_name, max FROM (SUMMARIZE shop.pub_v)', [['id', '2']]],
  ['SELECT column_name FROM (DESCRIBE shop.pub_v)', [['id']]],
  ['SELECT id FROM shop.cte_v ORDER BY id', [['1'], ['2']]],
  ['SELECT n FROM shop.rec_v ORDER BY n', [['1'], ['2'], ['3']]],
  ['SELECT n FROM shop.agg_v', [['2']]],
  ['SELECT id FROM shop.uni_v ORDER BY id', [['1'], ['2']]],
  ['SELECT word FROM shop.macro_v', [['plain']]],
  ['SELECT word FROM shop.first_v', [['plain']]],
  ['SELECT id FROM shop.unq_v ORDER BY id', [['1'], ['2']]],
  ['SELECT word FROM shop.day_v', []],
  ['SELECT count(*) FROM shop.names_v', [['1']]],
  ['SELECT who FROM shop.user_v', 'user'],
  [`SET VARIABLE chosen = 2`, undefined],
  ['SELECT id FROM shop.var_v', [['2']]],
  ['CREATE TEMP TABLE t AS FROM shop.pub_v', undefined],
  ['SELECT count(*) FROM t', [['2']]],
  ['CREATE TEMP VIEW mine_v AS SELECT id * 10 AS ten FROM shop.over_v', undefined],
  ['SELECT ten FROM mine_v ORDER BY ten', [['10'], ['20']]],
  ['CREATE TEMP MACRO twice(x) AS x * 2', undefined],
  ['SELECT twice(id) FROM shop.pub_v ORDER BY 1', [['2'], ['4']]],
  ['CREATE TABLE mine.copied AS FROM shop.pub_v', undefined],
  ['INSERT INTO mine.copied FROM shop.over_v', undefined],
  ['SELECT count(*) FROM mine.copied', [['4']]],
  ['CREATE VIEW mine.on_top AS SELECT id FROM shop.over_v WHERE id > 1', undefined],
  ['FROM mine.on_top', [['2']]],
  ['BEGIN', undefined],
  ['FROM shop.pub_v ORDER BY id', [['1'], ['2']]],
  ['CREATE OR REPLACE VIEW mine.on_top AS SELECT id FROM shop.over_v WHERE id < 2', undefined],
  ['FROM mine.on_top', [['1']]],
  ['CREATE VIEW mine.newer AS SELECT id FROM mine.on_top', undefined],
  ['FROM mine.newer', [['1']]],
  ['COMMIT', undefined],
  ['FROM mine.newer', [['1']]],
  [`SET time_zone = 'Asia/Tokyo'`, undefined],
  ['SELECT count(moment) FROM shop.pass_v', [['2']]],
  ['SELECT max(moment) > now() FROM shop.pass_v', [['false']]],
  ['SELECT day::VARCHAR FROM shop.zone_v ORDER BY 1', [['2024-01-01'], ['2024-01-02']]],
  [`SET default_order = 'DESC'`, undefined],
  ['FROM shop.pub_v ORDER BY id', [['2'], ['1']]],
  [`SET default_collation = 'NOCASE'`, undefined],
  ['SELECT id FROM shop.pub_v ORDER BY id', [['2'], ['1']]],
  ['SET ieee_floating_point_ops = false', undefined],
  ['SELECT id / 0 FROM shop.over_v ORDER BY id', [[null], [null]]],
]

test('usual work with views continues, with temporary objects and session settings', async () => {
  const { reader } = await prepared()
  const run = await session(reader)
  for (const [sql, rows] of USES) {
    const { last } = await run(sql)
    expect.soft([sql, last.errMsg]).toEqual([sql, ''])
    if (rows === 'user') expect(last.result.flat()).toEqual([reader.name])
    else if (rows !== undefined) expect.soft([sql, last.result]).toEqual([sql, rows])
  }
})

const NEW_VIEWS: readonly (readonly [why: RegExp, statements: readonly string[]])[] = [
  [
    /temporary type lvl/,
    [`CREATE TEMP TYPE lvl AS ENUM ('b', 'a')`, `CREATE VIEW mine.n AS SELECT CAST('a' AS lvl) AS l`],
  ],
  [
    /something temporary/,
    ['CREATE TEMP TABLE low AS SELECT 1 AS a', 'CREATE VIEW mine.n AS SELECT a FROM low'],
  ],
  [/something temporary/, ['CREATE TEMP MACRO bonus(x) AS x', 'CREATE VIEW mine.n AS SELECT bonus(1) AS a']],
  [
    /setting default_order/,
    [`SET default_order = 'DESC'`, 'CREATE VIEW mine.n AS SELECT id FROM shop.pub_v ORDER BY id'],
  ],
  [
    /setting time_zone/,
    [`SET time_zone = 'Asia/Tokyo'`, 'CREATE VIEW mine.n AS SELECT CAST(now() AS DATE) AS d'],
  ],
  [
    /in its own database.*write names with their database/,
    ['USE shop', 'CREATE VIEW mine.n AS SELECT id FROM pub_v'],
  ],
]

test.each(NEW_VIEWS)(
  'a view is not made that means something else to others: %s',
  async (why, statements) => {
    const { reader, admin } = await prepared()
    for (const who of [reader, admin]) {
      const run = await session(who)
      for (const sql of statements.slice(0, -1))
        expect([sql, (await run(sql)).last.errMsg]).toEqual([sql, ''])
      const { errMsg } = (await run(statements.at(-1) ?? '')).last
      expect(errMsg).toMatch(/would have another meaning for others/)
      expect(errMsg).toMatch(why)
    }
  },
)
