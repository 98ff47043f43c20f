import { execFileSync, spawn } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'rolldown'
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

test('when a full disk has space again, the log continues, with the lines in between', async ({ skip }) => {
  const disk = smallDisk()
  if (disk === null) return skip('no disk of its own can be mounted here')
  const file = join(disk, 'log')
  const log = createLog('info', opened(file))
  const messages = () =>
    readFileSync(file, 'utf8')
      .split('\n')
      .flatMap((line) => (line === '' ? [] : [(JSON.parse(line) as { msg: string }).msg]))
  log.info('before')
  await expect.poll(messages).toEqual(['before'])
  const ballast = join(disk, 'ballast')
  expect(() => writeFileSync(ballast, Buffer.alloc(1024 * 1024))).toThrow('ENOSPC')
  for (let line = 0; line < 20; line++) log.info({ line, words: 'x'.repeat(1000) }, 'meanwhile')
  rmSync(ballast)
  log.info('after')
  await expect.poll(messages).toEqual(['before', ...Array<string>(20).fill('meanwhile'), 'after'])
})

test('standard output and standard error may fail without ending the server', () => {
  const streams = [new EventEmitter(), new EventEmitter()]
  outliveOutput(streams)
  for (const stream of streams) expect(stream.emit('error', new Error('ENOSPC'))).toBe(true)
})

/** More lines than a pipe holds, and a word that they were not waited for. */
const UNREAD = `import { createLog } from ${JSON.stringify(join(import.meta.dirname, 'log.ts'))}
  const log = createLog('info')
  for (let line = 0; line < 1000; line++) log.info({ line, words: 'x'.repeat(500) }, 'call answered')
  process.stdout.write('not waited')
  setInterval(() => undefined, 60_000)`

test('a reader of the log that is slow holds up nobody, and has every line when it reads', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'boathouse-log-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  const [input, file] = [join(directory, 'entry.ts'), join(directory, 'entry.js')]
  writeFileSync(input, UNREAD)
  await build({ input, platform: 'node', cwd: import.meta.dirname, output: { file, format: 'esm' } })
  const child = spawn(process.execPath, [file])
  onTestFinished(() => void child.kill())
  await once(child.stdout, 'data')
  let read = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (read += text))
  await expect.poll(() => read.trim().split('\n').length).toBe(1000)
})

test('no secret is logged, at whatever of the first three levels and in errors, and nothing else changes', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'boathouse-log-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  const file = join(directory, 'log')
  const log = createLog('info', opened(file))
  const err = Object.assign(new TypeError('it broke'), {
    sql: 'select secret',
    code: 7,
    at: { token: 'secret' },
  })
  const fields = { token: 'secret', a: { password: 'secret', b: { cookie: 'secret', c: [1, { d: 2 }] } } }
  log.info({ err, ...fields, list: [{ signature: 'secret' }] }, 'said')
  const text = () => readFileSync(file, 'utf8')
  await expect.poll(text).toContain('said')
  expect(text()).not.toContain('secret')
  expect(JSON.parse(text())).toMatchObject({
    err: { type: 'TypeError', message: 'it broke', sql: '***', code: 7, at: { token: '***' } },
    token: '***',
    a: { password: '***', b: { cookie: '***', c: [1, { d: 2 }] } },
    list: [{ signature: '***' }],
  })
  expect(fields.a.b.cookie).toBe('secret')
  expect(err.sql).toBe('select secret')
})
