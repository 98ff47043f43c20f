import type { EffectiveGrant } from '@boathouse/contract/perms'
import { objectOf } from '@boathouse/contract/privileges'
import { expect, test } from 'vitest'
import { cellOf } from './matrix-cells.ts'

const IN_MAIN = { catalog: 'c', database: 'main' }
const BOATS = objectOf('table', { ...IN_MAIN, name: 'boats' })

const grant = (object: EffectiveGrant['object'], path: string[], over: Partial<EffectiveGrant> = {}) => ({
  object,
  objectText: 'TABLE',
  privileges: ['SELECT' as const],
  grantable: [],
  grantedBy: 'ada',
  grantedAt: '2026-01-01T00:00:00Z',
  path: path.map((name) => ({ kind: 'role' as const, name })),
  ...over,
})

test('a cell is what the role was given on the very object, else what reaches it, the nearest first', () => {
  const own = grant(objectOf('table', { ...IN_MAIN, name: 'BOATS' }), ['crew'], { grantable: ['SELECT'] })
  const far = grant(objectOf('table'), ['crew', 'readers', 'all'])
  const near = grant(objectOf('table', IN_MAIN), ['crew'])
  const other = grant(objectOf('table', { ...IN_MAIN, name: 'oars' }), ['crew'])
  expect(cellOf([far, other, near, own], BOATS, 'SELECT')).toEqual({
    own,
    isGrantable: true,
    inherited: [near, far],
  })
  expect(cellOf([far, near, own], BOATS, 'INSERT')).toEqual({ own: null, isGrantable: false, inherited: [] })
  // The row of all tables: a grant on one table does not reach it, one on all of them is its own.
  expect(cellOf([far, near, own], objectOf('table', IN_MAIN), 'SELECT')).toMatchObject({
    own: near,
    inherited: [far],
  })
})

test('what a built-in role has by nature cannot be revoked, and so is not its own', () => {
  const nature = grant(objectOf('table'), ['db_admin'], { grantedBy: null })
  expect(cellOf([nature], objectOf('table'), 'SELECT')).toMatchObject({ own: null, inherited: [nature] })
})
