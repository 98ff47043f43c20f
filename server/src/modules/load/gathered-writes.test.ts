import { mkdtemp, open, readFile, rm } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createGatheredWrites } from './gathered-writes.ts'

async function opened() {
  const directory = await mkdtemp(join(tmpdir(), 'gathered-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  const path = join(directory, 'file')
  const file = await open(path, 'w')
  onTestFinished(() => file.close())
  return { path, file }
}

const pieceOf = (at: number, bytes: number) => Buffer.alloc(bytes, String(at % 10))

test('pieces of any size are written in their order, from the offset on', async () => {
  const { path, file } = await opened()
  const pieces = [1, 70_000, 0, 1_500_000, 3, 64 * 1024, 999_999].map((bytes, at) => pieceOf(at, bytes))
  const writes = createGatheredWrites(file, 5)
  for (const piece of pieces) await writes.add(piece)
  await writes.end()
  const written = await readFile(path)
  expect(written.equals(Buffer.concat([Buffer.alloc(5), ...pieces]))).toBe(true)
})

test('a disk that takes a part of what it is given is given the rest', async () => {
  const { path, file } = await opened()
  const slow = {
    writev: ([first]: readonly Uint8Array[], at: number) =>
      file.write(first ?? Buffer.alloc(0), 0, Math.min(7, first?.length ?? 0), at),
  } as unknown as FileHandle
  const writes = createGatheredWrites(slow, 0)
  await writes.add(Buffer.from('0123456789'))
  await writes.add(Buffer.from('abcdefghij'))
  await writes.end()
  expect(await readFile(path, 'utf8')).toBe('0123456789abcdefghij')
})

test('a disk that fails is reported by the end, or by what is added after it', async () => {
  const full = { writev: () => Promise.reject(new Error('ENOSPC')) } as unknown as FileHandle
  const small = createGatheredWrites(full, 0)
  await small.add(Buffer.from('x'))
  await expect(small.end()).rejects.toThrow('ENOSPC')
  const large = createGatheredWrites(full, 0)
  await large.add(pieceOf(0, 1_100_000))
  await expect(large.add(pieceOf(1, 1_100_000))).rejects.toThrow('ENOSPC')
  await large.settled()
})

test('the more files are written to, the less is gathered for each of them', async () => {
  const sizes: number[] = []
  const disk = {
    writev: async (pieces: readonly Uint8Array[]) => {
      const bytesWritten = pieces.reduce((sum, { byteLength }) => sum + byteLength, 0)
      sizes.push(bytesWritten)
      return { bytesWritten }
    },
  } as unknown as FileHandle
  const many = Array.from({ length: 400 }, () => createGatheredWrites(disk, 0))
  for (const one of many) await one.add(pieceOf(0, 64 * 1024))
  expect(sizes).toHaveLength(400)
  for (const one of many) await one.settled()
  const alone = createGatheredWrites(disk, 0)
  await alone.add(pieceOf(0, 512 * 1024))
  expect(sizes).toHaveLength(400)
  await alone.settled()
})
