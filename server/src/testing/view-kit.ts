import { expect } from 'vitest'
import { startApp, type TestAppOptions, type TestUser } from './start-app.ts'

export type Run = Awaited<ReturnType<typeof session>>

/** One connection, as an editor has it. */
export async function session(who: TestUser) {
  const channel = await who.channel()
  let connId = 0
  return async (sql: string) => {
    const last = (await channel.run(sql, { connId, oriConnId: connId })).at(-1)
    if (!last) throw new Error('no answer')
    connId = last.connId
    return last
  }
}

export async function done(run: Run, ...texts: string[]): Promise<void> {
  for (const sql of texts) expect([sql, (await run(sql)).errMsg]).toEqual([sql, ''])
}

export const PLACE = { catalog: 'default_catalog', databaseName: 'main' }

/** The whole server, its administrator, and boats. */
export async function setUp(
  options: TestAppOptions = { engine: 'embedded' },
  settings: Record<string, string> = {},
) {
  const app = await startApp(settings, options)
  const admin = await app.admin()
  const run = await session(admin)
  await done(run, 'CREATE TABLE boats AS SELECT 1 AS a')
  const rows = async (sql: string) => (await run(sql)).result
  return { app, admin, run, rows }
}
