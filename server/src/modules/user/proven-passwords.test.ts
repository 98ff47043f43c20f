import { expect, test } from 'vitest'
import { fakeClock, MINUTES } from '../../testing/fake-clock.ts'
import { createProvenPasswords } from './proven-passwords.ts'

const ADA = { userId: 'ada', passwordHash: 'hash' }

test('a proof is of one password, one place and one process', () => {
  const clock = fakeClock()
  const proven = createProvenPasswords({ clock })
  const proof = proven.proofOf('here ada', 'Rowing_1')
  expect(proof.equals(proven.proofOf('here ada', 'Rowing_1'))).toBe(true)
  for (const other of [
    proven.proofOf('here ada', 'Rowing_2'),
    proven.proofOf('there ada', 'Rowing_1'),
    createProvenPasswords({ clock }).proofOf('here ada', 'Rowing_1'),
  ])
    expect(proof.equals(other)).toBe(false)
  expect(proof.toString()).not.toContain('Rowing')
})

test('what was proved is known for ten minutes', () => {
  const clock = fakeClock()
  const proven = createProvenPasswords({ clock })
  const proof = proven.proofOf('here ada', 'Rowing_1')
  expect(proven.take('here ada', proof)).toBeNull()
  proven.keep('here ada', proof, ADA)
  clock.advance(10 * MINUTES - 1)
  expect(proven.take('here ada', proof)).toMatchObject(ADA)
  clock.advance(1)
  expect(proven.take('here ada', proof)).toBeNull()
})

test('one wrong password ends it: the right one has to be proved again', () => {
  const proven = createProvenPasswords({ clock: fakeClock() })
  const proof = proven.proofOf('here ada', 'Rowing_1')
  proven.keep('here ada', proof, ADA)
  expect(proven.take('here ada', proven.proofOf('here ada', 'guess'))).toBeNull()
  expect(proven.take('here ada', proof)).toBeNull()
})

test('no more are known than there is room for', () => {
  const proven = createProvenPasswords({ clock: fakeClock(), most: 3 })
  const places = Array.from({ length: 10 }, (_, index) => `here user ${index}`)
  for (const place of places) proven.keep(place, proven.proofOf(place, 'x'), ADA)
  const known = places.filter((place) => proven.take(place, proven.proofOf(place, 'x')))
  expect(known).toEqual(places.slice(-3))
})
