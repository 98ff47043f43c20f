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
  await administer(`create database ${name} template ${template} ${copyStrategy}`)
  return { url: databaseAt(url, name), drop: () => administer(`drop database ${name} with (force)`) }
}

/** A store as the product opens it, for tests of the store itself: called at the top of a file, closed after it. */
export async function openedStore(): Promise<Store> {
  const database = await freshDatabase()
  const store = await openStore({ databaseUrl: database.url, dataDir: '', log: silentLog })
  afterAll(async () => {
    await store.close()
    await database.drop()
  })
  return store
}

let administrator: Promise<Client> | undefined

/** On one connection for all files of a worker. */
async function administer(statement: string): Promise<void> {
  administrator ??= connect(inject('testServer').url)
  await (await administrator).query(statement)
}

async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url })
  // It ends with the server, after the last test.
  client.on('error', () => undefined)
  await client.connect()
  return client
}

export function databaseAt(url: string, name: string): string {
  const changed = new URL(url)
  changed.pathname = `/${name}`
  return changed.href
}
