import { expect, test } from 'vitest'
import { sameNames } from './same-names.ts'

const answer = (names: readonly string[], total = names.length) => ({ list: [], names: [...names], total })

test('an answer with the same names is the one before, so that nothing is drawn again', () => {
  const before = answer(['nation', 'region'])
  expect(sameNames(before, answer(['nation', 'region']))).toBe(before)
})

test('names that changed are taken as they came', () => {
  const before = answer(['nation', 'region'])
  expect(sameNames(before, answer(['nation', 'oars']))).toEqual(answer(['nation', 'oars']))
  expect(sameNames(before, answer(['nation', 'region', 'oars']))).toEqual(
    answer(['nation', 'region', 'oars']),
  )
  expect(sameNames(undefined, answer(['nation']))).toEqual(answer(['nation']))
})

test('when only something else changed, the list of names stays the same one', () => {
  const before = answer(['nation', 'region'])
  const after = sameNames(before, answer(['nation', 'region'], 100_001)) as typeof before
  expect(after).toEqual(answer(['nation', 'region'], 100_001))
  expect(after.names).toBe(before.names)
})

test('a hundred thousand names are compared one by one, and no key is made of any', () => {
  const names = Array.from({ length: 100_000 }, (_, at) => `table_${at}`)
  let asked = 0
  const watched = new Proxy([...names], {
    ownKeys: (target) => {
      asked++
      return Reflect.ownKeys(target)
    },
  })
  const before = answer(names)
  expect(sameNames(before, { list: [], names: watched, total: names.length })).toBe(before)
  expect(asked).toBe(0)
})
