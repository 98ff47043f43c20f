import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFile, mkdir, readdir, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'
import { kill, openForTest, remember, remembered, testDirectory, until } from '../../testing/store-kit.ts'
import { findPostmaster } from './postmaster.ts'
import { processInfo } from './process-info.ts'

/** A process that ended and that its parent never asks about: a shell would, so it is a program by then. */
async function zombie(): Promise<number> {
  const parent = spawn('/bin/sh', ['-c', 'sleep 60 & echo $!; exec sleep 61'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const parentId = parent.pid ?? 0
  onTestFinished(() => kill(parentId))
  const [line] = await once(createInterface(parent.stdout), 'line')
  await until(async () => {
    const info = await processInfo(parentId)
    return info.state === 'alive' && info.command.startsWith('sleep 61')
  }, 'the shell is replaced')
  process.kill(Number(line), 'SIGKILL')
  await until(async () => (await processInfo(Number(line))).state === 'zombie', 'the process is a zombie')
  return Number(line)
}

/** Some other program, of the very user that PostgreSQL runs as. */
async function stranger(home: string): Promise<number> {
  const { uid, gid } = await stat(home)
  const program = spawn('/bin/sleep', ['60'], { uid, gid, stdio: 'ignore' })
  onTestFinished(() => kill(program.pid ?? 0))
  await once(program, 'spawn')
  return program.pid ?? 0
}

async function closedDatabase(): Promise<string> {
  const dataDir = await testDirectory()
  const store = await openForTest(dataDir)
  await remember(store, 'kept')
  await store.close()
  return dataDir
}

async function leaveLocks(dataDir: string, pid: number): Promise<void> {
  const home = join(dataDir, 'pg18')
  const lines = [pid, join(home, 'data'), 1, 5432, join(home, 'run'), '', '  1  1', 'ready   ', '']
  await writeFile(join(home, 'data', 'postmaster.pid'), lines.join('\n'))
  await writeFile(join(home, 'run', '.s.PGSQL.5432.lock'), lines.slice(0, 5).join('\n'))
}

test('a killed server that nobody reaps does not keep the next one from starting', async () => {
  const dataDir = await closedDatabase()
  await leaveLocks(dataDir, await zombie())
  expect(await remembered(await openForTest(dataDir))).toEqual(['kept'])
})

test('a process number that now belongs to another program does not keep the server from starting', async () => {
  const dataDir = await closedDatabase()
  const pid = await stranger(join(dataDir, 'pg18'))
  await leaveLocks(dataDir, pid)
  expect(await remembered(await openForTest(dataDir))).toEqual(['kept'])
  expect(await processInfo(pid)).toMatchObject({ state: 'alive' })
})

test('a database that cannot start says why, at once', async () => {
  const dataDir = await closedDatabase()
  await appendFile(join(dataDir, 'pg18', 'data', 'postgresql.conf'), "no_such_setting = 'on'\n")
  await expect(openForTest(dataDir)).rejects.toThrow(
    /^PostgreSQL does not start on .*pg18\/data: .*unrecognized configuration parameter "no_such_setting"/s,
  )
})

test('an empty lock file is waited for while young, and removed when old', async () => {
  const data = await testDirectory()
  const file = join(data, 'postmaster.pid')
  await writeFile(file, '')
  expect(await findPostmaster(data)).toBeUndefined()
  expect(await readdir(data)).toEqual(['postmaster.pid'])
  await utimes(file, new Date(0), new Date(0))
  expect(await findPostmaster(data)).toBeUndefined()
  expect(await readdir(data)).toEqual([])
})

test('a directory without a lock file has no server', async () => {
  const data = join(await testDirectory(), 'data')
  await mkdir(data)
  expect(await findPostmaster(data)).toBeUndefined()
})
