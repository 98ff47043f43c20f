import { expect, test } from 'vitest'
import { changesBetween, cutChanges } from './changelog.ts'

test('changes are shown field by field, before and after [SEC-02]', () => {
  const before = { name: 'Argo', afloat: false, crew: ['ann', 'bob'], owner: { name: 'Jason', since: 2020 } }
  const after = { ...before, afloat: true, crew: ['ann'], owner: { name: 'Medea', since: 2020 }, flag: null }
  expect(changesBetween(before, after)).toEqual([
    { field: 'afloat', before: 'no', after: 'yes' },
    { field: 'crew', before: 'ann, bob', after: 'ann' },
    { field: 'owner.name', before: 'Jason', after: 'Medea' },
    { field: 'flag', before: null, after: 'not set' },
  ])
})

test('all fields are shown of what is new or gone', () => {
  expect(changesBetween(null, { name: 'Argo', seats: [{ side: 'port' }], tags: {} })).toEqual([
    { field: 'name', before: null, after: 'Argo' },
    { field: 'seats', before: null, after: 'side: port' },
    { field: 'tags', before: null, after: 'none' },
  ])
  expect(changesBetween({ name: 'Argo' }, null)).toEqual([{ field: 'name', before: 'Argo', after: null }])
  expect(changesBetween(null, null)).toEqual([])
  expect(changesBetween(undefined, { a: { b: { c: { d: { e: 1 } } } } })).toEqual([
    { field: 'a.b.c.d', before: null, after: 'e: 1' },
  ])
})

test('a list is given the first fields and the beginnings of values, and says so', () => {
  const changes = changesBetween({ a: 'x' }, { a: 'long text', b: 1, c: 2 })
  expect(cutChanges(changes, { fields: 2, length: 4 })).toEqual({
    changes: [
      { field: 'a', before: 'x', after: 'long…' },
      { field: 'b', before: null, after: '1' },
    ],
    isCut: true,
  })
  expect(cutChanges(changes, { fields: 3, length: 9 })).toEqual({ changes, isCut: false })
})

test('values that are not texts are put in words', () => {
  const after = {
    email: null,
    roles: [],
    comment: '',
    enabled: true,
    shared: false,
    seats: 0,
    ends: undefined,
  }
  expect(changesBetween(null, after).map(({ field, after: text }) => [field, text])).toEqual([
    ['email', 'not set'],
    ['roles', 'none'],
    ['comment', 'not set'],
    ['enabled', 'yes'],
    ['shared', 'no'],
    ['seats', '0'],
    ['ends', 'not set'],
  ])
  expect(changesBetween({ flag: 'null' }, { flag: 'true' })).toEqual([
    { field: 'flag', before: 'null', after: 'true' },
  ])
})
