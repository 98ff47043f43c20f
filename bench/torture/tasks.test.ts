import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { callAs, signIn, type Login } from '@boathouse/client'
import { load, schema } from '@boathouse/contract'
import { expect, onTestFinished, test } from 'vitest'
import { openChannel } from '../channel-client.ts'
import { afterStates, beginLoad, handOver, lookedAt } from '../file-loads.ts'
import type { TorturedProduct, Victim } from './product.ts'
import { untilAnswering } from './recovery.ts'
import { withProduct } from './with-product.ts'

/** Enough for a load that is under way for longer than it takes to look at it. */
const ROWS = 400_000
const LOOK_EVERY_MS = 10

async function cell(login: Login, sql: string): Promise<string | null | undefined> {
  const channel = await openChannel(login)
  try {
    return (await channel.run(sql))[0]?.[0]
  } finally {
    await channel.close()
  }
}

async function run(login: Login, ...statements: string[]): Promise<void> {
  const channel = await openChannel(login)
  for (const sql of statements) await channel.run(sql)
  await channel.close()
}

/** Kills it and waits until somebody gets an answer again. */
async function pullPlug(product: TorturedProduct, login: Login, victim: Victim): Promise<void> {
  const killedAt = performance.now()
  await product.kill(victim)
  if (victim === 'server') await product.restart()
  await untilAnswering(login, killedAt, async () => undefined)
}

async function numbersFile(): Promise<string> {
  const path = join(tmpdir(), `boathouse-numbers-${process.pid}.csv`)
  onTestFinished(() => rm(path, { force: true }))
  const lines = Array.from({ length: ROWS }, (_, i) => `${i},the name of number ${i}`)
  await writeFile(path, `id,name\n${lines.join('\n')}\n`)
  return path
}

const sumOf = (table: string) =>
  `SELECT count(*) || '/' || count(DISTINCT id) || '/' || sum(id) FROM ${table}`
const WHOLE = `${ROWS}/${ROWS}/${(ROWS * (ROWS - 1)) / 2}`

/** A load that is killed on its way, until its end, however often its client has to try. */
async function loadThrough(product: TorturedProduct, login: Login, path: string, victim: Victim) {
  const { uploadId, whole } = await handOver(login, path)
  await whole
  const inspection = await lookedAt(login, uploadId)
  const tableName = `loaded_past_${victim}`
  const taskId = await beginLoad(login, { uploadId, inspection, tableName })
  const begun = await afterStates(login, taskId, ['queued'])
  await pullPlug(product, login, victim)
  const over = await afterStates(login, taskId, ['queued', 'running'])
  return { begun: begun.state, over, taskId, tableName }
}

/** The newest refreshes of a materialized view. */
const runsOf = async (login: Login, viewName: string) =>
  (
    await callAs(login, schema.refreshTasks, {
      catalog: 'default_catalog',
      databaseName: 'main',
      mvName: viewName,
    })
  ).list

test('what is being loaded and refreshed when server and engine are killed is there once or not at all, and is said to be', async () => {
  const path = await numbersFile()
  const { leftBehind } = await withProduct(async (product) => {
    const login = await signIn(product.signIn)

    // The next server resumes it.
    const past = await loadThrough(product, login, path, 'server')
    expect([past.begun, past.over.state, past.over.error]).toEqual(['running', 'finished', ''])
    expect(await cell(login, sumOf(past.tableName))).toBe(WHOLE)

    // Without its engine it has failed, says so, and is resumed from its file.
    const cut = await loadThrough(product, login, path, 'engine')
    if (cut.over.state === 'failed') {
      expect(cut.over.error).toMatch(/did not take effect/)
      await callAs(login, load.resume, { taskId: cut.taskId })
      await afterStates(login, cut.taskId, ['queued', 'running'])
    }
    expect((await callAs(login, load.describe, { taskId: cut.taskId })).state).toBe('finished')
    expect(await cell(login, sumOf(cut.tableName))).toBe(WHOLE)

    await run(
      login,
      'CREATE TABLE steps AS SELECT 1 AS step',
      `CREATE MATERIALIZED VIEW seen AS SELECT max(step) AS step, count(*) AS n FROM steps, range(30_000_000) t(i) WHERE i % 7 = step % 7`,
    )
    let before = await cell(login, 'SELECT step FROM seen')
    expect(before).toBe('1')
    for (const victim of ['server', 'engine'] as const) {
      await run(
        login,
        'INSERT INTO steps SELECT max(step) + 1 FROM steps',
        'REFRESH MATERIALIZED VIEW seen WITH ASYNC MODE',
      )
      while ((await runsOf(login, 'seen'))[0]?.state === 'pending') await sleep(LOOK_EVERY_MS)
      await pullPlug(product, login, victim)
      // Its rows are those of a whole refresh, the old one or the new.
      expect(await cell(login, 'SELECT count(*) FROM seen')).toBe('1')
      while (['pending', 'running'].includes((await runsOf(login, 'seen'))[0]?.state ?? ''))
        await sleep(LOOK_EVERY_MS)
      const [newest] = await runsOf(login, 'seen')
      const steps = await cell(login, 'SELECT max(step) FROM steps')
      const seen = await cell(login, 'SELECT step FROM seen')
      if (newest?.state === 'failed') expect([newest.error.length > 0, seen]).toEqual([true, before])
      else expect([newest?.state, seen]).toEqual(['success', steps])
      before = seen
    }
    await run(login, 'REFRESH MATERIALIZED VIEW seen WITH SYNC MODE')
    expect(await cell(login, 'SELECT step FROM seen')).toBe('3')
    expect(product.ownEnds).toEqual([])
  })
  expect(leftBehind).toEqual([])
})
