import { randomUUID } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { CODES, formatOfName, load, type LoadTask, type Sent } from '@boathouse/contract'
import { expect } from 'vitest'
import type { TestApp, TestUser } from './start-app.ts'

/** Who sends it, and where to. */
export interface By {
  readonly app: TestApp
  readonly user: TestUser
}

export const uploadsOf = (app: TestApp) => join(app.folders.directoryOf(app.accountId), 'uploads')
export const filesOf = (app: TestApp) => readdir(uploadsOf(app)).catch(() => [] as string[])

export const put = (app: TestApp, url: string, body: string | Buffer) =>
  app.http.inject({
    method: 'PUT',
    url,
    payload: body,
    headers: { 'content-type': 'application/octet-stream' },
  })

interface TestFile {
  readonly name?: string
  readonly sheet?: string
}

export async function sent(by: By, content: string | Buffer, { name = 'orders.csv' }: TestFile = {}) {
  const { app, user } = by
  const { data, code, message } = await user.call(load.beginUpload, {
    name,
    sizeBytes: Buffer.byteLength(content),
    fingerprint: 'then',
  })
  expect([code, message]).toEqual([CODES.Ok.code, ''])
  expect((await put(app, `${data.url}/0`, content)).statusCode).toBe(200)
  return data.uploadId
}

async function warehouseOf(app: TestApp): Promise<string> {
  const { warehouse_id } = await app.store.db
    .selectFrom('warehouses')
    .select('warehouse_id')
    .where('account_id', '=', app.accountId)
    .executeTakeFirstOrThrow()
  return warehouse_id
}

export async function inspected(by: By, content: string | Buffer, file: TestFile = {}) {
  const { app, user } = by
  const { name = 'orders.csv', sheet } = file
  const uploadId = await sent(by, content, file)
  const warehouseId = await warehouseOf(app)
  const begun = await user.call(load.inspect, {
    uploadId,
    warehouseId,
    reading: { format: formatOfName(name) ?? 'ndjson', ...(sheet === undefined ? {} : { sheet }) },
  })
  expect([begun.code, begun.message]).toEqual([CODES.Ok.code, ''])
  const look = async () => (await user.call(load.upload, { uploadId })).data.inspection
  await expect.poll(async () => (await look())?.state, { timeout: 30_000 }).not.toBe('running')
  const inspection = await look()
  const columns = (inspection?.columns ?? []).map(({ name: column, type }) => ({
    name: column,
    type,
    into: column,
  }))
  const order: Sent<typeof load.create> = {
    taskId: randomUUID(),
    uploadId,
    warehouseId,
    catalog: 'default_catalog',
    databaseName: 'main',
    tableName: 'orders',
    makesTable: true,
    columns,
  }
  return { inspection, order }
}

export const taskOf = async (user: TestUser, taskId: string): Promise<LoadTask> =>
  (await user.call(load.describe, { taskId })).data

export async function over(user: TestUser, taskId: string): Promise<LoadTask> {
  const state = async () => (await taskOf(user, taskId)).state
  await expect.poll(state, { timeout: 30_000 }).not.toMatch(/queued|running/)
  return taskOf(user, taskId)
}

export const rowsIn = async (user: TestUser, sql: string) => {
  const [answer] = await (await user.channel()).run(sql)
  expect(answer?.errMsg).toBe('')
  return answer?.result
}
