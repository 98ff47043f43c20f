import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { startApp } from '../../../testing/start-app.ts'

test.each([
  ['syntax', 'SELECT 1 FROM'],
  ['missing', 'SELECT * FROM nowhere'],
  ['data', `SELECT error('on purpose')`],
  // A refusal by the service itself has a code instead.
  ['', "COPY t TO 'x.csv'"],
  ['', 'SELECT 1'],
] as const)(
  'an answer has the kind of its error, also when it is asked for again: %j for %s',
  async (kind, sql) => {
    const app = await startApp()
    const channel = await (await app.admin()).channel()
    const requestId = randomUUID()
    expect(await channel.run(sql, { requestId })).toMatchObject([{ errKind: kind }])
    await app.endsWritten()
    // Under another id, because answers of late are still in memory.
    const old = `${requestId}-x`
    const rows = app.store.db.updateTable('statements').where('request_id', '=', requestId)
    await rows.set({ request_id: old }).execute()
    expect(await channel.run(sql, { requestId: old })).toMatchObject([{ errKind: kind }])
  },
)
