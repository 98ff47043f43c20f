import { execFileSync } from 'node:child_process'
import { EventEmitter } from 'node:events'
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createLog, outliveOutput } from './log.ts'

function opened(file: string): number {
  const fd = openSync(file, 'a')
  onTestFinished(() => closeSync(fd))
  return fd
}

test.skipIf(!existsSync('/dev/full'))('a log that cannot be written ends nothing', () => {
  const log = createLog('info', opened('/dev/full'))
  const write = () => log.info({ words: 'x'.repeat(1000) }, 'nowhere to go')
  expect(() => Array.from({ length: 10_000 }, write)).not.toThrow()
})

/** A disk of 64 KiB; null where only root may have one, or not even root. */
function smallDisk(): string | null {
  const directory = mkdtempSync(join(tmpdir(), 'boathouse-disk-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', directory], { stdio: 'ignore' })
  } catch {
    // No right to mount, or no such program: the test says that it was left out.
    return null
  }
  onTestFinished(() => void execFileSync('umount', [directory]))
  return directory
}

test('when a full disk has space again, the log continues, with the lines in between', ({ skip }) => {
  const disk = smallDisk()
  if (disk === null) return skip('no disk of its own can be mounted here')
  const file = join(disk, 'log')
  const log = createLog('info', opened(file))
  log.info('before')
  const ballast = join(disk, 'ballast')
  expect(() => writeFileSync(ballast, Buffer.alloc(1024 * 1024))).toThrow('ENOSPC')
  for (let line = 0; line < 20; line++) log.info({ line, words: 'x'.repeat(1000) }, 'meanwhile')
  rmSync(ballast)
  log.info('after')
  const messages = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { msg: string }).msg)
  expect(messages).toEqual(['before', ...Array<string>(20).fill('meanwhile'), 'after'])
})

test('standard output and standard error may fail without ending the server', () => {
  const streams = [new EventEmitter(), new EventEmitter()]
  outliveOutput(streams)
  for (const stream of streams) expect(stream.emit('error', new Error('ENOSPC'))).toBe(true)
})
