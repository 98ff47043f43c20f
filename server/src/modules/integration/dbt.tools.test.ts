import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  environmentWith,
  filledBlocks,
  type GuideServer,
  saveFiles,
  startGuideServer,
} from '../../testing/guide-kit.ts'
import { found } from '../../testing/outside-kit.ts'

const run = promisify(execFile)
const WITHIN_MS = 600_000
const DBT = found('BOATHOUSE_TEST_CLIENT_DBT', /^dbt-[\da-f]{12}$/) ?? ''

/** Beside the project of the guide, what its users may configure besides. */
const MORE: Readonly<Record<string, string>> = {
  'models/dbt_laid_out.sql': `{{ config(materialized='table', table_type='DUPLICATE', keys=['id'], distributed_by=['id'], buckets=3,
    order_by=['id'], partition_by=['boat'], partition_type='Expr', properties={'replication_num': '1'}, indexs=[{'columns': 'boat'}]) }}
    select id, boat, {{ dbt.dateadd('day', 1, 'left_at') }} as back_at, {{ dbt.concat(['boat', "'-'", 'id']) }} as label
    from {{ ref('dbt_trips') }}`,
  'models/dbt_last.sql': `{{ config(materialized='incremental', incremental_strategy='insert_overwrite') }}
    select max(id) as id, max(left_at) as left_at from {{ ref('dbt_trips') }}`,
  'models/dbt_grown.sql': `{{ config(materialized='incremental', on_schema_change='append_new_columns') }}
    select id, boat {% if is_incremental() %}, miles {% endif %} from {{ ref('dbt_trips') }}
    {% if is_incremental() %} where id > (select max(id) from {{ this }}) {% endif %}`,
  'tests/no_short_trips.sql': `select * from {{ ref('dbt_trips') }} where miles < {{ var('shortest', 1) }}`,
}

const TRIPS = [
  '1,Ida,2026-05-01 08:00:00,12.5',
  '2,Maja,2026-05-01 09:30:00,7',
  '3,Ida,2026-05-02 08:15:00,21',
]
const ADDED = ['4,Vega,2026-05-03 10:00:00,3', '5,Maja,2026-05-04 10:00:00,4']

describe.skipIf(DBT === '')('dbt', { timeout: WITHIN_MS }, () => {
  let server: GuideServer
  let folder = ''
  beforeAll(async () => {
    server = await startGuideServer()
    folder = await mkdtemp(join(tmpdir(), 'boathouse-dbt-'))
    await saveFiles(await filledBlocks('dbt', server), folder)
    for (const [name, text] of Object.entries(MORE)) {
      await mkdir(dirname(join(folder, name)), { recursive: true })
      await writeFile(join(folder, name), text)
    }
  }, WITHIN_MS)
  afterAll(async () => {
    await server?.stop()
    await rm(folder, { recursive: true, force: true })
  })

  async function dbt(...args: readonly string[]): Promise<string> {
    const env = { ...environmentWith({ python: [DBT] }), MYSQL_PASSWORD: server.password }
    const options = { cwd: folder, env, timeout: WITHIN_MS, maxBuffer: 2 ** 26 }
    const ended = await run(
      join(DBT, 'bin', 'dbt'),
      ['--no-use-colors', ...args, '--profiles-dir', '.'],
      options,
    ).catch((error: unknown) => {
      if (error instanceof Error && 'stdout' in error) return { stdout: String(error.stdout) }
      throw error
    })
    return ended.stdout
  }

  const boats = () =>
    server.rows('select boat, trips, dbt_valid_to is null from dbt_boats_then order by boat, trips')

  test('a build loads seeds, makes views and tables, tests them and takes a snapshot', async () => {
    expect(await dbt('build')).toContain('Completed successfully')
    expect(await server.rows('select id, boat, left_at, miles from dbt_trips order by id')).toEqual([
      [1, 'Ida', '2026-05-01 08:00:00', 12.5],
      [2, 'Maja', '2026-05-01 09:30:00', 7],
      [3, 'Ida', '2026-05-02 08:15:00', 20.25],
    ])
    expect(await server.rows('select day, miles from dbt_days order by day')).toEqual([
      ['2026-05-01', 19.5],
      ['2026-05-02', 20.25],
    ])
    expect(await server.rows('select label, back_at from dbt_laid_out where id = 1')).toEqual([
      ['Ida-1', '2026-05-02 08:00:00'],
    ])
    expect(
      await server.rows(
        `select table_name, table_type from information_schema.tables where table_schema = 'guides' order by 1`,
      ),
    ).toEqual([
      ['dbt_boats', 'VIEW'],
      ['dbt_boats_then', 'BASE TABLE'],
      ['dbt_days', 'BASE TABLE'],
      ['dbt_grown', 'BASE TABLE'],
      ['dbt_laid_out', 'BASE TABLE'],
      ['dbt_last', 'BASE TABLE'],
      ['dbt_log', 'BASE TABLE'],
      ['dbt_trips', 'BASE TABLE'],
    ])
    expect(await boats()).toEqual([
      ['Ida', 2, 1],
      ['Maja', 1, 1],
    ])
  })

  test('the next build replaces, adds, and notes in the snapshot what has changed', async () => {
    const rows = ['id,boat,left_at,miles', ...TRIPS, ...ADDED]
    await writeFile(join(folder, 'seeds', 'dbt_trips.csv'), `${rows.join('\n')}\n`)
    expect(await dbt('build')).toContain('Completed successfully')
    expect(await server.rows('select id, miles from dbt_log order by id')).toEqual([
      [1, 12.5],
      [2, 7],
      [3, 21],
      [4, 3],
      [5, 4],
    ])
    expect(await server.rows('select id, left_at from dbt_last')).toEqual([[5, '2026-05-04 10:00:00']])
    expect(await server.rows('select id, miles from dbt_grown order by id')).toEqual([
      [1, null],
      [2, null],
      [3, null],
      [4, 3],
      [5, 4],
    ])
    expect(await boats()).toEqual([
      ['Ida', 2, 1],
      ['Maja', 1, 0],
      ['Maja', 2, 1],
      ['Vega', 1, 1],
    ])
  })

  test('a full refresh makes tables again, and old and new take each other’s names', async () => {
    await server.run('INSERT INTO guides.dbt_log VALUES (99, $$Nobody$$, 0)')
    expect(await dbt('run', '--full-refresh')).toContain('Completed successfully')
    expect(await server.rows('select count(*), max(id) from dbt_log')).toEqual([[5, 5]])
    expect(await server.rows('select count(*), max(id) from dbt_log__dbt_backup')).toEqual([[6, 99]])
    expect(await server.rows(`show keys from dbt_log where Key_name = 'PRIMARY'`)).toHaveLength(1)
  })

  test('a test that finds rows fails', async () => {
    expect(await dbt('test', '--vars', '{shortest: 5}')).toMatch(/Got 2 results, configured to fail if != 0/)
  })

  test('the documentation has the columns of every table', async () => {
    expect(await dbt('docs', 'generate')).toContain('Catalog written to')
    const catalog = JSON.parse(await readFile(join(folder, 'target', 'catalog.json'), 'utf8')) as {
      readonly nodes: Readonly<
        Record<string, { readonly metadata: { readonly type: string }; readonly columns: object }>
      >
    }
    expect(Object.keys(catalog.nodes).toSorted()).toEqual(
      ['boats', 'days', 'grown', 'laid_out', 'last', 'log']
        .map((name) => `model.boathouse.dbt_${name}`)
        .concat(['seed.boathouse.dbt_trips', 'snapshot.boathouse.dbt_boats_then']),
    )
    expect(catalog.nodes['model.boathouse.dbt_boats']?.metadata.type).toBe('view')
    expect(Object.keys(catalog.nodes['model.boathouse.dbt_boats']?.columns ?? {})).toEqual([
      'boat',
      'trips',
      'last_left',
    ])
  })

  test('what needs partitions, or other kinds of tables, is refused with the reason', async () => {
    const wrong: Readonly<Record<string, string>> = {
      wrong_dynamic: `{{ config(materialized='incremental', incremental_strategy='dynamic_overwrite') }} select 1 as id`,
      wrong_kind: `{{ config(materialized='table', table_type='UNIQUE', keys=['id']) }} select 1 as id`,
    }
    for (const [name, text] of Object.entries(wrong))
      await writeFile(join(folder, 'models', `${name}.sql`), text)
    const once = await dbt('run', '--select', 'wrong_dynamic', 'wrong_kind')
    expect(once).toContain('neither replaces nor sums up rows')
    expect(await dbt('run', '--select', 'wrong_dynamic')).toContain('tables have no partitions')
  })
})
