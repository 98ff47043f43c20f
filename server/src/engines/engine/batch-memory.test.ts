import { expect, test } from 'vitest'
import { BatchMemory } from './batch-memory.ts'

const PIECE = 100_000
const memoryOf = ({ bytes }: { readonly bytes: Uint8Array }) => bytes.buffer

test('memory that was given back is used again, for what is no larger', () => {
  const memory = new BatchMemory()
  const first = memory.take(PIECE)
  const buffer = memoryOf(first)
  first.release()
  const second = memory.take(PIECE - 1)
  expect(memoryOf(second)).toBe(buffer)
  expect(second.bytes).toHaveLength(PIECE - 1)
})

test('memory that somebody has is given to nobody else, though it was given back twice', () => {
  const memory = new BatchMemory()
  const first = memory.take(PIECE)
  first.release()
  first.release()
  const taken = Array.from({ length: 8 }, () => memory.take(PIECE))
  first.release()
  const all = new Set([...taken, memory.take(PIECE)].map(memoryOf))
  expect(all.size).toBe(9)
})

test('a piece is at most twice as large as what was asked for', () => {
  const memory = new BatchMemory()
  for (const length of [1, 16_384, 16_385, 131_073, 1_048_576, 5_000_000]) {
    const { bytes } = memory.take(length)
    expect(bytes).toHaveLength(length)
    expect(bytes.buffer.byteLength).toBeLessThanOrEqual(2 * length)
  }
})

test('no more than 2 MiB is kept for later, and nothing once it is cleared', () => {
  const memory = new BatchMemory()
  const pieces = Array.from({ length: 8 }, () => memory.take(512 * 1024))
  const buffers = new Set(pieces.map(memoryOf))
  for (const { release } of pieces) release()
  const again = Array.from({ length: 8 }, () => memory.take(512 * 1024))
  expect(again.filter((piece) => buffers.has(memoryOf(piece)))).toHaveLength(4)
  for (const { release } of again) release()
  memory.clear()
  const kept = new Set(again.map(memoryOf))
  expect(kept.has(memoryOf(memory.take(512 * 1024)))).toBe(false)
})
