import { foldedName } from '../../kernel/same-name.ts'
import {
  type AccountCatalog,
  type Attachments,
  type ExternalCatalog,
  FolderRefused,
  type FolderReport,
} from '../engine/attachments.ts'
import type { OtherCatalogs } from './account/account.ts'

interface AttachParts {
  attach(catalog: AccountCatalog): Promise<unknown>
  removeCatalog(catalog: Pick<AccountCatalog, 'id' | 'name'>): Promise<unknown>
  renameCatalog(name: string, to: string): Promise<boolean>
  checkCatalog(name: string): Promise<string | null>
  /** As a sentence when it cannot be read at all. */
  tryCatalog(catalog: ExternalCatalog): Promise<FolderReport | string>
}

const keyOf = foldedName

const KINDS = ['own', 'folder', 'bucket', 'iceberg', 'hive'] as const

/** Knows which catalogs there are without asking the process that has them. */
export function attachmentsOf({ names, closed, lacks }: OtherCatalogs, parts: AttachParts): Attachments {
  const known = new Map(names.map((name) => [keyOf(name), name]))
  const whyNot = new Map(lacks)
  const whyClosed = new Map(closed.map(([name, why]) => [keyOf(name), why]))
  return {
    kinds: new Set(KINDS.filter((kind) => !whyNot.has(kind))),
    whyNot: (kind) => whyNot.get(kind) ?? null,
    named: (name) => known.get(keyOf(name)) ?? null,
    whyClosed: (name) => whyClosed.get(keyOf(name)) ?? null,
    check: (name) => parts.checkCatalog(name),
    async attach(catalog) {
      await parts.attach(catalog)
      known.set(keyOf(catalog.name), catalog.name)
    },
    async remove(catalog) {
      known.delete(keyOf(catalog.name))
      whyClosed.delete(keyOf(catalog.name))
      await parts.removeCatalog(catalog)
    },
    async rename(name, to) {
      if (!(await parts.renameCatalog(name, to))) return false
      const why = whyClosed.get(keyOf(name))
      if (known.delete(keyOf(name))) known.set(keyOf(to), to)
      if (whyClosed.delete(keyOf(name)) && why !== undefined) whyClosed.set(keyOf(to), why.replace(name, to))
      return true
    },
    async tryOut(catalog) {
      const report = await parts.tryCatalog(catalog)
      if (typeof report === 'string') throw new FolderRefused(report)
      return report
    },
  }
}
