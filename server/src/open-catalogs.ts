import { z } from 'zod'

/** A catalog of a cluster that exists already, and an account that sees it. */
export interface OpenCatalog {
  readonly catalog: string
  /** `*`: every account. */
  readonly accountId: string
}

const EVERY_ACCOUNT = '*'
const ENTRY = /^([a-z][a-z0-9_-]{0,62})@([\w-]+|\*)$/
/** They are the service's own names, or show what others run. */
const NEVER_OPEN = new Set(['default_catalog', 'lake', 'system', 'jmx', 'information_schema'])

function readEntry(text: string): OpenCatalog | null {
  const [, catalog = '', accountId = ''] = ENTRY.exec(text.trim()) ?? []
  return catalog === '' || NEVER_OPEN.has(catalog) ? null : { catalog, accountId }
}

export const OpenCatalogs = z.string().transform((text, context): readonly OpenCatalog[] => {
  const entries = text.split(',').map(readEntry)
  const all = entries.filter((entry) => entry !== null)
  if (all.length === entries.length) return all
  context.addIssue({ code: 'custom', message: 'not a list of catalogs' })
  return z.NEVER
})

/** Those that are open to an account, in the order of the setting. */
export const catalogsFor = (open: readonly OpenCatalog[], accountId: string): readonly string[] => [
  ...new Set(
    open
      .filter((one) => one.accountId === accountId || one.accountId === EVERY_ACCOUNT)
      .map(({ catalog }) => catalog),
  ),
]
