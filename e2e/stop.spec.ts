import { once } from 'node:events'
import { openSession } from '@boathouse/client'
import { expect, test } from '@playwright/test'
import { WebSocket } from 'ws'
import { ask, logIn } from './ask.ts'
import { spawnCommand } from './command.ts'
import { type DataDirectory, newDataDirectory, preparedDataDirectory } from './data-directory.ts'
import { enginesOf, processesOf } from './processes.ts'
import { startProduct } from './product.ts'
import { ENDLESS } from './slow-sql.ts'

let directory: DataDirectory
test.afterEach(() => directory.remove())

/** Stops a first start as soon as its log says this, and answers when it has ended. */
async function stopStartWhen(says: string): Promise<void> {
  const child = spawnCommand(['start'], {
    env: { BOATHOUSE_DATA_DIR: directory.path, BOATHOUSE_HTTP_PORT: '0', BOATHOUSE_MYSQL_PORT: '0' },
  })
  const ended = once(child, 'exit')
  let log = ''
  child.stderr.on('data', (data: Buffer) => {
    const isNew = !log.includes(says)
    log += data.toString()
    if (isNew && log.includes(says)) child.kill('SIGTERM')
  })
  await ended
  expect(log).toContain(says)
}

/** A database that must end writes back what it holds first, which a busy machine lets it do a moment later. */
const nothingRuns = () => expect.poll(() => processesOf(directory.path)).toEqual([])

const MOMENTS = [
  { moment: 'when PostgreSQL has just begun to run', says: 'PostgreSQL is ready' },
  { moment: 'while the sample data is made', says: 'the engine of an account is running' },
]

for (const { moment, says } of MOMENTS)
  test(`a start that is stopped ${moment} leaves no process, and the next start is whole`, async () => {
    directory = await newDataDirectory()
    await stopStartWhen(says)
    await nothingRuns()
    const product = await startProduct({ dataDir: directory.path })
    try {
      expect(await ask(product, 'select count(*) from sample.region')).toEqual([['5']])
    } finally {
      await product.stop()
    }
  })

test('pressing Ctrl+C twice leaves no process behind either', async () => {
  directory = await preparedDataDirectory()
  const product = await startProduct({ dataDir: directory.path })
  await ask(product, 'select 1')
  process.kill(product.pid, 'SIGINT')
  await expect.poll(product.stderr).toContain('closing')
  await product.stop('SIGINT')
  await nothingRuns()
})

test('a stop in the middle of a statement ends the engine with it', async () => {
  directory = await preparedDataDirectory()
  const product = await startProduct({ dataDir: directory.path })
  const session = await openSession(await logIn(product), { WebSocket })
  const failure = session.run(ENDLESS).catch((error: Error) => error.message)
  await expect.poll(() => enginesOf(directory.path)).toHaveLength(1)
  expect(await product.stop('SIGTERM')).toBe(0)
  await nothingRuns()
  // Otherwise it would keep trying to reach the service.
  session.close()
  expect(await failure).toMatch(/closed|Stopped/)
})
