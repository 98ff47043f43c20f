import { openStore, type EmbeddedExtras, type Store } from '../store/store.ts'

/** A server reduced to its store, as a process of its own that tests can kill: opens, then counts in the database. */
export type StoreProcessMessage =
  | { event: 'open'; postmaster: number; migrationsApplied: number }
  | { event: 'written'; number: number }
  | { event: 'refused'; reason: string }

const [dataDir = '', work = 'wait', embedded = '{}'] = process.argv.slice(2)

function say(message: StoreProcessMessage): void {
  process.stdout.write(`${JSON.stringify(message)}\n`)
}

async function count(store: Store): Promise<never> {
  for (let number = 1; ; number += 1) {
    await store.db
      .insertInto('instance_facts')
      .values({ key: String(number), value: '1' })
      .execute()
    say({ event: 'written', number })
  }
}

try {
  let postmaster = 0
  const log = {
    info: (details: object) => {
      if ('pid' in details) postmaster = Number(details.pid)
    },
    warn: () => undefined,
  }
  const store = await openStore({ dataDir, log, embedded: JSON.parse(embedded) as EmbeddedExtras })
  process.once('SIGTERM', () => void store.close())
  say({ event: 'open', postmaster, migrationsApplied: store.migrationsApplied })
  if (work === 'count') await count(store)
} catch (error) {
  say({ event: 'refused', reason: error instanceof Error ? error.message : String(error) })
}
