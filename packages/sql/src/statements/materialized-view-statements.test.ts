import { expect, test } from 'vitest'
import {
  readAlterMaterializedView,
  readCreateMaterializedView,
  readDropMaterializedView,
  readRefreshMaterializedView,
} from './materialized-view-statements.ts'
import { readGrant } from './access-statements.ts'
import { readStatement } from '../statement.ts'

const created = (text: string) => readCreateMaterializedView(readStatement(text))

test('a materialized view has a name, a query and, if nothing is said, is refreshed by hand', () => {
  expect(created('CREATE MATERIALIZED VIEW "a b".m AS SELECT 1 -- end\n;')).toEqual({
    name: ['a b', 'm'],
    lenient: false,
    refresh: { trigger: 'manual' },
    deferred: false,
    properties: new Map(),
    query: 'SELECT 1',
    queryOffset: 36,
  })
})

test.each([
  ['REFRESH MANUAL', { trigger: 'manual' }],
  ['REFRESH ASYNC', { trigger: 'changes' }],
  ['REFRESH AFTER CHANGES', { trigger: 'changes' }],
  ['REFRESH ASYNC EVERY (INTERVAL 5 MINUTE)', { trigger: 'schedule', count: 5, unit: 'minute' }],
  ['REFRESH ASYNC EVERY INTERVAL 1 DAY', { trigger: 'schedule', count: 1, unit: 'day' }],
  ["refresh async every interval '2 hours'", { trigger: 'schedule', count: 2, unit: 'hour' }],
  [
    "REFRESH DEFERRED ASYNC START ('2026-01-01 00:00:00') EVERY (INTERVAL '1' WEEK)",
    { trigger: 'schedule', count: 1, unit: 'week', start: '2026-01-01 00:00:00' },
  ],
])('%s', (clause, refresh) => {
  expect(created(`CREATE MATERIALIZED VIEW m ${clause} AS SELECT 1`)?.refresh).toEqual(refresh)
})

test('the clauses stand in any order, each once', () => {
  const read = created(
    `CREATE MATERIALIZED VIEW IF NOT EXISTS m PROPERTIES ("warehouse" = "w") REFRESH DEFERRED MANUAL COMMENT 'x' AS WITH a AS (SELECT 1) SELECT * FROM a`,
  )
  expect(read).toMatchObject({ lenient: true, deferred: true, comment: 'x' })
  expect(read?.properties).toEqual(new Map([['warehouse', 'w']]))
  expect(read?.query).toBe('WITH a AS (SELECT 1) SELECT * FROM a')
  expect(created(`CREATE MATERIALIZED VIEW m COMMENT 'x' COMMENT 'y' AS SELECT 1`)).toBeNull()
})

test.each([
  'CREATE OR REPLACE MATERIALIZED VIEW m AS SELECT 1',
  'CREATE MATERIALIZED VIEW m',
  'CREATE MATERIALIZED VIEW m AS',
  'CREATE MATERIALIZED VIEW m REFRESH AS SELECT 1',
  'CREATE MATERIALIZED VIEW m REFRESH ASYNC EVERY (INTERVAL 0 DAY) AS SELECT 1',
  'CREATE MATERIALIZED VIEW m REFRESH ASYNC EVERY (INTERVAL 1 FORTNIGHT) AS SELECT 1',
  'CREATE MATERIALIZED VIEW m REFRESH ASYNC EVERY (INTERVAL 1 DAY AS SELECT 1',
  'CREATE MATERIALIZED VIEW m PARTITION BY a AS SELECT 1',
  'CREATE MATERIALIZED VIEW m PROPERTIES ("a" = "b", "a" = "c") AS SELECT 1',
])('%s is not read', (text) => {
  expect(created(text)).toBeNull()
})

test('the other statements about materialized views', () => {
  const [drop, refresh] = [readDropMaterializedView, readRefreshMaterializedView]
  expect(drop(readStatement('DROP MATERIALIZED VIEW IF EXISTS d.m;'))).toEqual({
    name: ['d', 'm'],
    lenient: true,
  })
  expect(drop(readStatement('DROP MATERIALIZED VIEW m CASCADE'))).toBeNull()
  expect(refresh(readStatement('REFRESH MATERIALIZED VIEW m'))).toEqual({ name: ['m'], waits: true })
  expect(refresh(readStatement('REFRESH MATERIALIZED VIEW m FORCE WITH ASYNC MODE'))?.waits).toBe(false)
  const alter = (text: string) =>
    readAlterMaterializedView(readStatement(`ALTER MATERIALIZED VIEW m ${text}`))?.change
  expect([alter('PAUSE'), alter('ACTIVE'), alter('SWAP n')]).toEqual(['pause', 'resume', undefined])
  expect([alter('RENAME n'), alter('RENAME TO "n m";')]).toEqual([{ newName: 'n' }, { newName: 'n m' }])
  expect([alter('RENAME'), alter('RENAME TO a.b'), alter('RENAME n m')]).toEqual([
    undefined,
    undefined,
    undefined,
  ])
  expect(alter('REFRESH ASYNC')).toEqual({ trigger: 'changes' })
})

test('privileges on materialized views are granted in two words', () => {
  expect(
    readGrant(readStatement('GRANT SELECT, REFRESH ON MATERIALIZED VIEW d.m TO ada'))?.what,
  ).toMatchObject({
    privileges: ['SELECT', 'REFRESH'],
    object: { type: 'materialized_view', path: ['d', 'm'] },
  })
  expect(
    readGrant(readStatement('GRANT ALL ON ALL MATERIALIZED VIEWS IN DATABASE d TO ROLE r'))?.what,
  ).toMatchObject({ object: { type: 'materialized_view', path: ['d'], allIn: 'database' } })
  expect(readGrant(readStatement('GRANT CREATE MATERIALIZED VIEW ON DATABASE d TO ada'))?.what).toMatchObject(
    {
      privileges: ['CREATE MATERIALIZED VIEW'],
    },
  )
})
