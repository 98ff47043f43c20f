import { CODES, query } from '@boathouse/contract'
import { expect, test } from 'vitest'
import { sharedApp, type TestUser } from '../../testing/start-app.ts'

const shared = sharedApp({}, { engine: 'embedded' })

const DENIED = CODES.NoPermission.code
const OK = CODES.Ok.code
/** In every row that must not be seen. */
const MARKER = 'kingfisher'

async function session(who: TestUser) {
  const channel = await who.channel()
  let connId = 0
  return async (sql: string) => {
    const last = (await channel.run(sql, { connId, oriConnId: connId })).at(-1)
    if (!last) throw new Error('no answer')
    connId = last.connId
    return last
  }
}

async function setUp() {
  const app = await shared()
  const admin = await app.admin()
  const asAdmin = await session(admin)
  const done = async (...texts: string[]) => {
    for (const sql of texts) expect([sql, (await asAdmin(sql)).errMsg]).toEqual([sql, ''])
  }
  return { app, asAdmin, done }
}

/** Whatever was sent, and however it ended, nothing that the history keeps of it has the marker. */
async function expectUnseen(eve: TestUser): Promise<void> {
  const { data } = await eve.call(query.history, { limit: 200 })
  expect(data.entries.length).toBeGreaterThan(0)
  for (const { sql, ...kept } of data.entries)
    expect([sql, JSON.stringify(kept)]).not.toEqual([sql, expect.stringContaining(MARKER)])
}

/** What somebody may try who may add, change and remove rows of `t`, `i`, `p` and `l`, and read `own` alone. */
const ATTACKS = [
  `MERGE INTO t USING (SELECT 1 AS id) s ON t.id = s.id WHEN MATCHED THEN ERROR t.word`,
  `MERGE INTO t USING (SELECT 1 AS id) s ON true WHEN MATCHED THEN ERROR t.word`,
  `MERGE INTO t USING (SELECT 1 AS id) s ON t.id = s.id WHEN MATCHED AND t.word LIKE 'k%' THEN DELETE`,
  `MERGE INTO t USING (SELECT 1 AS id) s ON true WHEN MATCHED THEN UPDATE SET id = error(t.word)`,
  `MERGE INTO t USING own ON t.word = own.word WHEN NOT MATCHED BY SOURCE THEN ERROR t.word`,
  `MERGE INTO t USING (SELECT 5 AS id) s ON t.id = s.id WHEN NOT MATCHED THEN INSERT VALUES (5, 'x', 5) RETURNING *`,
  `MERGE INTO p USING (SELECT 1 AS id) s ON p.id = s.id WHEN MATCHED THEN UPDATE SET word = 'x'`,
  `UPDATE t SET id = error(word)`,
  `UPDATE t SET id = CAST(word AS INT)`,
  `UPDATE t SET word = word || 'x'`,
  `UPDATE t SET n = CASE WHEN word LIKE 'k%' THEN error('yes') ELSE n END`,
  `UPDATE t SET n = 1 WHERE word = 'kingfisher'`,
  `UPDATE t SET n = 1 WHERE error(word) IS NULL`,
  `UPDATE t SET n = 1 WHERE id = 1`,
  `UPDATE t SET n = id`,
  `UPDATE t SET n = (SELECT max(length(word)) FROM t)`,
  `UPDATE t SET n = (SELECT count(*) FROM own WHERE own.word = t.word)`,
  `UPDATE t SET n = own.id FROM own WHERE own.word <> t.word`,
  `UPDATE t SET n = 1 RETURNING word`,
  `UPDATE t SET n = 1 RETURNING error(word)`,
  `UPDATE own SET word = t.word FROM t`,
  `UPDATE i SET word = id::VARCHAR`,
  `UPDATE i SET id = length(word)`,
  `UPDATE l SET list = [error(word)]`,
  `UPDATE l SET list = [id]`,
  `UPDATE t AS x SET n = strptime(x.word, '%Y')::DATE - DATE '2020-01-01'`,
  `WITH q AS (SELECT word FROM t) UPDATE own SET word = (SELECT max(word) FROM q)`,
  `WITH q AS (SELECT 1 AS a) UPDATE t SET n = a FROM q WHERE error(t.word) IS NULL`,
  `DELETE FROM t WHERE error(word)`,
  `DELETE FROM t WHERE word > 'j'`,
  `DELETE FROM t WHERE id IN (SELECT CAST(word AS INT) FROM t)`,
  `DELETE FROM t USING t AS o WHERE error(o.word) IS NULL`,
  `DELETE FROM t USING own WHERE own.word = t.word`,
  `DELETE FROM t WHERE EXISTS (SELECT 1 FROM own WHERE own.word = t.word)`,
  `DELETE FROM t RETURNING word`,
  `EXPLAIN ANALYZE DELETE FROM t WHERE error(word)`,
  `EXPLAIN UPDATE t SET n = 1 WHERE word = 'a'`,
  `INSERT INTO own SELECT id, word FROM t`,
  `INSERT INTO t SELECT id, error(word), n FROM t`,
  `INSERT INTO t VALUES (9, (SELECT max(word) FROM t), 9)`,
  `INSERT INTO p VALUES (1, 'x', 1) ON CONFLICT (id) DO UPDATE SET word = error(p.word)`,
  `INSERT INTO p VALUES (1, 'x', 1) ON CONFLICT (id) DO UPDATE SET n = length(p.word)`,
  `INSERT INTO p VALUES (1, 'x', 1) ON CONFLICT (id) DO UPDATE SET word = 'y' WHERE p.word LIKE 'k%'`,
  `INSERT INTO p VALUES (1, 'x', 1) ON CONFLICT (id) DO UPDATE SET word = 'y' WHERE error(p.word) IS NULL`,
  `INSERT INTO p VALUES (1, 'x', 1) ON CONFLICT (id) DO UPDATE SET n = p.n + 1`,
  `INSERT INTO p VALUES (1, 'x', 1) ON CONFLICT (id) DO NOTHING RETURNING *`,
  `INSERT INTO p BY NAME SELECT 1 AS id ON CONFLICT (id) DO UPDATE SET word = (SELECT max(word) FROM t)`,
  `INSERT OR REPLACE INTO p VALUES (1, (SELECT max(word) FROM p), 1) RETURNING word`,
] as const

/** And what they may do all the same, as in PostgreSQL. */
const ALLOWED = [
  `INSERT INTO t VALUES (7, 'x', 7)`,
  `INSERT INTO t (id) VALUES (8)`,
  `INSERT INTO t SELECT id, word, id FROM own`,
  `INSERT INTO p VALUES (1, 'x', 1) ON CONFLICT (id) DO NOTHING`,
  `INSERT OR IGNORE INTO p VALUES (1, 'x', 1)`,
  `INSERT INTO p VALUES (31, 'x', 31) ON CONFLICT (id) DO UPDATE SET word = excluded.word, n = 3`,
  `INSERT OR REPLACE INTO l VALUES (1, [5], 'x')`,
  `UPDATE t SET n = 1`,
  `UPDATE t SET n = 1, id = 2 + 3`,
  `UPDATE t SET n = DEFAULT`,
  `UPDATE t SET n = (SELECT max(id) FROM own)`,
  `UPDATE t SET n = own.id FROM own WHERE own.id = 1`,
  `UPDATE i SET word = 'x'`,
  `UPDATE l SET list = [1, 2]`,
  `MERGE INTO t USING own ON false WHEN NOT MATCHED THEN INSERT VALUES (own.id, own.word, 1)`,
  `UPDATE own SET word = 'x' WHERE word = 'mine' RETURNING *`,
  `EXPLAIN DELETE FROM t`,
  `DELETE FROM t USING own WHERE own.id = 99`,
  `DELETE FROM i`,
  `TRUNCATE t`,
] as const

async function writer() {
  const { app, asAdmin, done } = await setUp()
  const eve = await app.user()
  const grants = 't i p l'
    .split(' ')
    .map((name) => `GRANT INSERT, UPDATE, DELETE ON w.${name} TO ${eve.name}`)
  await done(
    'CREATE DATABASE w',
    'CREATE TABLE w.t (id INT, word VARCHAR, n INT DEFAULT 5)',
    'CREATE TABLE w.i (id INT, word VARCHAR)',
    'CREATE INDEX by_word ON w.i (word)',
    'CREATE TABLE w.p (id INT PRIMARY KEY, word VARCHAR, n INT)',
    'CREATE TABLE w.l (id INT PRIMARY KEY, list INT[], word VARCHAR)',
    'CREATE TABLE w.own (id INT, word VARCHAR)',
    `INSERT INTO w.t VALUES (1, '${MARKER}', 1)`,
    `INSERT INTO w.i VALUES (1, '${MARKER}')`,
    `INSERT INTO w.p VALUES (1, '${MARKER}', 1), (31, '${MARKER}', 2)`,
    `INSERT INTO w.l VALUES (1, [1], '${MARKER}')`,
    `INSERT INTO w.own VALUES (1, 'mine')`,
    ...grants,
    `GRANT SELECT, INSERT, UPDATE, DELETE ON w.own TO ${eve.name}`,
  )
  const asEve = await session(eve)
  expect((await asEve('USE w')).errMsg).toBe('')
  return { eve, asEve, asAdmin }
}

test('values of a table that is changed are used only by users who can read it, and are never shown', async () => {
  const { eve, asEve, asAdmin } = await writer()
  for (const sql of ATTACKS) {
    const answer = await asEve(sql)
    expect([sql, answer.errCode]).toEqual([sql, DENIED])
    expect(JSON.stringify([answer.result, answer.errMsg])).not.toContain(MARKER)
  }
  const why = (await asEve(`UPDATE t SET n = 1 WHERE word = 'a'`)).errMsg
  expect(why).toContain('The statement also reads the table that it changes')
  expect(why).toContain('SELECT on TABLE default_catalog.w.t')
  expect((await asAdmin(`SELECT count(*) FROM w.t WHERE word = '${MARKER}' AND n = 1`)).result).toEqual([
    ['1'],
  ])
  for (const sql of ALLOWED) expect([sql, (await asEve(sql)).errMsg]).toEqual([sql, ''])
  await expectUnseen(eve)
})

/** By who may alter the table, and neither read nor change its rows. */
const ALTERING = [
  [`ALTER TABLE a.t ALTER word TYPE INT`, 'could not be converted'],
  [`ALTER TABLE a.t ALTER word SET DATA TYPE DATE`, 'could not be converted'],
  [`ALTER TABLE a.t ADD PRIMARY KEY (word)`, 'same key'],
  [`CREATE UNIQUE INDEX one ON a.t (word)`, 'same key'],
  [`ALTER TABLE a.t ALTER n SET NOT NULL`, 'no value'],
] as const

const COMPUTING = [
  `ALTER TABLE a.t ALTER word TYPE INT USING error(word)`,
  `ALTER TABLE a.t ALTER n TYPE INT USING CASE WHEN word LIKE 'k%' THEN error('yes') ELSE 1 END`,
  `ALTER TABLE a.t ALTER n TYPE INT USING CAST(word AS INT)`,
  `CREATE INDEX ix ON a.t ((error(word)))`,
  `CREATE UNIQUE INDEX ix ON a.t ((CASE WHEN word LIKE 'k%' THEN 1 ELSE id END))`,
] as const

test('a user who alters a table without SELECT on it learns what is wrong with it, and no value', async () => {
  const { app, done } = await setUp()
  const eve = await app.user()
  await done(
    'CREATE DATABASE a',
    'CREATE TABLE a.t (id INT, word VARCHAR, n INT)',
    `INSERT INTO a.t VALUES (1, '${MARKER}', NULL), (2, '${MARKER}', 2)`,
    `GRANT ALTER, DELETE, UPDATE ON a.t TO ${eve.name}`,
    `GRANT CREATE TABLE ON DATABASE a TO ${eve.name}`,
    'CREATE TABLE a.parent (word VARCHAR PRIMARY KEY)',
    'CREATE TABLE a.child (word VARCHAR REFERENCES a.parent (word))',
    `INSERT INTO a.parent VALUES ('${MARKER}')`,
    `INSERT INTO a.child VALUES ('${MARKER}')`,
    `GRANT DELETE ON a.parent TO ${eve.name}`,
  )
  const asEve = await session(eve)
  for (const [sql, words] of [...ALTERING, [`DELETE FROM a.parent`, 'foreign key'] as const]) {
    const { errCode, errMsg } = await asEve(sql)
    expect([sql, errCode === OK, errMsg]).toEqual([sql, false, expect.stringContaining(words)])
    expect([sql, errMsg]).toEqual([sql, expect.stringContaining('is not shown, because you may not read')])
    expect(errMsg).not.toContain(MARKER)
  }
  for (const sql of COMPUTING) expect([sql, (await asEve(sql)).errCode]).toEqual([sql, DENIED])
  await expectUnseen(eve)
  await done(`GRANT SELECT ON a.t TO ${eve.name}`)
  expect((await asEve(`ALTER TABLE a.t ALTER word TYPE INT`)).errMsg).toContain(MARKER)
})

/** Neither a message nor a failure may reveal rows that a view leaves out. */
const VIEWS = {
  chosen: `SELECT id, word, n FROM v.t WHERE (id % 1000) <> 777`,
  joined: `SELECT t.id, word, n FROM v.t AS t JOIN v.may AS may ON t.id = may.id`,
  there: `SELECT id, word, n FROM v.t AS t WHERE EXISTS (SELECT 1 FROM v.may AS may WHERE may.id = t.id)`,
}

/** Each fails on the marker, and on no row of the views. */
const PREDICATES = [
  `error(CASE WHEN word = '${MARKER}' THEN word END) IS NULL`,
  `CASE WHEN word = '${MARKER}' THEN error(word) ELSE true END`,
  `word::INT >= 0`,
  `n + 1 > 0`,
  `word::BIT IS NOT NULL`,
  `(CASE WHEN word = '1' THEN 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11' ELSE word END)::UUID IS NOT NULL`,
  `('[' || word || ']')::INT[] IS NOT NULL`,
  `regexp_replace('abc', CASE WHEN word = '${MARKER}' THEN '[' ELSE 'a' END, 'x') IS NOT NULL`,
  `regexp_full_match('a', CASE WHEN word = '${MARKER}' THEN '[' ELSE 'a' END)`,
  `hamming(word, '1') >= 0`,
  `jaccard(CASE WHEN word = '${MARKER}' THEN '' ELSE 'a' END, 'a') >= 0`,
  `word LIKE 'a' ESCAPE CASE WHEN word = '${MARKER}' THEN 'ab' ELSE 'x' END OR id >= 0`,
  `substring(word, 1, CASE WHEN word = '${MARKER}' THEN 99999999999 ELSE 1 END) IS NOT NULL`,
  `list_transform([word], lambda x: x::INT) IS NOT NULL`,
  `url_decode(CASE WHEN word = '${MARKER}' THEN '%FF%FE' ELSE 'a' END) IS NOT NULL`,
  `chr(CASE WHEN word = '${MARKER}' THEN -1 ELSE 65 END) IS NOT NULL`,
  `to_timestamp(CASE WHEN word = '${MARKER}' THEN 1e300 ELSE 1 END) IS NOT NULL`,
  `parse_formatted_bytes(CASE WHEN word = '${MARKER}' THEN '1 zz' ELSE '1 MB' END) > 0`,
]

test('a view reveals nothing of the rows that it leaves out, with no predicate of its reader', async () => {
  const { app, done } = await setUp()
  const eve = await app.user()
  await done(
    'CREATE DATABASE v',
    `CREATE TABLE v.t AS SELECT i AS id, CASE WHEN i % 1000 = 777 THEN '${MARKER}' ELSE '1' END AS word,
       CASE WHEN i % 1000 = 777 THEN 2147483647 ELSE 1 END::INT AS n FROM range(6000) r(i)`,
    'CREATE TABLE v.may AS SELECT id FROM v.t WHERE (id % 1000) <> 777',
    ...Object.entries(VIEWS).flatMap(([name, select]) => [
      `CREATE VIEW v.${name} AS ${select}`,
      `GRANT SELECT ON VIEW v.${name} TO ${eve.name}`,
    ]),
    'CREATE VIEW v.whole AS SELECT * FROM v.t',
    `GRANT SELECT ON VIEW v.whole TO ${eve.name}`,
  )
  const asEve = await session(eve)
  const [chosen, joined, there] = Object.keys(VIEWS)
  for (const [at, predicate] of PREDICATES.entries())
    for (const view of [joined, at % 2 ? chosen : there]) {
      const sql = `SELECT count(*) > 0 FROM v.${view} WHERE (${predicate}) IS NOT NULL`
      const { errMsg, result } = await asEve(sql)
      expect([sql, errMsg, result]).toEqual([sql, '', [['true']]])
    }
  const { errMsg } = await asEve('SELECT CAST(word AS INT) FROM v.whole')
  expect(errMsg).toBe(
    'A value could not be converted to another type. The value is not shown, because this reads through a view what you may not read yourself.',
  )
  await expectUnseen(eve)
  await done(`GRANT SELECT ON v.t TO ${eve.name}`)
  expect((await asEve('SELECT CAST(word AS INT) FROM v.whole')).errMsg).toContain(MARKER)
})
