import { Duplex } from 'node:stream'
import { expect, test } from 'vitest'
import { batchOf, cellsOf } from '../../engine/batches.ts'
import { TEXT, columnOf } from '../../engine/columns.ts'
import type { Cell } from '../../engine/rows.ts'
import type { RowBatch, RowSink } from '../../engine/sink.ts'
import {
  MOST_FRAME_BYTES,
  type SentFrame,
  WINDOW_BYTES,
  batchFrame,
  columnsFrame,
} from '../host/row-frames.ts'
import { SentRows } from '../host/sent-rows.ts'
import { ReceivedRows } from './received-rows.ts'

/** Two ends of a pipe, over which what the host sends comes in pieces. */
function ends(pieceBytes = Number.POSITIVE_INFINITY): [host: Duplex, server: Duplex] {
  const server = new Duplex({
    read: () => undefined,
    write: (data: Buffer, _, done) => done(void host.push(data)),
  })
  const host: Duplex = new Duplex({
    read: () => undefined,
    write(data: Buffer, _, done) {
      for (let at = 0; at < data.length; at += pieceBytes) server.push(data.subarray(at, at + pieceBytes))
      done()
    },
  })
  return [host, server]
}

function collecting() {
  const events: unknown[] = []
  const sink: RowSink = {
    begin: (columns) => void events.push(columns.map(({ name }) => name)),
    write: async (batch) => void events.push(cellsOf(batch)),
    end: async () => void events.push('end'),
  }
  return { events, sink }
}

const COLUMNS = [columnOf('a', 'VARCHAR', TEXT), columnOf('b', 'VARCHAR', TEXT)]
const ROWS: Cell[][] = [
  ['1', null],
  ['', 'é🎉'],
  [null, null],
  ['x'.repeat(1000), 'y'],
]

test.each([1, 3, 7, 64, 5000])('reads frames that come in pieces of %d bytes', async (pieceBytes) => {
  const [host, server] = ends(pieceBytes)
  const sent = new SentRows(host)
  const received = new ReceivedRows(server, () => expect.unreachable('The frames are as they should be.'))
  const { events, sink } = collecting()
  received.begin(7, sink, () => expect.unreachable('The sink takes everything.'))
  const into = sent.sinkOf(7)
  await into.begin(COLUMNS)
  await into.write(batchOf(ROWS, 2))
  await into.write(batchOf(ROWS.slice(0, 1), 2))
  await into.end?.()
  expect(events).toEqual([['a', 'b'], ROWS, ROWS.slice(0, 1), 'end'])
})

const whole = ({ parts }: SentFrame): Buffer => Buffer.concat(parts)

const large = (bytes: number): RowBatch => batchOf([['x'.repeat(bytes)]], 1)

test('sends no more than a window before the sink has taken it, and a larger batch alone', async () => {
  const [host, server] = ends()
  const sent = new SentRows(host)
  const received = new ReceivedRows(server, () => expect.unreachable('The frames are as they should be.'))
  let release: (() => void) | undefined
  const held = new Promise<void>((resolve) => (release = resolve))
  const sizes: number[] = []
  const sink: RowSink = {
    begin: () => undefined,
    async write({ columns }) {
      sizes.push(columns[0]?.data.length ?? 0)
      await held
    },
  }
  received.begin(1, sink, () => undefined)
  const into = sent.sinkOf(1)
  await into.write(large(WINDOW_BYTES / 2))
  await into.write(large(WINDOW_BYTES / 4))
  let isSent = false
  const third = into.write(large(3 * WINDOW_BYTES)).then(() => (isSent = true))
  await expect.poll(() => sizes).toEqual([WINDOW_BYTES / 2])
  expect(isSent).toBe(false)
  release?.()
  await third
  await into.end?.()
  expect(sizes).toEqual([WINDOW_BYTES / 2, WINDOW_BYTES / 4, 3 * WINDOW_BYTES])
})

test.each([
  [
    'more than the sink has room for',
    [large(WINDOW_BYTES), large(WINDOW_BYTES)].map((batch) => whole(batchFrame(1, batch))),
  ],
  ['a frame that is too large', [Buffer.from(Uint32Array.of(1, 1, MOST_FRAME_BYTES + 1).buffer)]],
  ['a frame of an unknown kind', [Buffer.from(Uint32Array.of(1, 9, 4, 0).buffer)]],
  ['a batch that ends too early', [Buffer.from(Uint32Array.of(1, 1, 8, 1000, 1000).buffer)]],
])('ends a host that sends %s', async (_, frames) => {
  const [host, server] = ends()
  const violated = new Promise<void>((resolve) => {
    const received = new ReceivedRows(server, resolve)
    received.begin(1, { begin: () => undefined, write: () => new Promise(() => undefined) }, () => undefined)
  })
  for (const frame of frames) host.write(frame)
  await violated
  expect(server.destroyed).toBe(true)
})

test('gives a sink nothing more once it has refused, nor once its statement has ended', async () => {
  const [host, server] = ends()
  const received = new ReceivedRows(server, () => expect.unreachable('The frames are as they should be.'))
  const [one, two] = [collecting(), collecting()]
  let refusals = 0
  const refuses: RowSink = { begin: one.sink.begin, write: () => Promise.reject(new Error('Gone.')) }
  received.begin(1, refuses, () => void refusals++)
  received.begin(2, two.sink, () => undefined)
  host.write(whole(columnsFrame(1, COLUMNS)))
  for (let at = 0; at < 3; at++) host.write(whole(batchFrame(1, batchOf(ROWS, 2))))
  host.write(whole(columnsFrame(2, COLUMNS)))
  await expect.poll(() => [refusals, two.events]).toEqual([1, [['a', 'b']]])
  received.end(2)
  host.write(whole(batchFrame(2, batchOf(ROWS, 2))))
  const last = collecting()
  received.begin(3, last.sink, () => undefined)
  host.write(whole(columnsFrame(3, COLUMNS)))
  await expect.poll(() => last.events).toEqual([['a', 'b']])
  expect([refusals, two.events]).toEqual([1, [['a', 'b']]])
})

test('memory that a sink gave back is written over, and none that a sink still has', async () => {
  const [host, server] = ends(30_000)
  const sent = new SentRows(host)
  const received = new ReceivedRows(server, () => expect.unreachable('The frames are as they should be.'))
  const [BYTES, BATCHES, KEPT] = [40_000, 200, 5]
  const buffers = new Set<ArrayBufferLike>()
  const spoilt: number[] = []

  /** Reads a batch again when it is about to give it back, several batches later. */
  function late(): RowSink {
    const kept: { readonly batch: RowBatch; readonly filledWith: number | undefined }[] = []
    return {
      takesPacked: true,
      begin: () => undefined,
      async write(batch) {
        const bytes = batch.packed ?? new Uint8Array()
        buffers.add(bytes.buffer)
        kept.push({ batch, filledWith: bytes[0] })
        if (kept.length <= KEPT) return
        const oldest = kept.shift()
        if (!oldest?.batch.packed?.every((byte) => byte === oldest.filledWith))
          spoilt.push(oldest?.filledWith ?? -1)
        oldest?.batch.release?.()
      },
    }
  }

  async function send(statement: number): Promise<void> {
    received.begin(statement, late(), () => undefined)
    const into = sent.sinkOf(statement, true)
    await into.begin(COLUMNS)
    for (let at = 0; at < BATCHES; at++)
      await into.write({
        rows: 1,
        columns: [],
        packed: new Uint8Array(BYTES).fill((statement * 83 + at) % 251),
      })
    await into.end?.()
  }

  await Promise.all([send(1), send(2), send(3)])
  expect(spoilt).toEqual([])
  expect(buffers.size).toBeLessThan(BATCHES)
})
