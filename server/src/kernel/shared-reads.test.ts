import { expect, test } from 'vitest'
import { createSharedReads } from './shared-reads.ts'

/** Reads that end when the test says so. */
function held() {
  const begun: { readonly key: string; end(value: string): void; fail(): void }[] = []
  const read = createSharedReads(
    (key) =>
      new Promise<string>((resolve, reject) => {
        begun.push({ key, end: resolve, fail: () => reject(new Error('lost')) })
      }),
  )
  return { begun, read }
}

test('callers that ask while a read is under way share one that begins afterwards', async () => {
  const { begun, read } = held()
  const first = read('a')
  const later = [read('a'), read('a'), read('a')]
  expect(begun.map(({ key }) => key)).toEqual(['a'])
  begun[0]?.end('before')
  expect(await first).toBe('before')
  await expect.poll(() => begun.length).toBe(2)
  const last = read('a')
  begun[1]?.end('after')
  expect(await Promise.all(later)).toEqual(['after', 'after', 'after'])
  await expect.poll(() => begun.length).toBe(3)
  begun[2]?.end('now')
  expect(await last).toBe('now')
})

test('others do not wait, and a read that failed is not the answer to who asked after it', async () => {
  const { begun, read } = held()
  const first = read('a')
  const [second, other] = [read('a'), read('b')]
  expect(begun.map(({ key }) => key)).toEqual(['a', 'b'])
  begun[1]?.end('b')
  expect(await other).toBe('b')
  begun[0]?.fail()
  await expect(first).rejects.toThrow('lost')
  await expect.poll(() => begun.length).toBe(3)
  begun[2]?.end('a')
  expect(await second).toBe('a')
})

test('once it is over the next caller reads again', async () => {
  const { begun, read } = held()
  const first = read('a')
  begun[0]?.end('one')
  await first
  const second = read('a')
  expect(begun).toHaveLength(2)
  begun[1]?.end('two')
  expect(await second).toBe('two')
})

test('those that wait for the next read wait a little longer, so that more of them share it', async () => {
  const begun: number[] = []
  const read = createSharedReads(async () => begun.push(performance.now()), 50)
  const first = read('a')
  const others = [read('a'), read('a')]
  expect(await first).toBe(1)
  expect(await Promise.all(others)).toEqual([2, 2])
  expect((begun[1] ?? 0) - (begun[0] ?? 0)).toBeGreaterThan(45)
})
