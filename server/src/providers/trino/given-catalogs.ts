import type { Log } from '../../kernel/log.ts'
import type { GivenCatalog } from '../../kernel/outside.ts'
import { createCatalogStatement, dropCatalogStatement, relayedCatalog } from './catalogs.ts'
import { ClusterRefused } from './refused.ts'

interface GivenOptions {
  /** Those of the cluster itself, which stay. */
  readonly fixed: readonly string[]
  /** Where the service answers for catalogs. */
  readonly relayUrl: string
  /** Ids of catalogs whose secret keys its processes have had since their start. */
  readonly keys: ReadonlySet<string>
  readonly run: (sql: string) => Promise<readonly (readonly unknown[])[]>
  readonly log: Log
}

/** Of Trino itself. */
const BUILT_IN = ['system', 'jmx']

const LATE =
  'it has an access key and was created after the warehouse was started. Suspend and resume the warehouse, then it is there.'

/** Catalogs over data elsewhere, as one cluster has them: made and dropped while it runs. */
export function createGivenCatalogs(options: GivenOptions) {
  const { fixed, relayUrl, run, log } = options
  /** What each was made of, by its name. */
  const made = new Map<string, string>()
  /** Why one is not there, by its name. */
  const problems = new Map<string, string>()
  let isKnown = false
  let last: Promise<unknown> = Promise.resolve()

  function whyNotGiven(name: string, { id, accessKey, whyNot }: GivenCatalog): string | null {
    if (fixed.includes(name)) return 'the cluster has a catalog of this name itself.'
    const isLate = whyNot === null && accessKey !== null && !options.keys.has(id)
    return isLate ? LATE : whyNot
  }

  /** Of an earlier service: it may have been another one of the same name. */
  async function dropLeft(): Promise<void> {
    if (isKnown) return
    for (const [name] of await run('SELECT catalog_name FROM system.metadata.catalogs'))
      if (![...fixed, ...BUILT_IN].includes(String(name))) await run(dropCatalogStatement(String(name)))
    isKnown = true
  }

  async function make(name: string, properties: Readonly<Record<string, string>>): Promise<void> {
    try {
      await run(createCatalogStatement(name, properties))
      made.set(name, JSON.stringify(properties))
    } catch (error) {
      if (!(error instanceof ClusterRefused)) throw error
      log.warn({ err: error, catalog: name }, 'a catalog was not made in a cluster')
      problems.set(name, `The catalog ${name} cannot be read in this warehouse: ${error.message}`)
    }
  }

  async function followNow(wanted: readonly GivenCatalog[]): Promise<void> {
    await dropLeft()
    problems.clear()
    const properties = new Map<string, Readonly<Record<string, string>>>()
    for (const catalog of wanted) {
      const name = catalog.name.toLowerCase()
      const why = whyNotGiven(name, catalog)
      if (why !== null) problems.set(name, `The catalog ${name} cannot be read in this warehouse: ${why}`)
      else properties.set(name, relayedCatalog({ ...catalog, url: `${relayUrl}/${catalog.id}` }))
    }
    for (const [name, before] of made) {
      if (JSON.stringify(properties.get(name)) === before) continue
      await run(dropCatalogStatement(name))
      made.delete(name)
    }
    for (const [name, own] of properties) if (!made.has(name)) await make(name, own)
  }

  return {
    /** One after the other. Rejects with a `ClusterRefused` when the cluster does not answer; the next one mends it. */
    follow(wanted: readonly GivenCatalog[]): Promise<void> {
      const done = last.then(() => followNow(wanted))
      last = done.catch(() => undefined)
      return done
    },
    names: (): string[] => [...made.keys()],
    whyNot: (name: string): string | null => problems.get(name.toLowerCase()) ?? null,
  }
}

export type GivenCatalogs = ReturnType<typeof createGivenCatalogs>
