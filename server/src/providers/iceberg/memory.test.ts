import { expect, test } from 'vitest'
import { Memory } from './memory.ts'

const NEVER = new AbortController().signal

/** Kept under one letter each, until they are evicted. */
function setUp(most: number) {
  const memory = new Memory(most)
  const kept = new Map<string, object>()
  const keep = (name: string, length: number) => {
    const one = { name }
    kept.set(name, one)
    memory.keep(one, length, () => kept.delete(name))
  }
  return { memory, kept, keep, names: () => [...kept.keys()].join('') }
}

test('the least recently used are evicted for new entries', () => {
  const { memory, kept, keep, names } = setUp(3)
  for (const name of ['a', 'b', 'c']) keep(name, 1)
  memory.use(kept.get('a') ?? {})
  keep('d', 2)
  expect(names()).toBe('ad')
  memory.release(kept.get('d') ?? {})
  kept.delete('d')
  keep('e', 2)
  expect(names()).toBe('ae')
  // Nothing goes for what there will never be room for.
  keep('f', 4)
  expect(names()).toBe('ae')
})

test('room for work is made before it begins, and what finds none waits for it', async () => {
  const { memory, keep, names } = setUp(3)
  keep('a', 1)
  keep('b', 1)
  let end = () => undefined as void
  const first = memory.during(2, NEVER, () => new Promise<void>((resolve) => (end = resolve)))
  expect(names()).toBe('b')
  const done: string[] = []
  const second = memory.during(3, NEVER, async () => void done.push('second'))
  await Promise.resolve()
  expect([names(), done]).toEqual(['', []])
  keep('c', 2)
  expect(names()).toBe('')
  end()
  await Promise.all([first, second])
  expect(done).toEqual(['second'])
  await expect(memory.during(1, NEVER, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  keep('d', 3)
  expect(names()).toBe('d')
})

test('a caller that stops waiting learns why', async () => {
  const memory = new Memory(1)
  const stop = new AbortController()
  let end = () => undefined as void
  const first = memory.during(1, NEVER, () => new Promise<void>((resolve) => (end = resolve)))
  const second = memory.during(1, stop.signal, () => Promise.resolve())
  stop.abort()
  await expect(second).rejects.toThrow('too much is read of other catalogs at this moment')
  await expect(memory.during(1, stop.signal, () => Promise.resolve())).rejects.toThrow('too much is read')
  end()
  await first
  // What wants more than there is gets all of it.
  expect(await memory.during(9, NEVER, () => Promise.resolve(8))).toBe(8)
  expect(await memory.during(1, NEVER, () => Promise.resolve(7))).toBe(7)
})
