import { objectOf } from '@boathouse/contract'
import type { Actor } from '../../../kernel/actor.ts'
import type { Log } from '../../../kernel/log.ts'
import type { Authority } from '../../access/authority.ts'
import type { NewAnnouncement } from '../../announcement/service.ts'

export const maySee = (
  { authority }: { readonly authority: Pick<Authority, 'may'> },
  actor: Actor,
  catalog: string,
): Promise<boolean> => authority.may(actor, 'USAGE', objectOf('catalog', { catalog }))

interface NewsParts {
  readonly announce: (announcement: NewAnnouncement) => Promise<void>
  readonly log: Log
}

/** Notifies open consoles. The change is made: without it they only see it later. */
export async function announceChange(
  { announce, log }: NewsParts,
  accountId: string,
  data: { readonly catalog: string; readonly renamedTo?: string },
): Promise<void> {
  const type = 'GlobalEventTypeCatalogChanged'
  await announce({ accountId, userId: null, type, data }).catch((error: unknown) =>
    log.warn({ err: error }, 'a change of a catalog was not announced'),
  )
}
