import { randomUUID } from 'node:crypto'
import { open, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { callAs, type Login } from '@boathouse/client'
import { load, type LoadTask, type Upload, warehouse } from '@boathouse/contract'

const LOOK_EVERY_MS = 20

/** As the console does. */
const PARTS_AT_ONCE = 3

export interface HandedOver {
  readonly uploadId: string
  /** When so much of its beginning is there that its columns can be found. */
  readonly begun: Promise<void>
  readonly whole: Promise<void>
}

/** Hands a file over in parts, as the console does. */
export async function handOver(login: Login, path: string): Promise<HandedOver> {
  const { size: sizeBytes } = await stat(path)
  const { uploadId, partBytes, url } = await callAs(login, load.beginUpload, {
    name: basename(path),
    sizeBytes,
  })
  const file = await open(path)
  const count = Math.ceil(sizeBytes / partBytes)
  let next = 0
  const send = async (part: number): Promise<void> => {
    const bytes = Math.min(partBytes, sizeBytes - part * partBytes)
    const { buffer } = await file.read(Buffer.alloc(bytes), 0, bytes, part * partBytes)
    const response = await fetch(new URL(`${url}/${part}`, login.url), {
      method: 'PUT',
      body: buffer,
      headers: { 'content-type': 'application/octet-stream' },
    })
    if (!response.ok) throw new Error(`Part ${part} was refused: ${await response.text()}`)
    await response.arrayBuffer()
  }
  const sendRest = async () => {
    while (next < count) await send(next++)
  }
  const begun = send(next++)
  const rest = Array.from({ length: PARTS_AT_ONCE - 1 }, sendRest)
  const whole = Promise.all([begun.then(sendRest), ...rest])
    .then(() => undefined)
    .finally(() => void file.close())
  return { uploadId, begun, whole }
}

async function anyWarehouse(login: Login): Promise<string> {
  const { warehouses } = await callAs(login, warehouse.list, {})
  const [first] = warehouses
  if (!first) throw new Error('The account has no warehouse.')
  return first.warehouseId
}

type Inspected = NonNullable<Upload['inspection']>

/** Has an engine look at a file. */
export async function lookedAt(login: Login, uploadId: string): Promise<Inspected> {
  const warehouseId = await anyWarehouse(login)
  await callAs(login, load.inspect, { uploadId, warehouseId, reading: { format: 'csv' } })
  for (;;) {
    const { inspection } = await callAs(login, load.upload, { uploadId })
    if (inspection?.state === 'finished') return inspection
    if (inspection?.state === 'failed') throw new Error(inspection.error)
    await sleep(LOOK_EVERY_MS)
  }
}

export interface NewTableLoad {
  readonly uploadId: string
  readonly inspection: Inspected
  readonly tableName: string
}

/** Begins to load all columns into a new table; resolves with the id of the task. */
export async function beginLoad(login: Login, of: NewTableLoad): Promise<string> {
  const taskId = randomUUID()
  await callAs(login, load.create, {
    taskId,
    uploadId: of.uploadId,
    warehouseId: await anyWarehouse(login),
    catalog: 'default_catalog',
    databaseName: 'main',
    tableName: of.tableName,
    makesTable: true,
    columns: of.inspection.columns.map(({ name, type }) => ({ name, type, into: name })),
  })
  return taskId
}

/** The task, once it is in none of these states. */
export async function afterStates(
  login: Login,
  taskId: string,
  states: readonly LoadTask['state'][],
): Promise<LoadTask> {
  for (;;) {
    const task = await callAs(login, load.describe, { taskId })
    if (!states.includes(task.state)) return task
    await sleep(LOOK_EVERY_MS)
  }
}
