import { fileURLToPath } from 'node:url'
import type { DuckDBConnection } from '@duckdb/node-api'
import type { AccountCatalog, ExternalCatalog, FolderReport } from '../../engine/attachments.ts'
import type { NamesFound } from '../../engine/names.ts'
import type { AskedSizes, Effect } from '../../engine/capabilities.ts'
import type { EngineSession, SessionState } from '../../engine/session.ts'
import type { EngineSize } from '../../engine/provider.ts'
import { AttachedCatalogs } from './attached-catalogs.ts'
import { readReport } from '../errors.ts'
import { forgetEffects, prepareEffects, readEffects } from '../session/effects.ts'
import { SelectCache } from '../session/select-cache.ts'
import { KnownDefinitions } from '../objects/definitions.ts'
import { type AskedNames, NameCache } from './name-cache.ts'
import { MemoryMeter, workingMemory } from './memory-meter.ts'
import type { Outside } from '../../../kernel/outside.ts'
import { NOT_APART, openReach } from '../outside/reach.ts'
import { CATALOG, type Sandbox, type SandboxSpace, openSandbox } from '../guard/sandbox.ts'
import type { SheetTools } from '../files/sheet-source.ts'
import { openDuckDbSession } from '../session/open-session.ts'
import { StubbornStatements } from '../session/uninterruptible.ts'
import { DuckDbSize } from './size.ts'
import { tableSizes } from './table-sizes.ts'
import type { FreeBytes } from '../../../results/disk-space.ts'
import { ResultWriter } from '../result-writer/result-writer.ts'

/** The catalogs beside the first. */
export interface OtherCatalogs {
  readonly names: readonly string[]
  /** Of those that should be there and are not. */
  readonly closed: readonly (readonly [name: string, why: string])[]
  /** Which kinds it cannot have here, and why. */
  readonly lacks: readonly (readonly [kind: AccountCatalog['kind'], why: string])[]
}

const OUTSIDE_KINDS = ['bucket', 'iceberg', 'hive'] as const

/** One account's DuckDB with all that the service wants of it, in the process that holds it. */
export interface DuckDbAccount {
  openSession(state: SessionState, onFatal: (reason: string) => void): Promise<EngineSession>
  tookEffect(queryIds: readonly string[]): Promise<ReadonlyMap<string, Effect>>
  forgetEffects(before: Date): Promise<void>
  settled(queryId: string): Promise<void>
  resize(size: EngineSize): Promise<void>
  readonly attached: OtherCatalogs
  attach(catalog: AccountCatalog): Promise<void>
  removeCatalog(catalog: Pick<AccountCatalog, 'id' | 'name'>): Promise<void>
  /** False while something uses it. */
  renameCatalog(name: string, to: string): Promise<boolean>
  checkCatalog(name: string): Promise<string | null>
  tryCatalog(catalog: ExternalCatalog): Promise<FolderReport>
  /** Gives up what it has waited for from outside since before this moment; by the clock of `performance`. */
  giveUpOutside(before: number): void
  tableSizes(asked: AskedSizes): Promise<ReadonlyMap<string, number>>
  /** Null of what is not kept. */
  names(asked: AskedNames): Promise<NamesFound | null>
  /** Returns to the system the memory that statements have freed. */
  giveBackMemory(): Promise<void>
  /** Resolves when the results that were promised are on disk and the files are free. */
  close(): Promise<void>
}

/** Beside the host, where the build puts it. */
export const builtSheetReader = async (): Promise<string> =>
  fileURLToPath(new URL('sheet-reader.js', import.meta.url))

export interface AccountOptions {
  readonly freeBytes?: FreeBytes
  readonly inMemory?: boolean
  readonly sheetReader?: SheetTools['sheetReader']
  /** By which it reads what lies outside of the machine; as a sentence when it cannot. */
  readonly outside?: Outside | string
  /** Something went wrong that no statement suffers from. */
  onTrouble?(message: string): void
}

export async function openAccount(
  space: SandboxSpace,
  {
    inMemory = false,
    onTrouble = () => undefined,
    freeBytes,
    sheetReader = builtSheetReader,
    outside = NOT_APART,
  }: AccountOptions = {},
): Promise<DuckDbAccount> {
  const reach = await openReach(outside, space.extensions)
  let sandbox: Sandbox | null = null
  try {
    sandbox = await openSandbox(space, { inMemory, reach })
    const resultWriter = await ResultWriter.open(space, { mask: sandbox.mask, onTrouble, freeBytes })
    return await furnish(sandbox, resultWriter, { space, inMemory, sheetReader, onTrouble })
  } catch (error) {
    sandbox?.instance.closeSync()
    if (typeof reach !== 'string') await reach.loopback.close()
    throw error
  }
}

interface Furnishing {
  readonly space: SandboxSpace
  readonly inMemory: boolean
  readonly sheetReader: SheetTools['sheetReader']
  onTrouble(message: string): void
}

async function furnish(
  sandbox: Sandbox,
  resultWriter: ResultWriter,
  { space, inMemory, sheetReader, onTrouble }: Furnishing,
): Promise<DuckDbAccount> {
  /** For the service's own questions; no user's statement runs on it. */
  const own: DuckDBConnection = await sandbox.instance.connect()
  await prepareEffects(own, CATALOG)
  const memory = new MemoryMeter(workingMemory(sandbox.instance), onTrouble)
  const selects = new SelectCache()
  const definitions = new KnownDefinitions()
  const names = new NameCache({
    instance: sandbox.instance,
    keptCatalog: (name) => attached.ofSessions(name),
  })
  const attached: AttachedCatalogs = new AttachedCatalogs({
    instance: sandbox.instance,
    own,
    directory: sandbox.directory,
    inMemory,
    reach: sandbox.reach,
    mask: sandbox.mask,
    definitions: () => definitions.in(own, definitions.stamp()),
    onTrouble,
    onChanged() {
      definitions.changes()
      definitions.changed()
    },
    onOthers: () => names.doubt(),
  })
  await attached.start(space.catalogs ?? [])
  const size = new DuckDbSize({ ...sandbox, resultWriter }, space.memoryBytes)
  const mask = (message: string) => attached.mask(message)
  const known = { selects, definitions, names, attached }
  const uninterruptible = new StubbornStatements()
  const world = { ...sandbox, ...known, mask, own, resultWriter, memory, sheetReader, uninterruptible }
  return {
    openSession: (state, onFatal) => openDuckDbSession({ ...world, onFatal }, state),
    tookEffect: (queryIds) => readEffects(own, attached.writable, queryIds),
    forgetEffects: (before) => forgetEffects(own, attached.writable, before),
    get attached() {
      const { reach } = sandbox
      const lacks = typeof reach === 'string' ? OUTSIDE_KINDS.map((kind) => [kind, reach] as const) : []
      return { names: attached.others, closed: attached.whyClosed, lacks }
    },
    attach: (catalog) => attached.attach(catalog),
    removeCatalog: (catalog) => attached.remove(catalog),
    renameCatalog: (name, to) => attached.rename(name, to),
    checkCatalog: (name) => attached.check(name),
    tryCatalog: (catalog) => attached.tryOut(catalog),
    giveUpOutside(before) {
      if (typeof sandbox.reach !== 'string') sandbox.reach.loopback.giveUp(before)
    },
    tableSizes: (asked) => tableSizes(sandbox.instance, asked),
    // They can be read in a statement instead.
    names: (asked) =>
      names.page(asked).catch((error: unknown) => {
        onTrouble(`Names are not at hand: ${mask(readReport(error).message)}`)
        return null
      }),
    settled: (queryId) => resultWriter.settled(queryId),
    resize: (wanted) => size.change(wanted),
    giveBackMemory: () => size.giveBack(),
    async close() {
      await resultWriter.close()
      await memory.close()
      attached.close()
      own.closeSync()
      sandbox.instance.closeSync()
      if (typeof sandbox.reach !== 'string') await sandbox.reach.loopback.close()
    },
  }
}
