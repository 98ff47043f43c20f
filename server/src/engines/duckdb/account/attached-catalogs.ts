import { mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { type DuckDBConnection, quotedIdentifier, quotedString } from '@duckdb/node-api'
import type { AccountCatalog } from '../../engine.ts'
import { readReport } from '../errors.ts'
import { CATALOG, CATALOG_FOLDER } from '../guard/sandbox.ts'
import { prepareEffects } from '../session/effects.ts'

const ORPHANS = 'orphans'
/** In case the database of the service was put back to what it was before. */
const ORPHANS_KEPT_MS = 7 * 24 * 60 * 60 * 1000

const FILE = /^([0-9a-f-]{36})\.duckdb(?:\.wal)?$/

export interface AttachedParts {
  /** For the service's own statements. */
  readonly own: DuckDBConnection
  readonly directory: string
  readonly inMemory: boolean
  readonly mask: (message: string) => string
  onTrouble(message: string): void
  /** What is defined is no longer what it was. */
  onChanged(): void
}

const keyOf = (name: string): string => name.toLowerCase()

/** The account's catalogs beside the first: each is a file of its own, called by its id, so that a name is nothing to it. */
export class AttachedCatalogs {
  private readonly open = new Map<string, AccountCatalog>()
  /** Why those are not there that should be. */
  private readonly closed = new Map<string, string>()
  private last: Promise<unknown> = Promise.resolve()

  constructor(private readonly parts: AttachedParts) {}

  /** The others of the account go on without one that cannot be opened. */
  async start(catalogs: readonly AccountCatalog[]): Promise<void> {
    if (!this.parts.inMemory) {
      await mkdir(this.folder, { recursive: true })
      await this.setAside(new Set(catalogs.map(({ id }) => id)))
    }
    for (const catalog of catalogs)
      await this.attachNow(catalog).catch((error: unknown) => {
        const why = this.parts.mask(readReport(error).message)
        this.closed.set(keyOf(catalog.name), `The catalog ${catalog.name} cannot be opened: ${why}`)
        this.parts.onTrouble(`the catalog ${catalog.name} (${catalog.id}) cannot be opened: ${why}`)
      })
  }

  /** All that can be written to. */
  get names(): readonly string[] {
    return [CATALOG, ...this.others]
  }

  get others(): readonly string[] {
    return [...this.open.values()].map(({ name }) => name)
  }

  attach(catalog: AccountCatalog): Promise<void> {
    return this.inTurn(() => this.attachNow(catalog))
  }

  remove({ id, name }: Pick<AccountCatalog, 'id' | 'name'>): Promise<void> {
    return this.inTurn(async () => {
      const key = keyOf(name)
      this.closed.delete(key)
      if (this.open.delete(key)) await this.parts.own.run(`DETACH ${quotedIdentifier(name)}`)
      this.parts.onChanged()
      if (this.parts.inMemory) return
      await rm(this.pathOf(id), { force: true })
      await rm(`${this.pathOf(id)}.wal`, { force: true })
    })
  }

  /** Of something that is missing because its catalog could not be opened: that it could not. */
  explained(message: string): string {
    const said = message.toLowerCase()
    for (const [name, why] of this.closed) if (said.includes(name)) return why
    return message
  }

  private get folder(): string {
    return join(this.parts.directory, CATALOG_FOLDER)
  }

  private pathOf(id: string): string {
    return join(this.folder, `${id}.duckdb`)
  }

  private async attachNow(catalog: AccountCatalog): Promise<void> {
    const { own, inMemory, onChanged } = this.parts
    const { id, name, isNew } = catalog
    if (this.open.has(keyOf(name))) return
    // DuckDB would make an empty one in its place.
    if (!inMemory && !isNew) await this.requireFile(id)
    const attached = quotedIdentifier(name)
    await own.run(`ATTACH ${quotedString(inMemory ? ':memory:' : this.pathOf(id))} AS ${attached}`)
    try {
      await prepareEffects(own, name)
    } catch (error) {
      await own.run(`DETACH ${attached}`)
      throw error
    }
    this.closed.delete(keyOf(name))
    this.open.set(keyOf(name), catalog)
    onChanged()
  }

  private async requireFile(id: string): Promise<void> {
    try {
      await stat(this.pathOf(id))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
      throw new Error(`its file ${CATALOG_FOLDER}/${id}.duckdb is not there`, { cause: error })
    }
  }

  /** What nobody knows of is left by a drop that was cut off. */
  private async setAside(known: ReadonlySet<string>): Promise<void> {
    const aside = join(this.folder, ORPHANS)
    for (const file of await readdir(this.folder)) {
      const id = FILE.exec(file)?.[1]
      if (id === undefined || known.has(id)) continue
      await mkdir(aside, { recursive: true })
      await rename(join(this.folder, file), join(aside, file))
      const now = new Date()
      await utimes(join(aside, file), now, now)
      this.parts.onTrouble(`the file ${CATALOG_FOLDER}/${file} is of no catalog, and is kept for a week`)
    }
    await this.removeOld(aside)
  }

  private async removeOld(aside: string): Promise<void> {
    const files = await readdir(aside).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return []
      throw error
    })
    for (const file of files) {
      const { mtimeMs } = await stat(join(aside, file))
      if (Date.now() - mtimeMs > ORPHANS_KEPT_MS) await rm(join(aside, file), { force: true })
    }
  }

  /** One change after the other. */
  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.last.then(work)
    this.last = turn.catch(() => undefined)
    return turn
  }
}
