import { copyFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openInProcess } from './in-process.ts'
import type { Workshop } from './workshop.ts'

const AT_ONCE = 1_000
const FILE = /\/catalogs\/([0-9a-f-]{36})\.duckdb$/
/** It ends a minute after it was last used. */
const WITHIN_MS = 180_000
const LOOK_EVERY_MS = 200

/** A file of tables table_0, table_1 and so on, made by DuckDB itself in a fraction of the time. */
export async function makeTables(path: string, count: number, settings: Workshop['settings']): Promise<void> {
  const maker = await openInProcess(path, settings)
  await maker.run('BEGIN')
  for (let first = 0; first < count; first += AT_ONCE) {
    const numbers = Array.from({ length: Math.min(AT_ONCE, count - first) }, (_, at) => first + at)
    await maker.run(numbers.map((n) => `CREATE TABLE table_${n} (id INTEGER, name VARCHAR)`).join(';'))
  }
  await maker.run('COMMIT')
  await maker.close()
}

/** The process that has it open holds a lock on it. */
async function isFree(file: string, settings: Workshop['settings']): Promise<boolean> {
  try {
    await (await openInProcess(file, settings)).close()
    return true
  } catch (error) {
    if (String(error).includes('lock')) return false
    throw error
  }
}

/** Makes a catalog and puts the file in the place of its own, while no engine has that open; gives its id. */
export async function catalogOf(
  path: string,
  name: string,
  { product, dataDirectory, settings }: Workshop,
): Promise<string> {
  await product.run(`CREATE CATALOG ${name}`)
  const files = (await readdir(dataDirectory, { recursive: true })).map((file) => join(dataDirectory, file))
  const file = files.find((one) => FILE.test(one))
  const id = file && FILE.exec(file)?.[1]
  if (!id) throw new Error('The catalog has no file.')
  await product.run('SUSPEND WAREHOUSE default_warehouse')
  const deadline = Date.now() + WITHIN_MS
  while (!(await isFree(file, settings))) {
    if (Date.now() > deadline) throw new Error('The engine of the account does not end.')
    await sleep(LOOK_EVERY_MS)
  }
  await copyFile(path, file)
  return id
}
