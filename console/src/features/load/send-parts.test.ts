import { expect, test, vi } from 'vitest'
import { type PartsOrder, type PartsWorld, sendParts, UploadRefused } from './send-parts.ts'

const answer = (status: number, message = ''): Response =>
  new Response(JSON.stringify({ code: status, message }), { status })

/** A service that takes parts, and a clock that does not wait. */
function started(reply: (part: number, tries: number) => Response | Error = () => answer(200)) {
  const tries = new Map<number, number>()
  const sizes = new Map<number, number>()
  const waits: number[] = []
  const world: PartsWorld = {
    fetch: async (url, { body }) => {
      const part = Number(url.split('/').at(-1))
      tries.set(part, (tries.get(part) ?? 0) + 1)
      sizes.set(part, (body as Blob).size)
      const replied = reply(part, tries.get(part) ?? 0)
      if (replied instanceof Error) throw replied
      return replied
    },
    wait: async (ms) => void waits.push(ms),
  }
  return { world, tries, sizes, waits }
}

const order = (change: Partial<PartsOrder> = {}): PartsOrder => ({
  file: new Blob(['0123456789']),
  url: '/upload/secret',
  partBytes: 4,
  received: [],
  signal: new AbortController().signal,
  onProgress: () => undefined,
  onWaiting: () => undefined,
  ...change,
})

test('every part is sent once, the last one shorter, and progress ends with the size of the file', async () => {
  const { world, sizes, tries } = started()
  const onProgress = vi.fn<PartsOrder['onProgress']>()
  await sendParts(world, order({ onProgress }))
  expect([...sizes]).toEqual([
    [0, 4],
    [1, 4],
    [2, 2],
  ])
  expect([...tries.values()]).toEqual([1, 1, 1])
  expect(onProgress).toHaveBeenLastCalledWith(10, 10)
})

test('what is there already is not sent again', async () => {
  const { world, tries } = started()
  const onProgress = vi.fn<PartsOrder['onProgress']>()
  await sendParts(world, order({ received: [0, 2], onProgress }))
  expect([...tries.keys()]).toEqual([1])
  expect(onProgress.mock.calls).toEqual([
    [6, 4],
    [10, 10],
  ])
})

test('what has arrived of the beginning is known, whatever else is there', async () => {
  let release: (() => void) | undefined
  const first = new Promise<void>((resolve) => (release = resolve))
  const { world } = started()
  const onProgress = vi.fn<PartsOrder['onProgress']>(
    (_, leading) => leading === 0 && onProgress.mock.calls.length === 3 && release?.(),
  )
  const held: PartsWorld = {
    ...world,
    fetch: async (url, init) => {
      if (url.endsWith('/0')) await first
      return world.fetch(url, init)
    },
  }
  await sendParts(held, order({ onProgress }))
  expect(onProgress.mock.calls).toEqual([
    [0, 0],
    [4, 0],
    [6, 0],
    [10, 10],
  ])
})

test('a line that breaks and a service that is started again are waited for', async () => {
  const { world, tries, waits } = started((part, tried) => {
    if (part !== 1 || tried > 5) return answer(200)
    return tried % 2 === 0 ? answer(503) : new TypeError('no line')
  })
  const onWaiting = vi.fn<(isWaiting: boolean) => void>()
  await sendParts(world, order({ onWaiting }))
  expect(tries.get(1)).toBe(6)
  expect(waits).toEqual([1000, 2000, 4000, 8000, 8000])
  expect(onWaiting).toHaveBeenCalledWith(true)
  expect(onWaiting).toHaveBeenLastCalledWith(false)
})

test('a refusal is shown in its words, and is not retried', async () => {
  const { world, tries } = started(() => answer(404, 'There is no such file.'))
  await expect(sendParts(world, order())).rejects.toEqual(new UploadRefused('There is no such file.'))
  expect(Math.max(...tries.values())).toBe(1)
})

test('it can be stopped', async () => {
  const controller = new AbortController()
  const { world, tries } = started((part) => {
    controller.abort()
    return part === 0 ? answer(200) : answer(200)
  })
  await expect(sendParts(world, order({ signal: controller.signal }))).rejects.toThrow('aborted')
  expect(tries.has(2)).toBe(false)
})
