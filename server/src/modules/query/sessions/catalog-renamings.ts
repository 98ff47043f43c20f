import { isSameName } from '@boathouse/contract'
import type { StatementKind } from '@boathouse/sql'
import { aborted } from '../../../kernel/aborted.ts'
import type { Actor } from '../../../kernel/actor.ts'
import { AppError } from '../../../kernel/app-error.ts'
import { ENTERING } from '../unfinished-store.ts'
import type { Connection } from './connection.ts'

/** A renaming waits up to 2 s for statements that are about to end. */
const RENAMING_MS = 5_000

/** A catalog that is being renamed. */
interface Renaming {
  readonly accountId: string
  /** Its name before. */
  readonly catalog: string
  /** Resolves when it has the new name, or keeps the old one. */
  readonly ended: Promise<unknown>
}

const isOf = (renaming: Renaming, catalog: string): boolean => isSameName(renaming.catalog, catalog)

const stillRenamed = (catalog: string) =>
  new AppError('Conflict', `The catalog ${catalog} is being renamed. Send the statement again in a moment.`)

/** Catalogs that are being renamed, for which statements wait before they begin. */
export function createCatalogRenamings(mostWaitedMs = RENAMING_MS) {
  const renamings = new Set<Renaming>()

  return {
    /**
     * Between its acceptance and its begin the catalog of a statement may be renamed. The renaming counts statements that
     * were written down before; others wait here, and those that enter a catalog wait for every renaming. What an open
     * transaction uses keeps its name, and the renaming may wait for its end.
     */
    async named(
      { accountId }: Pick<Actor, 'accountId'>,
      { catalog, inTransaction }: Pick<Connection, 'catalog' | 'inTransaction'>,
      { kind, stop }: { readonly kind: StatementKind; readonly stop: AbortSignal },
    ): Promise<void> {
      if (inTransaction) return
      const isMeant = (one: Renaming) => ENTERING.includes(kind) || isOf(one, catalog)
      const renaming = () => [...renamings].find((one) => one.accountId === accountId && isMeant(one))
      if (!renaming()) return
      const waiting = AbortSignal.any([stop, AbortSignal.timeout(mostWaitedMs)])
      for (let one = renaming(); one; one = renaming()) {
        await Promise.race([one.ended, aborted(waiting)])
        if (stop.aborted) return
        if (waiting.aborted) throw stillRenamed(one.catalog)
      }
    },

    /** Until the returned function is called, only statements of open transactions begin in this catalog. */
    beginRenaming(accountId: string, catalog: string): () => void {
      const ending = new AbortController()
      const one = { accountId, catalog, ended: aborted(ending.signal) }
      renamings.add(one)
      return () => {
        renamings.delete(one)
        ending.abort()
      }
    },
  }
}
