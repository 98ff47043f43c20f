import { expect, test } from 'vitest'
import type { ObjectAction, ObjectName, ObjectType, ObjectUse } from '../../../engines/engine/objects.ts'
import { actorWith } from '../../../testing/actor.ts'
import type { Actor } from '../../../kernel/actor.ts'
import { createAuthority } from '../../access/authority.ts'
import { authorizeStatement, type Privileges, privilegesFor, type Wanted } from './authorize-statement.ts'

const object = (type: ObjectType): ObjectName => ({
  type,
  catalog: 'c',
  database: type === 'catalog' ? null : 'd',
  name: type === 'catalog' || type === 'database' ? null : 'n',
})

const use = (action: ObjectAction, type: ObjectType): ObjectUse => ({
  action,
  object: object(type),
  through: null,
})

const holding = (activeRoles: readonly string[]): Actor => ({ ...actorWith('a'), activeRoles })

const words = (wanted: readonly Wanted[] | null) =>
  wanted?.map(({ privilege, object: { type, ...parts } }) =>
    [privilege, type, ...Object.values(parts).filter(Boolean)].join(' '),
  )

test.each([
  ['read', 'table', 'SELECT table c d n'],
  ['insert', 'table', 'INSERT table c d n'],
  ['update', 'table', 'UPDATE table c d n'],
  ['delete', 'table', 'DELETE table c d n'],
  ['alter', 'table', 'ALTER table c d n'],
  ['drop', 'table', 'DROP table c d n'],
  ['create', 'table', 'CREATE TABLE database c d'],
  ['read', 'view', 'SELECT view c d n'],
  ['create', 'view', 'CREATE VIEW database c d'],
  ['alter', 'view', 'ALTER view c d n'],
  ['drop', 'view', 'DROP view c d n'],
  ['read', 'function', 'USAGE function c d n'],
  ['create', 'function', 'CREATE FUNCTION database c d'],
  ['alter', 'function', 'DROP function c d n'],
  ['drop', 'function', 'DROP function c d n'],
  ['create', 'database', 'CREATE DATABASE catalog c'],
  ['alter', 'database', 'ALTER database c d'],
  ['drop', 'database', 'DROP database c d'],
  ['update', 'sequence', 'CREATE TABLE database c d'],
  ['create', 'type', 'CREATE TABLE database c d'],
] as const)('to %s a %s takes %s', (action, type, wanted) => {
  expect(words(privilegesFor([use(action, type)]))).toEqual(['USAGE catalog c', wanted])
})

test('null for what no privilege allows, and an index needs no privilege of its own', () => {
  expect(privilegesFor([use('delete', 'view')])).toBeNull()
  for (const action of ['drop', 'alter'] as const) expect(privilegesFor([use(action, 'type')])).toBeNull()
  expect(privilegesFor([use('read', 'table'), use('insert', 'function')])).toBeNull()
  expect(words(privilegesFor([use('create', 'index')]))).toEqual(['USAGE catalog c'])
})

test('each is asked for once, and not what a view reads', () => {
  const through = { ...use('read', 'table'), through: object('view') }
  expect(words(privilegesFor([use('read', 'view'), through, use('read', 'view')]))).toEqual([
    'USAGE catalog c',
    'SELECT view c d n',
  ])
})

const SEEN = [{ type: 'table', catalog: 'c', database: 'd', name: 'n' }] as const
const allowed = () => Promise.resolve(null)

const { holdsAll } = createAuthority({ store: {} as never })

test.each([[['db_admin']], [['account_admin']]])('nobody is asked for %s', (roles) => {
  const no = () => Promise.resolve('no')
  const decider = { holdsAll, whyNot: no, whyNotThrough: no, listed: () => Promise.resolve([]) }
  expect(authorizeStatement(holding(roles), decider).authorize).toBe('all')
})

test.each([[[]], [['public']], [['cluster_admin', 'user_admin']], [['of_my_own']]])(
  'the privileges decide for %s',
  async (roles) => {
    const asked: unknown[] = []
    const listed = () => Promise.resolve(SEEN)
    const whyNot = (actor: Actor, wanted: readonly Wanted[]) => {
      asked.push(actor.activeRoles, words(wanted))
      return Promise.resolve(asked.length > 2 ? 'This needs SELECT.' : null)
    }
    const parts = { holdsAll, whyNot, whyNotThrough: allowed, listed }
    const { authorize, hasDenied } = authorizeStatement(holding(roles), parts)
    if (authorize === 'all') throw new Error('Nobody is asked.')
    expect(await authorize([use('read', 'listing')])).toEqual({ listed: SEEN })
    asked.length = 0
    expect(await authorize([use('read', 'table')])).toBeNull()
    expect(hasDenied()).toBe(false)
    expect(await authorize([use('read', 'table')])).toEqual({ message: 'This needs SELECT.' })
    expect(hasDenied()).toBe(true)
    expect(asked.slice(0, 2)).toEqual([roles, ['USAGE catalog c', 'SELECT table c d n']])
    expect(await authorize([use('delete', 'view')])).toMatchObject({
      message: expect.stringContaining('No privilege'),
    })
  },
)

test('the owner of each view is asked for what it reads itself', async () => {
  const through = (action: ObjectAction, type: ObjectType, view: string) => ({
    ...use(action, type),
    through: { ...object('view'), name: view },
  })
  const asked: unknown[] = []
  const whyNotThrough: Privileges['whyNotThrough'] = ({ accountId }, reads) => {
    asked.push(accountId, ...reads.map(({ view, wanted }) => [view.name, words(wanted)]))
    return Promise.resolve('Its owner may not.')
  }
  const parts = { holdsAll, whyNot: allowed, whyNotThrough, listed: () => Promise.resolve([]) }
  const { authorize } = authorizeStatement(holding([]), parts)
  if (authorize === 'all') throw new Error('Nobody is asked.')
  const uses = [
    use('read', 'view'),
    through('read', 'table', 'v'),
    through('read', 'view', 'v'),
    through('delete', 'view', 'w'),
  ]
  expect(await authorize(uses)).toEqual({ message: 'Its owner may not.' })
  expect(asked).toEqual([
    'a',
    ['v', ['USAGE catalog c', 'SELECT table c d n', 'SELECT view c d n']],
    ['w', undefined],
  ])
})
