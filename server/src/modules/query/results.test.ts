import { readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { CODES, query } from '@boathouse/contract'
import { expect, test } from 'vitest'
import { startApp, type TestUser } from '../../testing/start-app.ts'

/** Wide and long enough to be kept as a file of values. */
const WIDE = 'SELECT n, repeat(n::VARCHAR, 400) AS wide FROM range(2000) t(n)'

const windowOf = (user: TestUser, queryId: string) =>
  user.call(query.resultWindow, { queryId, offset: 0, limit: 1 })
const cellOf = (user: TestUser, queryId: string, row = 0) =>
  user.call(query.resultCell, { queryId, row, column: 0 })
const exportOf = (user: TestUser, queryId: string, format: 'csv' | 'xlsx' = 'csv') =>
  user.call(query.exportResult, { queryId, format })

/** The answers of everything that reads a kept result. */
async function answersOf(user: TestUser, queryId: string) {
  const answers = [
    await windowOf(user, queryId),
    await cellOf(user, queryId),
    await exportOf(user, queryId),
    await exportOf(user, queryId, 'xlsx'),
  ]
  return answers.map(({ code, message }) => ({ code, message }))
}

async function keep(user: TestUser, sql: string): Promise<string> {
  const channel = await user.channel()
  const [answer] = await channel.run(sql)
  expect(answer).toMatchObject({ resultKept: true, errMsg: '' })
  return answer?.queryId ?? ''
}

test('when the file of a result is gone, everyone who asks for its rows hears the same', async () => {
  const app = await startApp()
  const admin = await app.admin()
  const queryId = await keep(admin, WIDE)
  const results = join(app.compute.directoryOf(app.accountId), 'results')
  await expect.poll(() => readdir(results)).toContain(`${queryId}.parquet`)
  await rm(join(results, `${queryId}.parquet`))
  const message = 'The rows of this query are no longer kept. Run it again to see them.'
  const expected = { code: CODES.ResultExpired.code, message }
  expect(await answersOf(admin, queryId)).toEqual([expected, expected, expected, expected])
})

test('a damaged file of a result is told in words', async () => {
  const app = await startApp()
  const admin = await app.admin()
  const queryId = await keep(admin, WIDE)
  const results = join(app.compute.directoryOf(app.accountId), 'results')
  await expect.poll(() => readdir(results)).toContain(`${queryId}.parquet`)
  await writeFile(join(results, `${queryId}.parquet`), 'no longer what it was')
  const message =
    'The rows of this query were kept, but their file is damaged and cannot be read. Run it again to see them.'
  const expected = { code: CODES.ResultExpired.code, message }
  expect(await answersOf(admin, queryId)).toEqual([expected, expected, expected, expected])
})

test('a cell that the result does not have is not there, though the result is', async () => {
  const app = await startApp()
  const admin = await app.admin()
  const queryId = await keep(admin, 'SELECT 42')
  expect(await cellOf(admin, queryId, 1)).toMatchObject({
    code: CODES.NotFound.code,
    message: 'There is no such cell in this result.',
  })
})
