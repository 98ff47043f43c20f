import { EMBED_MESSAGES, type embed, type Input, type Output } from '@boathouse/contract'
import { type Caller, requireOpenAccount } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { RateLimit } from '../attempt/rate-limit.ts'
import type { Dashboards } from '../dashboard/service.ts'
import type { RequireLetIn } from '../firewall/gate.ts'
import { fitsEmbedKey } from './embed-key.ts'
import type { Looks } from './looks.ts'
import type { EmbedRow, EmbedStore } from './store.ts'

export interface OpeningParts {
  readonly store: Pick<EmbedStore, 'find' | 'isAllowed' | 'used'>
  readonly dashboards: Pick<Dashboards, 'opened'>
  readonly looks: Looks
  readonly rateLimit: RateLimit
  readonly requireLetIn: RequireLetIn
  readonly clock: Clock
}

type Came = Input<typeof embed.open>

/** From one address. Nobody guesses a key; who tries shall not keep the database busy. */
const WRONG_KEYS = { free: 50, longestWaitMs: 10_000, pauseMs: 15 * 60_000 }

export const isOver = ({ expires_at }: Pick<EmbedRow, 'expires_at'>, now: Date): boolean =>
  expires_at !== null && expires_at <= now

/** What people see who came by a link. All is asked again with every call, so that what ends, ends at once. */
export function createOpening(parts: OpeningParts) {
  const { store, dashboards, looks, rateLimit, requireLetIn, clock } = parts
  const { opened } = dashboards

  /** Counted when it is known to be wrong: a right one does not wait for guesses of others. */
  async function prove({ clientIp }: Caller, { embedId, key }: Came): Promise<EmbedRow> {
    const row = await store.find(embedId)
    if (row && fitsEmbedKey(key, row.key_hash)) return row
    await rateLimit.reserve({
      address: clientIp,
      refusal: 'Too many wrong links.',
      own: rateLimit.fromAddress('embed key from', clientIp, WRONG_KEYS),
    })
    throw new AppError('LinkUnusable', EMBED_MESSAGES.unknown)
  }

  async function comeIn(from: Caller, row: EmbedRow) {
    const { account_id: accountId, dashboard_id: dashboardId } = row
    const found = await opened.open(dashboardId)
    const { identityVersion, accountState } = found.owner
    await requireLetIn({ accountId, clientIp: from.clientIp, identityVersion })
    requireOpenAccount(accountState)
    if (!(await store.isAllowed(accountId))) throw new AppError('NoPermission', EMBED_MESSAGES.off)
    if (isOver(row, clock.now())) throw new AppError('LinkUnusable', EMBED_MESSAGES.expired)
    return found
  }

  async function look<T>(
    from: Caller,
    came: Came,
    work: (found: Awaited<ReturnType<typeof comeIn>>) => Promise<T>,
  ): Promise<T> {
    const row = await prove(from, came)
    const { account_id: accountId, embed_id: embedId } = row
    return looks({ accountId, embedId, clientIp: from.clientIp }, async () => work(await comeIn(from, row)))
  }

  return {
    open: (from: Caller, came: Came): Promise<Output<typeof embed.open>> =>
      look(from, came, async (found) => {
        await store.used(came.embedId, clock.now())
        return opened.content(found)
      }),

    rows: (from: Caller, { runId, ...came }: Input<typeof embed.rows>): Promise<Output<typeof embed.rows>> =>
      look(from, came, (found) => opened.rows(found, runId)),

    /** Websites whose pages can show the page of this link. The browser has sent no key yet. */
    async framesOf(embedId: string): Promise<readonly string[]> {
      const row = await store.find(embedId)
      return row && (await store.isAllowed(row.account_id)) ? row.origins : []
    },
  }
}
