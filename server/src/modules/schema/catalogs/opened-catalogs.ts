import { type Catalog, isSameName } from '@boathouse/contract'
import type { Actor } from '../../../kernel/actor.ts'
import { AppError } from '../../../kernel/app-error.ts'
import type { Authority } from '../../access/authority.ts'
import { maySee } from './catalog-news.ts'
import { catalogMissing } from './catalogs.ts'
import type { ExternalStore } from './external-store.ts'
import type { InternalStore } from './internal-store.ts'

interface OpenedParts {
  /** As the cluster names them. */
  openedTo(accountId: string): readonly string[]
  readonly internal: Pick<InternalStore, 'list'>
  readonly external: Pick<ExternalStore, 'list'>
  readonly authority: Pick<Authority, 'may'>
}

const DESCRIPTION = 'Opened to this account by the operator of the cluster'

/** Catalogs of a cluster that exists already, as far as the account has none of their names itself. */
export function createOpenedCatalogs({ openedTo, internal, external, authority }: OpenedParts) {
  async function namesFor(accountId: string): Promise<readonly string[]> {
    const names = openedTo(accountId)
    if (names.length === 0) return names
    const own = [...(await internal.list(accountId)), ...(await external.list(accountId))]
    return names.filter((name) => !own.some((one) => isSameName(one.name, name)))
  }

  async function find({ accountId }: Actor, name: string): Promise<string | undefined> {
    return (await namesFor(accountId)).find((one) => isSameName(one, name))
  }

  return {
    /** Those that the actor may see. */
    async list(actor: Actor): Promise<Catalog[]> {
      const seen: Catalog[] = []
      for (const name of await namesFor(actor.accountId))
        if (await maySee({ authority }, actor, name))
          seen.push({ name, type: 'External', description: DESCRIPTION })
      return seen
    },

    /** Whether a new catalog of this name would be mistaken for one of them. */
    isNamed: async (actor: Actor, name: string): Promise<boolean> => (await find(actor, name)) !== undefined,

    /** Throws for one of them: to those who may not see it, there is none. */
    async requireOther(actor: Actor, name: string): Promise<void> {
      const found = await find(actor, name)
      if (found === undefined) return
      if (!(await maySee({ authority }, actor, found))) throw catalogMissing(name)
      throw new AppError(
        'Conflict',
        `The catalog ${found} belongs to a cluster and can be neither dropped nor renamed here. The operator of this service opens it to accounts.`,
      )
    },

    /** Null when there is none of this name that the actor may see. */
    async createStatement(actor: Actor, name: string): Promise<string | null> {
      const found = (await this.list(actor)).find((one) => isSameName(one.name, name))
      return found ? `-- ${found.name}: ${DESCRIPTION.toLowerCase()}` : null
    },
  }
}

export type OpenedCatalogs = ReturnType<typeof createOpenedCatalogs>
