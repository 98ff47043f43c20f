import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'

/** A file with the rows of a query. */
export async function parquetOf(select: string): Promise<Uint8Array<ArrayBuffer>> {
  const folder = await mkdtemp(join(tmpdir(), 'parquet-'))
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  await connection.run(`COPY (${select}) TO '${join(folder, 'file')}' (FORMAT parquet)`)
  const bytes = await readFile(join(folder, 'file'))
  connection.closeSync()
  instance.closeSync()
  await rm(folder, { recursive: true, force: true })
  return bytes
}
