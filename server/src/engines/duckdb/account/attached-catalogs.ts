import { foldedName } from '../../../kernel/same-name.ts'
import { mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { type DuckDBConnection, type DuckDBInstance, quotedIdentifier, quotedString } from '@duckdb/node-api'
import type { AccountCatalog, ExternalCatalog, FolderReport } from '../../engine/attachments.ts'
import { readReport } from '../errors.ts'
import { FileCatalog, tryFiles } from '../folders/file-catalog.ts'
import { type FileSource, folderSource } from '../folders/file-source.ts'
import { FolderUnreadable } from '../folders/layout.ts'
import { CATALOG, CATALOG_FOLDER } from '../guard/sandbox.ts'
import type { Definitions } from '../objects/definitions.ts'
import type { FullName } from '../objects/names.ts'
import { hiveSource } from '../hive/hive-source.ts'
import { icebergSource } from '../iceberg/iceberg-source.ts'
import { bucketSource } from '../outside/bucket-source.ts'
import type { Reach } from '../outside/reach.ts'
import { prepareEffects } from '../session/effects.ts'
import type { Visit } from './visit.ts'

const ORPHANS = 'orphans'
/** In case the database of the service was put back to what it was before. */
const ORPHANS_KEPT_MS = 7 * 24 * 60 * 60 * 1000

/** Statements that are about to end are waited for. */
const IN_USE_MS = 2_000
const LOOK_AGAIN_MS = 50

const FILE = /^([0-9a-f-]{36})\.duckdb(?:\.wal)?$/

export interface AttachedParts {
  readonly instance: DuckDBInstance
  /** For the service's own statements. */
  readonly own: DuckDBConnection
  readonly directory: string
  readonly inMemory: boolean
  /** By which catalogs over what lies outside are read; as a sentence when they are not. */
  readonly reach: Reach | string
  readonly mask: (message: string) => string
  /** What is defined in the account, as it is now. */
  readonly definitions: () => Definitions
  onTrouble(message: string): void
  /** What is defined is no longer what it was. */
  onChanged(): void
  /** Another catalog is there, one is gone, or one has another name. */
  onOthers(): void
}

export interface UnreadCatalog {
  readonly name: string
  /** A sentence, for those who may use it. */
  readonly why: string
}

const keyOf = foldedName

/** Names of catalogs are words: letters, digits and underscores. */
const wordsIn = (text: string): Set<string> => new Set(keyOf(text).split(/[^\p{L}\p{N}_]+/u))

/**
 * The account's catalogs beside the first. One of its own data is a file, called by its id, so that a name is nothing to
 * it; one over files is a database in memory that is kept as these are.
 */
export class AttachedCatalogs {
  private readonly open = new Map<string, AccountCatalog>()
  private readonly folders = new Map<string, FileCatalog>()
  /** Why those are not there that should be. */
  private readonly closed = new Map<string, string>()
  private last: Promise<unknown> = Promise.resolve()
  private readonly visits = new Set<Visit>()
  /** While a catalog is given another name: no statement begins meanwhile. */
  private renaming: Promise<unknown> | null = null

  constructor(private readonly parts: AttachedParts) {}

  /** A catalog that cannot be opened does not affect the others of the account. */
  async start(catalogs: readonly AccountCatalog[]): Promise<void> {
    if (!this.parts.inMemory) {
      await mkdir(this.directory, { recursive: true })
      await this.setAside(new Set(catalogs.map(({ id }) => id)))
    }
    for (const catalog of catalogs)
      await this.attachNow(catalog).catch((error: unknown) => {
        const why = this.mask(readReport(error).message)
        this.closed.set(keyOf(catalog.name), `The catalog ${catalog.name} cannot be opened: ${why}`)
        this.parts.onTrouble(`the catalog ${catalog.name} (${catalog.id}) cannot be opened: ${why}`)
      })
  }

  /** All that can be written to. */
  get writable(): readonly string[] {
    return [CATALOG, ...this.others.filter((name) => !this.isReadOnly(name))]
  }

  get others(): readonly string[] {
    return [...this.open.values()].map(({ name }) => name)
  }

  /** Of those that are not there, with the reason. */
  get whyClosed(): readonly (readonly [name: string, why: string])[] {
    return [...this.closed]
  }

  /** The true name of one that sessions alone write to; null of others. */
  ofSessions(name: string): string | null {
    const key = keyOf(name)
    if (key === keyOf(CATALOG)) return CATALOG
    return this.folders.has(key) ? null : (this.open.get(key)?.name ?? null)
  }

  isReadOnly(name: string): boolean {
    return this.folders.has(keyOf(name))
  }

  attach(catalog: AccountCatalog): Promise<void> {
    return this.underLock(() => this.attachNow(catalog))
  }

  remove({ id, name }: Pick<AccountCatalog, 'id' | 'name'>): Promise<void> {
    return this.underLock(async () => {
      const key = keyOf(name)
      const folder = this.folders.get(key)
      this.folders.delete(key)
      folder?.close()
      this.closed.delete(key)
      if (this.open.delete(key)) await this.parts.own.run(`DETACH ${quotedIdentifier(name)}`)
      this.othersChanged()
      if (this.parts.inMemory || folder) return
      await rm(this.pathOf(id), { force: true })
      await rm(`${this.pathOf(id)}.wal`, { force: true })
    })
  }

  /** False when it was in use all the while. */
  rename(name: string, to: string): Promise<boolean> {
    return this.underLock(async () => {
      const deadline = Date.now() + IN_USE_MS
      for (;;) {
        if (await this.alone(() => this.renameUnused(name, to))) return true
        if (Date.now() > deadline) return false
        await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS))
      }
    })
  }

  enter(visit: Visit): void {
    this.visits.add(visit)
  }

  leave(visit: Visit): void {
    this.visits.delete(visit)
  }

  /** Why it cannot be read right now; null when it can. */
  async check(name: string): Promise<string | null> {
    const folder = this.folders.get(keyOf(name))
    if (!folder) return this.closed.get(keyOf(name)) ?? null
    await folder.refresh()
    return folder.problem === null ? null : unreadable(folder)
  }

  async tryOut(definition: ExternalCatalog): Promise<FolderReport> {
    const source = this.sourceOf(definition)
    const connection = await this.parts.instance.connect()
    try {
      return await tryFiles(connection, source)
    } finally {
      connection.closeSync()
      source.close()
    }
  }

  /** Before a statement is bound: what it may read of folders is shown as they are now. */
  async ready(sql: string, place: () => string | null, visit: Visit): Promise<void> {
    while (this.renaming) await this.renaming
    if (this.open.size > 0) visit.begin(sql, this.open.keys())
    await this.refreshFolders(sql, place())
  }

  private async refreshFolders(sql: string, place: string | null): Promise<void> {
    if (this.folders.size === 0) return
    const text = foldedName(sql)
    const read: FileCatalog[] = []
    for (const [key, folder] of this.folders)
      if (place === null || keyOf(place) === key || text.includes(key) || (await this.isReferredTo(key)))
        read.push(folder)
    if (read.length === 0) return
    const texts = [text, ...(await this.definedTexts())]
    const isNamed = (table: string) => texts.some((one) => one.includes(keyOf(table)))
    await Promise.all(read.map((folder) => folder.refresh(isNamed)))
  }

  /** The table to which a file belongs that a plan reads. */
  tableOf(file: string): FullName | null {
    for (const folder of this.folders.values()) {
      const table = folder.tableOf(file)
      if (table) return table
    }
    return null
  }

  /** Those of the catalogs that a text names that cannot be read. */
  unreadIn(text: string): UnreadCatalog[] {
    const unread = [...this.folders.values()]
      .filter(({ problem }) => problem !== null)
      .map((folder) => ({ name: folder.name, why: unreadable(folder) }))
    const closed = [...this.closed].map(([name, why]) => ({ name, why }))
    const words = closed.length + unread.length > 0 ? wordsIn(text) : new Set()
    return [...closed, ...unread].filter(({ name }) => words.has(keyOf(name)))
  }

  /** Takes the paths of the machine out of a message. */
  mask(message: string): string {
    return [...this.folders.values()].reduce(
      (masked, folder) => folder.mask(masked),
      this.parts.mask(message),
    )
  }

  close(): void {
    for (const folder of this.folders.values()) folder.close()
  }

  private get directory(): string {
    return join(this.parts.directory, CATALOG_FOLDER)
  }

  private pathOf(id: string): string {
    return join(this.directory, `${id}.duckdb`)
  }

  /** By a view or macro of another catalog, which then reads it without naming it in the statement. */
  private async isReferredTo(key: string): Promise<boolean> {
    return (await this.definedTexts()).some((text) => text.includes(key))
  }

  private async definedTexts(): Promise<string[]> {
    const { views, macros } = this.parts.definitions()
    const texts = [...(await views()).map(({ sql }) => sql), ...(await macros()).map(({ body }) => body)]
    return texts.map(foldedName)
  }

  private othersChanged(): void {
    this.parts.onChanged()
    this.parts.onOthers()
  }

  /** While no statement begins. */
  private async alone<T>(work: () => Promise<T>): Promise<T> {
    const working = work()
    const renaming = working.catch(() => undefined)
    this.renaming = renaming
    try {
      return await working
    } finally {
      this.renaming = null
    }
  }

  private async renameUnused(name: string, to: string): Promise<boolean> {
    const [key, newKey] = [keyOf(name), keyOf(to)]
    const catalog = this.open.get(key)
    if (!catalog) {
      const why = this.closed.get(key)
      this.closed.delete(key)
      if (why !== undefined) this.closed.set(newKey, why.replace(name, to))
      return true
    }
    const isReferredTo = await this.isReferredTo(key)
    for (const visit of this.visits) if (visit.mayUse(key, isReferredTo)) return false
    // Nobody can be asked where they stand once the name is gone.
    const visitors = await Promise.all(
      [...this.visits].map(async ({ visitor }) => ({
        visitor,
        database: await visitor.databaseIn(catalog.name),
      })),
    )
    await this.giveName(catalog, to)
    this.open.delete(key)
    this.open.set(newKey, { ...catalog, name: to })
    this.othersChanged()
    for (const { visitor, database } of visitors)
      // It has its name, whatever becomes of a session.
      await visitor
        .renamed(catalog.name, to, database)
        .catch((error: unknown) => this.parts.onTrouble(this.mask(readReport(error).message)))
    return true
  }

  /** DuckDB takes names that differ in their letter case for the same, and so for taken. */
  private async giveName({ id, name }: AccountCatalog, to: string): Promise<void> {
    const between = keyOf(name) === keyOf(to) ? [`boathouse_${id}`] : []
    let before = name
    for (const next of [...between, to]) {
      await this.parts.own.run(
        `ALTER DATABASE ${quotedIdentifier(before)} SET ALIAS TO ${quotedIdentifier(next)}`,
      )
      before = next
    }
  }

  private async attachNow(catalog: AccountCatalog): Promise<void> {
    if (this.open.has(keyOf(catalog.name))) return
    await (catalog.kind === 'own' ? this.attachFile(catalog) : this.attachFiles(catalog))
    this.closed.delete(keyOf(catalog.name))
    this.open.set(keyOf(catalog.name), catalog)
    this.othersChanged()
  }

  private async attachFile({ id, name, isNew }: AccountCatalog & { kind: 'own' }): Promise<void> {
    const { own, inMemory } = this.parts
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
  }

  /** It is there whether its files can be read or not: that may change at any time. */
  private async attachFiles(definition: ExternalCatalog): Promise<void> {
    const { instance, own, onChanged } = this.parts
    const { name } = definition
    const source = this.sourceOf(definition)
    await own.run(`ATTACH ':memory:' AS ${quotedIdentifier(name)}`)
    const connection = await instance.connect()
    this.folders.set(keyOf(name), new FileCatalog(name, source, { connection, onChanged }))
  }

  private sourceOf(definition: ExternalCatalog): FileSource {
    if (definition.kind === 'folder') return folderSource(definition)
    const { reach } = this.parts
    if (typeof reach === 'string') throw new FolderUnreadable(reach)
    const { outside, loopback } = reach
    if (definition.kind === 'bucket') return bucketSource(definition, outside, loopback)
    const parts = { outside, loopback, connect: () => this.parts.instance.connect() }
    return definition.kind === 'iceberg' ? icebergSource(definition, parts) : hiveSource(definition, parts)
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
    const aside = join(this.directory, ORPHANS)
    for (const file of await readdir(this.directory)) {
      const id = FILE.exec(file)?.[1]
      if (id === undefined || known.has(id)) continue
      await mkdir(aside, { recursive: true })
      await rename(join(this.directory, file), join(aside, file))
      const now = new Date()
      await utimes(join(aside, file), now, now)
      this.parts.onTrouble(`the file ${CATALOG_FOLDER}/${file} is of no catalog, and is kept for a week`)
    }
    await removeOld(aside)
  }

  /** One change after the other. */
  private underLock<T>(work: () => Promise<T>): Promise<T> {
    const done = this.last.then(work)
    this.last = done.catch(() => undefined)
    return done
  }
}

const unreadable = ({ name, problem }: FileCatalog): string =>
  `The catalog ${name} cannot be read: ${problem}.`

async function removeOld(aside: string): Promise<void> {
  const files = await readdir(aside).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  for (const file of files) {
    const { mtimeMs } = await stat(join(aside, file))
    if (Date.now() - mtimeMs > ORPHANS_KEPT_MS) await rm(join(aside, file), { force: true })
  }
}
