import { randomBytes } from 'node:crypto'
import { Client } from 'pg'
import { afterAll, inject } from 'vitest'
import { openStore, type Store } from '../store/store.ts'
import type { StoreLog } from '../store/store-log.ts'

export const silentLog: StoreLog = { info: () => undefined, warn: () => undefined }

export interface FreshDatabase {
  url: string
  drop(): Promise<void>
}

/** A migrated database of its own, copied from the template of this run. */
export function freshDatabase(): Promise<FreshDatabase> {
  return createFrom(inject('testServer').template)
}

/** A database without any tables, for tests of the migrations themselves. */
export function emptyDatabase(): Promise<FreshDatabase> {
  return createFrom('template1')
}

async function createFrom(template: string): Promise<FreshDatabase> {
  const { url, copyStrategy } = inject('testServer')
  const name = `test_${randomBytes(6).toString('hex')}`
  await administer(url, `create database ${name} template ${template} ${copyStrategy}`)
  return { url: databaseAt(url, name), drop: () => administer(url, `drop database ${name} with (force)`) }
}

/** A store for one test file, called at its top; it is closed and its database dropped after the file. */
export async function freshStore(): Promise<Store> {
  const database = await freshDatabase()
  const store = await openStore({ databaseUrl: database.url, dataDir: '', log: silentLog })
  afterAll(async () => {
    await store.close()
    await database.drop()
  })
  return store
}

export async function administer(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

export function databaseAt(url: string, name: string): string {
  const changed = new URL(url)
  changed.pathname = `/${name}`
  return changed.href
}
