import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import {
  ENDLESS,
  MIB,
  type OpenFixture,
  STATE,
  testSpace,
  cell,
  cells,
  failure,
  must,
  openSession,
  ownEngine,
  rowsOf,
  rowsUpTo,
  sharedEngine,
} from '../../conformance/fixture.ts'

/**
 * Refused here for every user. What stays possible, and is left to the gate of the query service, is in the README
 * of this folder.
 */
const REFUSED: readonly string[] = [
  // reading the machine
  `FROM read_csv('/etc/passwd')`,
  `FROM read_text('/proc/self/environ')`,
  `FROM read_blob('/etc/hostname')`,
  `FROM '/etc/passwd.csv'`,
  `FROM glob('/*')`,
  `FROM glob('*')`,
  `FROM read_text('../../../../etc/passwd')`,
  `FROM read_text('$DIR/../outside.csv')`,
  `FROM read_text('$DIR/link.csv')`,
  `FROM read_text('$DIR/folder/outside.csv')`,
  `FROM read_text('$DIR/inside.csv')`,
  `FROM read_json('/etc/hostname')`,
  `FROM read_parquet('/etc/hostname')`,
  `FROM sniff_csv('/etc/passwd')`,
  `FROM read_duckdb('$DIR/../other/default_catalog.duckdb')`,
  `INSERT INTO x SELECT * FROM read_text('/etc/passwd')`,
  `CREATE VIEW v AS FROM read_text('/etc/passwd')`,
  // the network
  `FROM read_csv('https://example.com/x.csv')`,
  `FROM 'http://127.0.0.1:9/x.csv'`,
  `FROM 's3://bucket/x.parquet'`,
  // files of any kind
  `COPY (SELECT 1) TO '/tmp/boathouse-escaped.csv'`,
  `COPY (SELECT 1) TO '$DIR/default_catalog.duckdb' (FORMAT csv, USE_TMP_FILE false)`,
  `COPY x FROM '/etc/passwd'`,
  `EXPLAIN ANALYZE COPY (SELECT 1) TO '$DIR/default_catalog.duckdb' (FORMAT csv, USE_TMP_FILE false)`,
  `/* /* */ SELECT 1 -- */ EXPLAIN ANALYZE COPY (SELECT 1) TO '$DIR/default_catalog.duckdb' (USE_TMP_FILE false)`,
  `EXPLAIN (ANALYZE) COPY (SELECT 1) TO '$DIR/default_catalog.duckdb' (FORMAT csv, USE_TMP_FILE false)`,
  `PREPARE p AS COPY (SELECT 1) TO '$DIR/default_catalog.duckdb'`,
  `EXPORT DATABASE '/tmp/boathouse-escaped'`,
  `IMPORT DATABASE '/tmp/boathouse-escaped'`,
  `ATTACH '$DIR/../other/default_catalog.duckdb' AS other`,
  `ATTACH '/tmp/boathouse-escaped.duckdb' AS other`,
  `ATTACH ':memory:' AS other`,
  `DETACH default_catalog`,
  // code
  `INSTALL httpfs`,
  `LOAD httpfs`,
  `LOAD '/tmp/boathouse.duckdb_extension'`,
  `UPDATE EXTENSIONS`,
  // settings
  `SET memory_limit = '100GB'`,
  `RESET memory_limit`,
  `PRAGMA memory_limit = '100GB'`,
  `SET threads = 64`,
  `SET GLOBAL "threads" = 64`,
  `SET worker_threads = 64`,
  `SET/* */max_memory = '100GB'`,
  `PRAGMA threads = 64`,
  `RESET threads`,
  `RESET GLOBAL max_memory`,
  `EXPLAIN ANALYZE SET threads = 64`,
  `PRAGMA enable_profiling`,
  `SET enable_profiling = 'json'`,
  `SET lock_configuration = false`,
  `RESET lock_configuration`,
  `SET allowed_directories = ['/']`,
  `SET allowed_paths = ['/etc/passwd']`,
  `SET allowed_configs = ['threads']`,
  `SET enable_external_access = true`,
  `SET temp_directory = '/tmp'`,
  `SET max_temp_directory_size = '1TB'`,
  `SET GLOBAL errors_as_json = false`,
  `SET errors_as_json = false`,
  `SET profiling_output = '/tmp/boathouse-escaped.json'`,
  `SET log_query_path = '/tmp/boathouse-escaped.log'`,
  `SET autoinstall_known_extensions = true`,
  `SET extension_directory = '/tmp'`,
  `SET file_search_path = '/etc'`,
]

export function sandboxTests(open: OpenFixture): void {
  const shared = sharedEngine(open)
  beforeAll(async () => {
    const directory = shared.directory()
    await mkdir(join(directory, '..', 'other'))
    for (const file of ['inside.csv', '../outside.csv', '../other/default_catalog.duckdb'])
      await writeFile(join(directory, file), 'secret')
    await symlink('../outside.csv', join(directory, 'link.csv'))
    await symlink('..', join(directory, 'folder'))
    const session = await shared.engine().openSession(STATE)
    await rowsOf(session, 'CREATE TABLE x (i VARCHAR)')
    await session.close()
  })

  test.each(REFUSED)('refuses %s', async (template) => {
    const session = await openSession(shared.engine())
    const error = await failure(session, template.replaceAll('$DIR', shared.directory()))
    expect(error.kind).toBe('permission')
    expect(error.message).not.toContain(dirname(shared.directory()))
  })

  test('names no folder of the machine in its messages', async () => {
    const session = await openSession(shared.engine())
    for (const sql of [
      `COPY (SELECT 1) TO '${shared.directory()}/x.csv'`,
      `FROM '${shared.directory()}/x.unknown'`,
    ]) {
      const { message } = await failure(session, sql)
      expect(message).toContain('<account>/')
      expect(message).not.toContain(dirname(shared.directory()))
      expect(message).not.toContain(homedir())
    }
  })

  test('keeps the files of an account from being overwritten by a statement', async () => {
    const fixture = await open()
    const space = await testSpace()
    const engine = await ownEngine(fixture, space)
    const session = await openSession(engine)
    await rowsOf(session, 'CREATE TABLE precious AS SELECT range AS i FROM range(10000)')
    await rowsOf(session, 'CHECKPOINT')
    for (const file of ['default_catalog.duckdb', 'default_catalog.duckdb.wal'])
      await failure(
        session,
        `COPY (SELECT 1) TO '${space.directory}/${file}' (FORMAT csv, USE_TMP_FILE false)`,
      )
    await engine.close()
    const again = await openSession(await ownEngine(fixture, space))
    expect(await cell(again, 'SELECT count(*) FROM precious')).toBe('10000')
  })

  const LIMITS = `SELECT current_setting('threads'), current_setting('memory_limit')`

  test('works within its limits of threads and memory', async () => {
    const session = await openSession(shared.engine())
    expect(await cells(session, LIMITS)).toEqual([['2', '256.0 MiB']])
    // A variable of the user's may have any name.
    await rowsOf(session, 'SET VARIABLE threads = 64')
    expect(await cells(session, LIMITS)).toEqual([['2', '256.0 MiB']])
  })

  test('changes its size while statements run', async () => {
    const engine = await ownEngine(await open())
    const [session, other] = [await openSession(engine), await openSession(engine)]
    const running = session.execute(ENDLESS, rowsUpTo(1))
    await must(engine.resize)({ threads: 3, memoryBytes: 300 * MIB })
    expect(await cells(other, LIMITS)).toEqual([['3', '300.0 MiB']])
    await running.cancel()
    expect((await running.outcome).state).toBe('cancelled')
    const sizes = [1, 2].map((threads) =>
      must(engine.resize)({ threads, memoryBytes: (100 + threads) * MIB }),
    )
    await Promise.all(sizes)
    expect(await cells(session, LIMITS)).toEqual([['2', '102.0 MiB']])
  })
}
