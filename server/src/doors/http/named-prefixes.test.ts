import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  alert,
  allCalls,
  cluster,
  CODES,
  csp,
  diagnose,
  metrics,
  pkg,
  type Call,
  warehouse,
} from '@boathouse/contract'
import { expect, test } from 'vitest'
import { startApp } from '../../testing/start-app.ts'

const root = join(import.meta.dirname, '../../../..')

/** As the specification lists them. */
const PREFIXES =
  'account user cluster csp usage marketplace log alert sso editor metrics task query diagnose warehouse pkg org integration firewall region vpce payment'.split(
    ' ',
  )

const prefixOf = ({ path }: Call): string => path.split('/')[1] ?? ''

test('every call prefix that the specification names has calls, and the server answers each of them [API-37]', async () => {
  const named = allCalls().filter((call) => PREFIXES.includes(prefixOf(call)))
  expect([...new Set(named.map(prefixOf))].sort()).toEqual(PREFIXES.toSorted())
  const app = await startApp()
  const admin = await app.admin()
  const unanswered: string[] = []
  for (const call of named)
    if ((await admin.call(call, {})).code === CODES.UnknownCall.code) unanswered.push(call.path)
  expect(unanswered).toEqual([])
})

test('alert, metrics, diagnose, pkg, cluster and csp answer a program with what is so here [REAL-09]', async () => {
  const app = await startApp()
  const admin = await app.admin()
  const { warehouses } = (await admin.call(warehouse.list, {})).data
  const warehouseId = warehouses[0]?.warehouseId ?? ''
  expect((await admin.call(pkg.list, {})).data.packages).toContainEqual(
    expect.objectContaining({ kind: 'service', version: '0.0.0-test' }),
  )
  expect((await admin.call(cluster.describe, { warehouseId })).data).toMatchObject({ warehouseId })
  expect((await admin.call(csp.list, {})).data.providers).toMatchObject([
    { cspId: 'local', regions: [{ regionId: 'local-1' }] },
  ])
  expect((await admin.call(alert.list, {})).code).toBe(CODES.Ok.code)
  expect((await admin.call(metrics.list, {})).code).toBe(CODES.Ok.code)
  expect((await admin.call(diagnose.warehouse, { warehouseId })).code).toBe(CODES.Ok.code)
})

/** Series are for programs; the guide says how they get them. */
const FOR_PROGRAMS: Readonly<Record<string, string>> = { metrics: 'docs/guide/usage-and-billing.md' }

test.each(['alert', 'metrics', 'diagnose', 'pkg', 'cluster', 'csp'])(
  'the calls of %s are used by a page, or the guide gives them to programs [REAL-09]',
  (prefix) => {
    const guide = FOR_PROGRAMS[prefix]
    if (guide !== undefined) return expect(readFileSync(join(root, guide), 'utf8')).toContain(`/${prefix}/`)
    const pages = execFileSync('git', ['ls-files', '-co', '--exclude-standard', 'console/src/features'], {
      cwd: root,
      encoding: 'utf8',
    })
    const users = pages
      .split('\n')
      .filter((file) => /\.tsx?$/.test(file) && !/\.test\./.test(file))
      .filter((file) => readFileSync(join(root, file), 'utf8').includes(`@boathouse/contract/${prefix}'`))
    expect(users.length).toBeGreaterThan(0)
  },
)
