import { version } from '@duckdb/node-api'
import type { Capabilities } from '../engine/capabilities.ts'
import { createFaultyProvider, type FaultyProvider } from '../fault-injection/provider.ts'
import { openAccount } from './account/account.ts'
import { attachmentsOf } from './attachments.ts'
import { duckdbCatalogs } from './catalogs/catalogs.ts'
import { folderRefusal } from './folders/layout.ts'
import { DUCKDB_WORDS } from './dialect.ts'
import { DUCKDB_NAMES } from './guard/name-rules.ts'
import { sheetReaderForTests } from './host/host-bundle-for-tests.ts'

export interface InProcessOptions {
  readonly without?: readonly (keyof Capabilities)[]
}

/** DuckDB in memory and in this very process, for tests that need its SQL and no process of its own. */
export const createInProcessDuckdb = ({ without = [] }: InProcessOptions = {}): FaultyProvider =>
  createFaultyProvider({
    id: 'duckdb in process',
    label: 'DuckDB',
    nameRules: DUCKDB_NAMES,
    version: version(),
    without,
    openAccount: async (space) => {
      const { outside } = space
      const account = await openAccount(space, {
        inMemory: true,
        sheetReader: sheetReaderForTests,
        ...(outside && { outside }),
      })
      return {
        ...DUCKDB_WORDS,
        catalogs: duckdbCatalogs(account.names),
        openSession: account.openSession,
        settled: account.settled,
        close: account.close,
        resize: account.resize,
        attachments: attachmentsOf(account.attached, {
          ...account,
          tryCatalog: (catalog) => account.tryCatalog(catalog).catch(folderRefusal),
        }),
        tableSizes: account.tableSizes,
        effects: { tookEffect: account.tookEffect, forget: account.forgetEffects },
      }
    },
  })
