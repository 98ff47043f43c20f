import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance, quotedString } from '@duckdb/node-api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ProfileNode } from '../../engine/outcome.ts'
import { folded } from './fold-plan.ts'
import { nodeOf, readPlan, type Written } from './read-plan.ts'

const MADE = [
  `CREATE TABLE boats AS SELECT range AS id, range % 1000 AS berth, 'boat ' || range AS name,
    DATE '2020-01-01' + (range % 3000)::INTEGER AS built FROM range(50000)`,
  'CREATE TABLE trips AS SELECT range % 1000 AS berth, range AS km FROM range(5000)',
]

/** Every one of them gets steps from DuckDB that only store values another way, or pass columns on. */
const STORED_OTHERWISE = [
  'SELECT berth, sum(id) FROM boats GROUP BY berth ORDER BY berth',
  'SELECT * FROM boats ORDER BY name DESC, id',
  'SELECT id, row_number() OVER (PARTITION BY berth ORDER BY id) FROM boats ORDER BY id',
  'SELECT berth, max(km) FROM boats JOIN trips USING (berth) WHERE year(built) = 2021 GROUP BY ALL ORDER BY ALL',
]
const OTHERS = [
  'SELECT count(*) FROM boats JOIN trips USING (berth)',
  'SELECT id + 1 FROM boats WHERE random() < 0.5',
  'WITH x AS MATERIALIZED (SELECT berth FROM boats) SELECT * FROM x UNION ALL FROM x LIMIT 3',
  'SELECT DISTINCT berth FROM boats WHERE EXISTS (SELECT 1 FROM trips WHERE trips.km = boats.id + 5)',
]

let directory = ''
beforeAll(async () => void (directory = await mkdtemp(join(tmpdir(), 'boathouse-plans-'))))
afterAll(() => rm(directory, { recursive: true, force: true }))

async function opened() {
  const instance = await DuckDBInstance.create(':memory:', { threads: '2' })
  const connection = await instance.connect()
  for (const sql of MADE) await connection.run(sql)
  return connection
}

const all = (node: ProfileNode): ProfileNode[] => [node, ...node.children.flatMap(all)]
const totalMs = (node: ProfileNode): number => all(node).reduce((sum, { timeMs }) => sum + (timeMs ?? 0), 0)

test('a plan that ran keeps its times and rows, and nothing of how DuckDB stores values', async () => {
  const connection = await opened()
  const file = join(directory, 'profile.json')
  await connection.run(
    `SET enable_profiling = 'json'; SET profiling_coverage = 'ALL'; SET profiling_output = ${quotedString(file)}`,
  )
  for (const sql of [...STORED_OTHERWISE, ...OTHERS]) {
    await connection.run(sql)
    const written = JSON.parse(await readFile(file, 'utf8')) as { children: Written[] }
    const [root] = written.children
    if (!root) throw new Error(`no plan of ${sql}`)
    const whole = nodeOf(root)
    const plan = folded(whole)
    const steps = all(plan)
    expect(totalMs(plan)).toBeCloseTo(totalMs(whole), 9)
    expect(plan.rows).toBe(whole.rows)
    expect(JSON.stringify(plan)).not.toContain('__internal')
    expect(steps.filter(({ kind }) => kind === undefined)).toEqual([])
    const gone = steps.reduce((sum, step) => sum + (step.folded ?? 0), 0)
    expect(steps.length + gone).toBe(all(whole).length)
    if (STORED_OTHERWISE.includes(sql)) expect(gone).toBeGreaterThan(0)
  }
})

test('a scan says what it read, and whether its filter is computed for each row', async () => {
  const connection = await opened()
  const file = join(directory, 'scan.json')
  await connection.run(
    `SET enable_profiling = 'json'; SET profiling_coverage = 'ALL'; SET profiling_output = ${quotedString(file)}`,
  )
  const scanOf = async (condition: string) => {
    await connection.run(`SELECT name FROM boats WHERE ${condition}`)
    const written = JSON.parse(await readFile(file, 'utf8')) as { children: Written[] }
    return written.children.map((root) => all(folded(nodeOf(root))).at(-1))[0]
  }
  expect(await scanOf('year(built) = 2021')).toMatchObject({
    kind: 'scan',
    readRows: 50_000,
    filtersEachRow: true,
  })
  expect(await scanOf(`lower(name) = 'boat 77'`)).toMatchObject({ rows: 1, filtersEachRow: true })
  for (const condition of [`built >= DATE '2021-01-01' AND built < DATE '2022-01-01'`, 'id IN (3, 5, 900)'])
    expect(await scanOf(condition)).not.toHaveProperty('filtersEachRow')
})

test('what EXPLAIN answers is folded too, drawn or in JSON, and its rows are estimates', async () => {
  const connection = await opened()
  for (const sql of STORED_OTHERWISE)
    for (const explain of ['EXPLAIN', 'EXPLAIN (FORMAT json)']) {
      const answer = await connection.runAndReadAll(`${explain} ${sql}`)
      const plan = readPlan(
        answer
          .getRows()
          .map((row) => String(row.at(-1)))
          .join('\n'),
      )
      if (!plan) throw new Error(`no plan of ${sql}`)
      const steps = all(plan)
      expect(JSON.stringify(plan)).not.toContain('__internal')
      expect(steps.filter(({ kind }) => kind === undefined)).toEqual([])
      expect(steps.some(({ folded: count }) => count)).toBe(true)
      expect(steps.some(({ isEstimate }) => isEstimate)).toBe(true)
    }
})
