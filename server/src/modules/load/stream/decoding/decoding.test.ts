import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { bzip2Bomb, EMPTY_STREAMS, lz4Bomb } from '../../../../testing/bombs.ts'
import { decodeBzip2 } from './bzip2.ts'
import { decodeLz4 } from './lz4-frames.ts'

/** Made with the bzip2 and lz4 libraries of Python. */
const ROWS = Array.from({ length: 40 }, (_, at) => `${at},row ${(at * 7_919) % 1_000}\n`).join('')
const SAME = '7,same row\n'.repeat(20_000)
const TEXTS = {
  bzip2:
    'QlpoOTFBWSZTWULZgekAAD5ZgAAQQAR/4AAAkIAwAMsoap6j2on+qj9RBVPxoyakQGmgJ6SmmXdVJJJJkOQADAHQADbbfyS4R5eKvHOaWbGY8R0kZm5m2TOpLwjfC0GIl7N3g0hF7dnNHTG5VnkW146IgiS4IN28wZkjTSdnMnTB7s1xXGV16OGd7KS5XKIMcrehIq0IcVdqSQMmHDirPVQHL5zsODa6oSfBR6a9ADD+AGHoAYfC7kinChIIWzA9IA==',
  bzip2Same:
    'QlpoMTFBWSZTWUEMvg4ARwLZgAAQQAQAgCICmIAgAJAgGmmgKVQaNPUyAqHkBUNIFQ6gKhrICobgKhuAqGQFQ+gKhqAqGQFQ/MUFZJlNZDJseYwCfxVmAABBABACAIgKYgCAAkCAaaaApVBo09TICoeQFQ1AVDqAqGIFQ3AVDcBUMgKhuAqHP0BUMgKh+YoKyTKazNqAPvgAqsbMAACCACAEARAUxAEAA4IBppoE1VBo09TIKjyCo0hUdIVGIVG4KjnaFRkFRuCo+QqMgqPxdyRThQkIZUwyAA==',
  lz4: 'BCJNGGxApwEAAAAAAABqPQEAAJEwLHJvdyAwCjEIAFE5MTkKMgoAUTgzOAozCgBRNzU3CjQKAFE2NzYKNQoAUjU5NQo2CgBBMTQKNwoAUTQzMwo4CgBRMzUyCjkKAFIyNzEKMWMAUjE5MAoxZgBSMTA5CjFnAEIyOAoxZwBSOTQ3CjFoAFI4NjYKMWkAUjc4NQoxagBSNzA0CjFrAFI2MjMKMWwAUjU0MgoxbQBSNDYxCjJtAFIzODAKMm0AUzI5OQoybQBCMTgKMm4AUjEzNwoybgBCNTYKMm0AUjk3NQoybQBSODk0CjJtAFI4MTMKMm0AUjczMgoybQBSNjUxCjNtAFI1NzAKM20AUjQ4OQozbQBSNDA4CjNtAFIzMjcKM20AUjI0NgozbgBTMTY1CjNuADI0CjNtADIzCjNrAPAAOTIyCjM5LHJvdyA4NDEKAAAAADSgEn0=',
  /** In blocks of 64 kB that repeat what is before them, each with its checksum. */
  lz4Same: `BCJNGFxAYFsDAAAAAACzFQEAAL83LHNhbWUgcm93CgsA${'/'.repeat(341)}91QbWUgcm+5QkxpCgEAAA/3${'/'.repeat(343)}oUHNhbWUgydqVXgoBAAAPCwD${'/'.repeat(341)}6FA3LHNhbQtFRLhlAAAAD/f${'/'.repeat(122)}6NQIHJvdwo19scaAAAAAAjBdXE=`,
}
const data = (name: keyof typeof TEXTS) => Buffer.from(TEXTS[name], 'base64')

const DECODERS = { bzip2: decodeBzip2, lz4: decodeLz4 } as const

async function decoded(
  how: keyof typeof DECODERS,
  bytes: Buffer,
  pieceBytes = bytes.length,
): Promise<string> {
  const pieces = Array.from({ length: Math.ceil(bytes.length / pieceBytes) }, (_, at) =>
    bytes.subarray(at * pieceBytes, (at + 1) * pieceBytes),
  )
  const found: Uint8Array[] = []
  for await (const one of DECODERS[how](Readable.from(pieces))) found.push(one)
  return Buffer.concat(found).toString()
}

for (const how of ['bzip2', 'lz4'] as const) {
  test(`${how}: data in pieces of any size, in several streams, and of repeated rows`, async () => {
    expect(await decoded(how, data(how), 1)).toBe(ROWS)
    expect((await decoded(how, data(`${how}Same`), 7)) === SAME).toBe(true)
    expect(await decoded(how, Buffer.concat([data(how), data(how)]), 100)).toBe(ROWS + ROWS)
  })

  test(`${how}: what is cut off anywhere, changed anywhere or something else is refused`, async () => {
    const whole = data(how)
    for (let end = 0; end < whole.length; end += 3)
      await expect(decoded(how, whole.subarray(0, end))).rejects.toMatchObject({ name: 'BrokenData' })
    for (let at = 0; at < whole.length; at += 5) {
      const changed = Buffer.from(whole)
      changed.writeUInt8(changed.readUInt8(at) ^ 0x10, at)
      // The checksum of everything at the end of bzip2 is the only one that is not looked at.
      const said = await decoded(how, changed).catch((error: Error) => error.name)
      expect(['BrokenData', ...(how === 'bzip2' && at > whole.length - 6 ? [ROWS] : [])]).toContain(said)
    }
    await expect(decoded(how, Buffer.from('1,a\n2,b\n'))).rejects.toMatchObject({ name: 'BrokenData' })
  })
}

test('lz4: a frame that is to be skipped is skipped', async () => {
  const skipped = Buffer.from([0x52, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3])
  expect(await decoded('lz4', Buffer.concat([skipped, data('lz4'), skipped]), 5)).toBe(ROWS)
})

const MB = 1024 * 1024

/** How often others had their turn while it was decoded, how much came out, and how much was held at most. */
async function costOf(how: keyof typeof DECODERS, bytes: Buffer) {
  let [turns, length, mostHeld] = [0, 0, 0]
  let isDone = false
  const before = process.memoryUsage().arrayBuffers
  const takeTurn = (): void => {
    turns++
    if (!isDone) setImmediate(takeTurn)
  }
  setImmediate(takeTurn)
  for await (const one of DECODERS[how](Readable.from([bytes]))) {
    length += one.length
    mostHeld = Math.max(mostHeld, process.memoryUsage().arrayBuffers - before)
  }
  isDone = true
  return { turns, length, mostHeld }
}

test.each([
  ['bzip2', bzip2Bomb()],
  ['lz4', lz4Bomb(80)],
] as const)('%s: a bomb leaves the thread to others, and memory as it is', async (how, bytes) => {
  const cost = await costOf(how, bytes)
  expect(cost.length).toBeGreaterThan(250 * bytes.length)
  expect(cost.mostHeld).toBeLessThan(200 * MB)
  expect(cost.turns).toBeGreaterThan(20)
})

test.each([
  ['bzip2', EMPTY_STREAMS.bzip2],
  ['lz4', EMPTY_STREAMS.lz4],
  ['lz4', EMPTY_STREAMS.skipped],
] as const)('%s: many streams with nothing inside leave the thread to others', async (how, of) => {
  const cost = await costOf(how, of(100_000))
  expect(cost.length).toBe(0)
  expect(cost.turns).toBeGreaterThan(5)
})
