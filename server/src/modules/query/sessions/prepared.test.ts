import { CODES } from '@boathouse/contract'
import { expect, test } from 'vitest'
import { sharedApp, startApp, type TestUser } from '../../../testing/start-app.ts'

const shared = sharedApp({}, { engine: 'embedded' })

async function session(who: TestUser) {
  const channel = await who.channel()
  const [first] = await channel.run('SELECT 1')
  const connId = first?.connId ?? 0
  return async (sql: string) => (await channel.run(sql, { connId })).at(-1)!
}

test('a prepared statement is run with values in place of its parameters, as often as one likes', async () => {
  const run = await session(await (await shared()).admin())
  await run('PREPARE sums AS SELECT $1 + $2 AS n, $1')
  expect((await run('EXECUTE sums(1, 2)')).result).toEqual([['3', '1']])
  expect((await run('EXECUTE sums(-1, (SELECT max(range) FROM range(5)))')).result).toEqual([['3', '-1']])
  await run('PREPARE named AS SELECT $a || $b')
  expect((await run(`EXECUTE named(b := 'y', a := 'it''s -- ')`)).result).toEqual([[`it's -- y`]])
  await run('PREPARE paged AS SELECT range FROM range(10) ORDER BY 1 LIMIT ? OFFSET ?')
  expect((await run('EXECUTE paged(2, 3)')).result).toEqual([['3'], ['4']])
  await run('PREPARE skipping AS SELECT range DIV ? FROM range(10) ORDER BY 1 LIMIT ?, ?')
  expect((await run('EXECUTE skipping(1, 2, 3)')).result).toEqual([['2'], ['3'], ['4']])
  await run('SET @one = 1')
  await run('SET @skipped = 8')
  expect((await run('EXECUTE skipping USING @one, @skipped, @one')).result).toEqual([['8']])
  await run('PREPARE lists AS SELECT list_resize($1, $2), $3')
  expect((await run(`EXECUTE lists([1, 2, 3], 2, {'a': [4, 5], 'b': 6})`)).result).toEqual([
    ['[1, 2]', `{'a': [4, 5], 'b': 6}`],
  ])
  await run('PREPARE sought AS SELECT 1 IN ?, 1 IN (?)')
  expect((await run('EXECUTE sought([1, 2], 2)')).result).toEqual([['true', 'false']])
  expect((await run('EXECUTE sought([], 1)')).result).toEqual([['false', 'true']])
  expect((await run('EXECUTE sought(NULL, NULL)')).result).toEqual([[null, null]])
  await run('PREPARE chained AS SELECT $1.upper()')
  expect((await run(`EXECUTE chained('a, b')`)).result).toEqual([['A, B']])
  await run(`PREPARE other FROM 'SELECT ? + 1'`)
  await run('SET @n = 41')
  expect((await run('EXECUTE other USING @n')).result).toEqual([['42']])
  expect(await run('DEALLOCATE other')).toMatchObject({ errMsg: '' })
  expect((await run('EXECUTE other(1)')).errMsg).toContain('No statement is prepared as other')
  await run('DEALLOCATE ALL')
  expect((await run('EXECUTE sums(1, 2)')).errMsg).toContain('No statement is prepared')
})

test.each([
  ['PREPARE p', 'This form of the statement is not supported. Write PREPARE name AS statement.'],
  ['PREPARE p AS SHOW TABLES', 'PREPARE takes one statement that reads or writes. SHOW TABLES is not one.'],
  ['PREPARE p AS SELECT 1; SELECT 2', ''],
  [`PREPARE p FROM 'SELECT 1; DROP TABLE t'`, 'this statement is unknown'],
  [`PREPARE p AS COPY t TO 'x'`, 'COPY is not one'],
  [`PREPARE p AS PREPARE q AS SELECT 1`, 'PREPARE is not one'],
  [`PREPARE p AS SELECT * FROM read_csv('x')`, 'read_csv is not allowed'],
  ['EXPLAIN EXECUTE nothing(1)', 'No statement is prepared as nothing'],
  ['EXPLAIN EXECUTE', 'Write EXECUTE name'],
  ['PREPARE p AS EXPLAIN EXECUTE q', 'EXPLAIN is not one'],
  ['PREPARE p AS EXPLAIN SELECT 1; EXPLAIN EXECUTE p', 'EXPLAIN shows the plan of a statement'],
  [`PREPARE p AS SELECT $1; EXPLAIN EXECUTE p(read_text('x'))`, 'read_text is not allowed'],
  ['DEALLOCATE nothing', 'No statement is prepared as nothing'],
])('%s: %s', async (sql, words) => {
  const run = await session(await (await shared()).admin())
  expect((await run(sql)).errMsg).toContain(words)
})

test('values are neither too few nor too many, and stay values', async () => {
  const run = await session(await (await shared()).admin())
  await run('CREATE TABLE kept AS SELECT 1 AS a')
  await run('PREPARE p AS SELECT count(*) FROM kept WHERE a = ?')
  expect((await run('EXECUTE p')).errMsg).toContain('needs values for its parameters 1')
  expect((await run('EXECUTE p(1, 2)')).errMsg).toContain('has no parameters 2')
  expect((await run('EXECUTE p(1); DROP TABLE kept')).errMsg).toBe('')
  await run('CREATE TABLE kept AS SELECT 1 AS a')
  expect((await run('EXECUTE p(1 -- one\n)')).result).toEqual([['1']])
  await run(`EXECUTE p('1''; DROP TABLE kept; --')`)
  expect((await run('SELECT count(*) FROM kept')).result).toEqual([['1']])
})

test('what it does is decided when it is executed, by the rights of that moment', async () => {
  const app = await startApp({}, { engine: 'embedded' })
  const asAdmin = await session(await app.admin())
  const grace = await app.user()
  const asGrace = await session(grace)
  await asAdmin('CREATE TABLE boats AS SELECT 7 AS a')
  expect((await asGrace('PREPARE p AS SELECT a FROM boats')).errMsg).toBe('')
  expect(await asGrace('EXECUTE p')).toMatchObject({ errCode: CODES.NoPermission.code })
  await asAdmin(`GRANT SELECT ON TABLE boats TO USER ${grace.name}`)
  expect((await asGrace('EXECUTE p')).result).toEqual([['7']])
  expect(await asGrace('SET VARIABLE seen = (SELECT max(a) FROM boats)')).toMatchObject({ errMsg: '' })
  await asAdmin(`REVOKE SELECT ON TABLE boats FROM USER ${grace.name}`)
  expect(await asGrace('EXECUTE p')).toMatchObject({ errCode: CODES.NoPermission.code })
  expect(await asGrace('SET VARIABLE more = (SELECT max(a) FROM boats)')).toMatchObject({
    errCode: CODES.NoPermission.code,
  })
  expect((await asGrace(`SELECT getvariable('seen'), getvariable('more')`)).result).toEqual([['7', null]])
})

test('what was prepared is explained with its values, under the same rights', async () => {
  const app = await startApp({}, { engine: 'embedded' })
  const asAdmin = await session(await app.admin())
  const grace = await app.user()
  const asGrace = await session(grace)
  await asAdmin('CREATE TABLE boats AS SELECT range AS a FROM range(9)')
  const looks = 'PREPARE looks AS SELECT a FROM boats WHERE a > $1'
  await asAdmin(looks)
  expect((await asAdmin('EXPLAIN EXECUTE looks(5)')).result.flat().join()).toMatch(/boats[^]*a\s*>\s*5/)
  expect((await asAdmin('EXPLAIN (FORMAT json) EXECUTE looks(5)')).result.flat().join()).toContain(
    '"children"',
  )
  expect((await asAdmin('EXPLAIN ANALYZE EXECUTE looks(5)')).result.flat().join()).toContain('3 rows')
  await asAdmin('PREPARE adds AS INSERT INTO boats VALUES ($1)')
  expect((await asAdmin('EXPLAIN EXECUTE adds(10)')).errMsg).toBe('')
  expect((await asAdmin('SELECT count(*) FROM boats')).result).toEqual([['9']])
  expect((await asAdmin('EXPLAIN ANALYZE EXECUTE adds(10)')).errMsg).toBe('')
  expect((await asAdmin('SELECT count(*) FROM boats')).result).toEqual([['10']])
  await asGrace(looks)
  for (const explain of ['EXPLAIN', 'EXPLAIN ANALYZE'])
    expect(await asGrace(`${explain} EXECUTE looks(5)`)).toMatchObject({ errCode: CODES.NoPermission.code })
})

test('variables and prepared statements outlive the engine, as the other settings do', async () => {
  const app = await startApp({}, { engine: 'embedded' })
  const run = await session(await app.admin())
  await run(`SET VARIABLE list = [1, 2, NULL]`)
  await run(`SET VARIABLE pair = {'a': DATE '2024-02-29', 'b': 'x''y'}`)
  await run('PREPARE p AS SELECT len(getvariable($1))')
  await run(`SET default_null_order = 'nulls first'`)
  app.engines.crash('it was killed')
  expect((await run(`EXECUTE p('list')`)).result).toEqual([['3']])
  expect((await run(`SELECT getvariable('pair').a + 1, getvariable('pair').b`)).result).toEqual([
    ['2024-03-01', `x'y`],
  ])
  expect((await run('SELECT * FROM (VALUES (1), (NULL)) AS t(a) ORDER BY a')).result).toEqual([[null], ['1']])
  await run('RESET VARIABLE list')
  expect((await run(`SELECT getvariable('list')`)).result).toEqual([[null]])
})

test.each([
  ['SET VARIABLE x', 'This form of the statement is not supported.'],
  ['SET VARIABLE x = 1), (2', 'This form of the statement is not supported.'],
  ['SET VARIABLE x = nowhere', 'nowhere'],
  ['SET VARIABLE x = unnest([1, 2])', 'SET VARIABLE takes one value.'],
  ['SET VARIABLE boathouse_internal_listed = 1', 'boathouse'],
  [`SET VARIABLE "boathouse_mine" = 1`, 'are reserved'],
  [`SET VARIABLE x = read_text('/etc/passwd')`, 'not allowed'],
  [`SET VARIABLE x = repeat('x', 20000)`, 'at most 16384 characters'],
])('%s is refused: %s', async (sql, words) => {
  const run = await session(await (await shared()).admin())
  expect((await run(sql)).errMsg).toContain(words)
})

test('a statement that is executed is noted as writing when what was prepared writes', async () => {
  const app = await startApp({}, { engine: 'embedded' })
  const run = await session(await app.admin())
  await run('CREATE TABLE kept (a int)')
  await run('PREPARE looks AS SELECT count(*) FROM kept')
  await run('PREPARE adds AS INSERT INTO kept VALUES ($1)')
  await run('EXECUTE looks')
  await run('EXECUTE adds(1)')
  await run('PREPARE looks AS DELETE FROM kept; EXECUTE looks')
  await run('EXECUTE nothing')
  await run('EXPLAIN EXECUTE adds(1)')
  await run('EXPLAIN ANALYZE EXECUTE adds(1)')
  const noted = await app.store.db
    .selectFrom('statements')
    .select(['sql', 'writes'])
    .where('kind', 'in', ['execute', 'explain'])
    .orderBy('query_id')
    .execute()
  expect(noted.map(({ sql, writes }) => [sql, writes])).toEqual([
    ['EXECUTE looks', false],
    ['EXECUTE adds(1)', true],
    ['EXECUTE looks', true],
    ['EXECUTE nothing', true],
    ['EXPLAIN EXECUTE adds(1)', false],
    ['EXPLAIN ANALYZE EXECUTE adds(1)', true],
  ])
})

test.each(['SET VARIABLE x = 1 + nowhere', 'SET VARIABLE `x``y` = length(`now``here`)'])(
  'the place of an error in a value is its place in the statement, whatever it is quoted with: %s',
  async (sql) => {
    const run = await session(await (await shared()).admin())
    const { errMsg, errPosition } = await run(sql)
    expect([errMsg.includes('not found'), errPosition?.offset]).toEqual([true, sql.search(/`?now/)])
  },
)
