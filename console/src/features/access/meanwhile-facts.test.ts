import { objectOf } from '@boathouse/contract/privileges'
import { expect, test } from 'vitest'
import { type Noticed, notice, NOTHING_NOTICED, privilegeFact, roleFact, turnsOf } from './meanwhile-facts.ts'

const CREW = { kind: 'role', name: 'crew' } as const
const boats = objectOf('table', { catalog: 'c', database: 'd', name: 'boats' })
const fact = (privilege: string) => privilegeFact(privilege, 'TABLE c.d.boats')
const change = (path: `/${string}/${string}`, input: object) => ({ path, input })
const granted = (...privileges: string[]) =>
  turnsOf(change('/perms/grant-priv-to-role', { role: 'crew', object: boats, privileges }), CREW)

const see = (before: Noticed, ...facts: string[]) =>
  notice(before, { own: [], lastOwn: before.lastOwn, facts: new Set(facts) })
const grant = (before: Noticed, ...privileges: string[]) =>
  notice(before, { own: granted(...privileges), lastOwn: before.lastOwn + 1, facts: undefined })
const began = (...facts: string[]): Noticed => see(NOTHING_NOTICED, ...facts)

test('changes of this window are not reported, however soon or late they are seen', () => {
  const done = grant(began(fact('SELECT')), 'INSERT')
  expect(see(done, fact('SELECT'), fact('INSERT')).reported).toEqual([])
})

test('changes of others are reported, also at the moment of an own change, and to the same table', () => {
  const done = grant(began(), 'SELECT')
  const { reported } = see(done, fact('SELECT'), fact('DELETE'), roleFact('officers'))
  expect(reported).toEqual([
    { isAdded: true, fact: fact('DELETE') },
    { isAdded: true, fact: roleFact('officers') },
  ])
})

test('a change that is seen before the answer to the own change is not reported once that has come', () => {
  const early = see(began(), fact('SELECT'))
  expect(early.reported).toHaveLength(1)
  expect(grant(early, 'SELECT').reported).toEqual([])
})

test('an own change that changed nothing hides nothing of others', () => {
  const again = grant(began(fact('SELECT')), 'SELECT')
  const back = see(see(again), fact('SELECT'))
  expect(back.reported).toEqual([
    { isAdded: false, fact: fact('SELECT') },
    { isAdded: true, fact: fact('SELECT') },
  ])
})

test('changes of somebody else’s roles and privileges are not of this one', () => {
  const turns = (path: `/${string}/${string}`, input: object) => turnsOf(change(path, input), CREW)
  expect(turns('/perms/grant-role-to-role', { role: 'officers', toRole: 'crew' })).toEqual([
    { isAdded: true, fact: roleFact('officers') },
  ])
  expect(turns('/perms/revoke-role-from-role', { role: 'officers', fromRole: 'crew' })).toEqual([
    { isAdded: false, fact: roleFact('officers') },
  ])
  expect(turns('/perms/grant-role-to-role', { role: 'crew', toRole: 'officers' })).toEqual([])
  expect(turns('/perms/grant-role-to-user', { role: 'officers', user: 'crew' })).toEqual([])
  expect(turns('/perms/grant-priv-to-user', { user: 'crew', object: boats, privileges: ['SELECT'] })).toEqual(
    [],
  )
  expect(turns('/schema/drop-table', { tableName: 'crew' })).toEqual([])
})
