import { expect, test } from 'vitest'
import { createLoopTurns } from './loop-turns.ts'

test('work of one moment begins in order, a few in each turn of the event loop', async () => {
  const inLoopTurn = createLoopTurns(3)
  const done: string[] = []
  let isOver = false
  const others = () => {
    if (isOver) return
    done.push('others')
    setImmediate(others)
  }
  const all = Array.from({ length: 10 }, async (_, at) => {
    await new Promise<void>(inLoopTurn)
    await Promise.resolve()
    done.push(String(at))
  })
  setImmediate(others)
  await Promise.all(all)
  isOver = true
  const turns = done
    .join(' ')
    .split('others')
    .map((turn) => turn.trim())
  expect(turns.filter((turn) => turn !== '')).toEqual(['0 1 2', '3 4 5', '6 7 8', '9'])
})
