import { expect, test } from 'vitest'
import { createFairQueue } from './fair-queue.ts'

const SHARES = [
  { most: 6, of: 'of this account' },
  { most: 3, of: 'of yours' },
]
const width = {
  atOnce: 1,
  ranks: { first: { places: 8, shares: SHARES }, later: { places: 8, shares: SHARES } },
}

/** Nothing here waits for anything but promises. */
const settled = () => new Promise((resolve) => setImmediate(resolve))

/** A queue whose work ends when the test says so, and the started work, in order. */
function held(atOnce = 1) {
  const queue = createFairQueue({ ...width, atOnce })
  const begun: string[] = []
  const ends: (() => void)[] = []
  const send = (name: string, path: readonly string[], rank: 'first' | 'later' = 'first') =>
    queue({ rank, path }, () => {
      begun.push(name)
      return new Promise<void>((resolve) => ends.push(resolve))
    })
  async function finish(count: number): Promise<void> {
    for (let ended = 0; ended < count; ended++) {
      ends.shift()?.()
      await settled()
    }
  }
  return { queue, begun, send, finish }
}

test('work is done a few at a time, in the order in which it came', async () => {
  const { begun, send, finish } = held(2)
  const all = ['1', '2', '3', '4'].map((name) => send(name, ['harbour', 'ada']))
  expect(begun).toEqual(['1', '2'])
  await finish(4)
  await Promise.all(all)
  expect(begun).toEqual(['1', '2', '3', '4'])
})

test('accounts take turns, and within an account its users', async () => {
  const { begun, send, finish } = held()
  const all = [
    send('runs', ['harbour', 'ada']),
    send('ada 1', ['harbour', 'ada']),
    send('ada 2', ['harbour', 'ada']),
    send('ada 3', ['harbour', 'ada']),
    send('bea 1', ['harbour', 'bea']),
    send('bea 2', ['harbour', 'bea']),
    send('other 1', ['river', 'cleo']),
  ]
  await finish(all.length)
  await Promise.all(all)
  expect(begun).toEqual(['runs', 'ada 1', 'other 1', 'bea 1', 'ada 2', 'bea 2', 'ada 3'])
})

test.each([
  [
    'a user',
    Array.from({ length: 3 }, () => ['harbour', 'ada']),
    ['harbour', 'ada'],
    ['harbour', 'bea'],
    '3 of yours',
  ],
  [
    'an account',
    Array.from({ length: 6 }, (_, index) => ['harbour', `user ${index % 3}`]),
    ['harbour', 'new'],
    ['river', 'cleo'],
    '6 of this account',
  ],
])('%s that has filled its share is refused, and others are not', async (_, paths, full, other, words) => {
  const { send, finish } = held()
  const all = [send('runs', ['lake', 'dan']), ...paths.map((path) => send('waits', path))]
  await expect(send('too many', full)).rejects.toMatchObject({
    code: 'TooManyAttempts',
    message: `Too many requests at once: ${words} wait already, the most there can be. Wait a few seconds, then try again.`,
  })
  all.push(send('other', other))
  await finish(all.length)
  await Promise.all(all)
})

test('a rank that is full leaves the places of another alone, and the first comes first', async () => {
  const { begun, send, finish } = held()
  const all = [send('runs', ['lake', 'dan'], 'later')]
  for (let index = 0; index < 8; index++) all.push(send('later', [`account ${index}`, 'x'], 'later'))
  await expect(send('late', ['account 9', 'x'], 'later')).rejects.toMatchObject({ code: 'TooManyAttempts' })
  all.push(send('first', ['harbour', 'ada']))
  await finish(all.length)
  await Promise.all(all)
  expect(begun.slice(0, 2)).toEqual(['runs', 'first'])
})

test('the first rank does not hold up the others forever', async () => {
  const { begun, send, finish } = held()
  const all = [send('runs', ['lake', 'dan']), send('later', ['lake', 'dan'], 'later')]
  for (let sent = 0; sent < 20; sent++) {
    all.push(send('first', ['harbour', 'ada']))
    await finish(1)
  }
  await finish(2)
  await Promise.all(all)
  expect(begun.indexOf('later')).toBeLessThan(10)
})

test('work that fails makes room for the next, and leaves nothing behind', async () => {
  const queue = createFairQueue(width)
  const turn = { rank: 'first', path: ['harbour', 'ada'] } as const
  for (let round = 0; round < 3; round++) {
    const failing = queue(turn, () => Promise.reject(new Error('no')))
    const waiting = Array.from({ length: 3 }, () => queue(turn, async () => 'done'))
    await expect(failing).rejects.toThrow('no')
    expect(await Promise.all(waiting)).toEqual(['done', 'done', 'done'])
  }
})
