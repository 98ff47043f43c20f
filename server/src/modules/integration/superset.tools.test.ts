import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { environmentWith, filledBlocks, type GuideServer, startGuideServer } from '../../testing/guide-kit.ts'
import { found } from '../../testing/outside-kit.ts'

const run = promisify(execFile)
const WITHIN_MS = 600_000
const SUPERSET = found('BOATHOUSE_TEST_CLIENT_SUPERSET', /^superset-[\da-f]{12}$/) ?? ''
const PROGRAMS = fileURLToPath(new URL('superset', import.meta.url))

const TRIPS = `INSERT INTO guides.superset_trips VALUES
  (1, 'Ida', TIMESTAMP '2026-05-01 08:00:10', 12.5), (2, 'Maja', TIMESTAMP '2026-05-01 09:30:20', 7),
  (3, 'Ida', TIMESTAMP '2026-05-02 08:15:30', 20.25), (4, 'it''s', TIMESTAMP '2026-12-31 23:59:59', 3)`

describe.skipIf(SUPERSET === '')('Apache Superset', { timeout: WITHIN_MS }, () => {
  let server: GuideServer
  let home = ''
  const said = new Map<string, unknown>()
  beforeAll(async () => {
    server = await startGuideServer()
    await server.run(
      'CREATE TABLE guides.superset_trips (id BIGINT, boat VARCHAR, left_at TIMESTAMP, miles DOUBLE)',
    )
    await server.run(TRIPS)
    await server.run('CREATE VIEW guides.superset_boats AS SELECT DISTINCT boat FROM guides.superset_trips')
    home = await mkdtemp(join(tmpdir(), 'boathouse-superset-'))
    const blocks = await filledBlocks('superset', server)
    const block = (name: string) => blocks.find(({ label }) => label === name)?.text ?? ''
    const uri = block('sqlalchemy').trim()
    const settings = await readFile(join(PROGRAMS, 'settings.py'), 'utf8')
    await writeFile(join(home, 'superset_config.py'), `${block('superset_config.py')}\n${settings}`)
    const filled = uri.replace('PASSWORD', encodeURIComponent(server.password))
    const env = {
      ...environmentWith({ python: [SUPERSET] }),
      SUPERSET_HOME: home,
      SUPERSET_CONFIG_PATH: join(home, 'superset_config.py'),
    }
    const args = [join(PROGRAMS, 'explore.py'), filled, 'guides', 'superset_trips']
    const { stdout } = await run('python3', args, { env, cwd: home, timeout: WITHIN_MS, maxBuffer: 2 ** 26 })
    for (const line of stdout.split('\n').filter((text) => text.startsWith('{"step"'))) {
      const { step, value } = JSON.parse(line) as { readonly step: string; readonly value: unknown }
      said.set(step, value)
    }
  }, WITHIN_MS)
  afterAll(async () => {
    await server?.stop()
    await rm(home, { recursive: true, force: true })
  })

  test('the database of the guide is tested, added and browsed', () => {
    expect(said.get('test')).toBe('OK')
    expect(said.get('schemas')).toContain('guides')
    expect(said.get('tables')).toEqual([
      ['superset_boats', 'view'],
      ['superset_trips', 'table'],
    ])
    expect(said.get('columns')).toEqual([
      ['id', 'BIGINT'],
      ['boat', 'VARCHAR'],
      ['left_at', 'DATETIME'],
      ['miles', 'DOUBLE'],
    ])
  })

  test('SQL Lab runs what people write, and the preview of a table', () => {
    expect(said.get('sql-lab')).toEqual([
      'success',
      [
        { boat: 'Ida', miles: 12.5 },
        { boat: 'Maja', miles: 7 },
        { boat: 'Ida', miles: 20.25 },
        { boat: "it's", miles: 3 },
      ],
    ])
    expect(said.get('preview')).toEqual(['success', 4])
  })

  test('a dataset has the columns of its table, and knows which are times', () => {
    expect(said.get('dataset')).toEqual([
      ['boat', false],
      ['id', false],
      ['left_at', true],
      ['miles', false],
    ])
    expect(said.get('saved')).toBe('Miles')
  })

  test.each([
    ['P1D', [Date.UTC(2026, 4, 1), Date.UTC(2026, 4, 2), Date.UTC(2026, 11, 31)]],
    // From Sunday on.
    ['P1W', [Date.UTC(2026, 3, 26), Date.UTC(2026, 11, 27)]],
    ['P1M', [Date.UTC(2026, 4, 1), Date.UTC(2026, 11, 1)]],
    ['P3M', [Date.UTC(2026, 3, 1), Date.UTC(2026, 9, 1)]],
    ['P1Y', [Date.UTC(2026, 0, 1)]],
    ['1969-12-29T00:00:00Z/P1W', [Date.UTC(2026, 3, 27), Date.UTC(2026, 11, 28)]],
  ])('a chart by time has the grain %s', (grain, times) => {
    const grains = said.get('grains') as Readonly<
      Record<string, readonly { left_at: number; miles: number }[]>
    >
    const rows = grains[grain] ?? []
    expect(rows.map((row) => row.left_at).toSorted((a, b) => a - b)).toEqual(times)
    expect(rows.reduce((sum, row) => sum + row.miles, 0)).toBe(42.75)
  })

  test('a chart is filtered by values and by a range of time', () => {
    const by = (step: string) =>
      (said.get(step) as readonly { boat: string; miles: number }[])
        .map(({ boat, miles }) => [boat, miles] as const)
        .toSorted(([one], [other]) => (one < other ? -1 : 1))
    expect((said.get('filter-values') as readonly string[]).toSorted()).toEqual(['Ida', 'Maja', "it's"])
    expect(by('chart')).toEqual([
      ['Ida', 32.75],
      ['Maja', 7],
      ["it's", 3],
    ])
    expect(by('filter')).toEqual([
      ['Ida', 32.75],
      ["it's", 3],
    ])
    expect(by('range')).toEqual([
      ['Ida', 20.25],
      ['Maja', 7],
    ])
  })
})
