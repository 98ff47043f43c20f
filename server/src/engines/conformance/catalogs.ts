import { databaseTests } from './catalogs/databases.ts'
import { listTests } from './catalogs/lists.ts'
import { currentNameTests } from './catalogs/current-names.ts'
import type { Suite } from './suite.ts'

/** Catalogs, databases and tables, as the service lists, creates and drops them. */
export function catalogTests(suite: Suite): void {
  databaseTests(suite)
  listTests(suite)
  currentNameTests(suite)
}
