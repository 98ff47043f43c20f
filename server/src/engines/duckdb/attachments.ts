import type { AccountCatalog, Attachments } from '../engine.ts'

interface AttachParts {
  attach(catalog: AccountCatalog): Promise<unknown>
  removeCatalog(catalog: Pick<AccountCatalog, 'id' | 'name'>): Promise<unknown>
}

const keyOf = (name: string): string => name.toLowerCase()

/** Knows which catalogs there are without asking the process that has them. */
export function attachmentsOf(names: readonly string[], { attach, removeCatalog }: AttachParts): Attachments {
  const known = new Map(names.map((name) => [keyOf(name), name]))
  return {
    named: (name) => known.get(keyOf(name)) ?? null,
    async attach(catalog) {
      await attach(catalog)
      known.set(keyOf(catalog.name), catalog.name)
    },
    async remove(catalog) {
      known.delete(keyOf(catalog.name))
      await removeCatalog(catalog)
    },
  }
}
