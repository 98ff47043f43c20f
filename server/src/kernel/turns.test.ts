import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createTurns } from './turns.ts'

test('one goes on in a turn of the loop, in the order in which they came', async () => {
  const turn = createTurns()
  const gone: number[] = []
  const all = [1, 2, 3].map((number) => turn().then(() => gone.push(number)))
  for (const so of [[1], [1, 2], [1, 2, 3]]) {
    await nextTurn()
    expect(gone).toEqual(so)
  }
  await Promise.all(all)
  await turn()
})
