import { LIFE_CYCLE_STATES } from '@boathouse/contract'
import type { Kysely } from 'kysely'
import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import { OutsideRefused } from '../../kernel/outside.ts'
import { secretOfRegion } from '../../kernel/region-signature.ts'
import type { RegionLink } from '../../providers/region/region-link.ts'
import type { Schema } from '../../store/schema.ts'
import type { AccountLife } from '../org/life.ts'
import {
  agreeOn,
  type DueAccount,
  dueRegionalAccounts,
  markAsked,
  type ReportedAccount,
} from '../org/regional-store.ts'
import { keepStorageOfRegion } from '../storage/handed-storage-store.ts'
import { keepUsageOfRegion } from '../warehouse/handed-usage-store.ts'
import { type AccountOrder, type AccountReport, MOST_ROWS, SyncAnswer } from './messages.ts'
import type { RegionSettings } from './region-map.ts'

export interface CentralOptions {
  readonly db: Kysely<Schema>
  readonly others: RegionSettings['others']
  readonly secret: string
  readonly link: RegionLink
  readonly accountLife: Pick<AccountLife, 'deleteGone'>
  /** Called after the states of these accounts have changed. */
  readonly onMoved: (accountIds: readonly string[]) => void
  readonly clock: Clock
  readonly log: Log
}

const SECOND_MS = 1_000
const ASKED_AT_ONCE = 100
/** An order that was not followed yet is sent again after this time. */
const ORDER_MS = 5 * SECOND_MS
/** Other accounts are looked at, and usage is fetched, this often. */
const LOOK_MS = 60 * SECOND_MS

const isAgreed = (row: DueAccount): boolean =>
  row.state === row.agreed_state &&
  row.shell_state === row.agreed_shell_state &&
  row.edition === row.agreed_edition

const orderOf = (row: DueAccount): AccountOrder => ({
  accountId: row.account_id,
  organisation: {
    id: row.organisation_id,
    name: row.organisation_name,
    identity: row.identity,
    source: row.source,
    createdAt: row.organisation_created_at,
  },
  name: row.name,
  csp: row.csp,
  edition: row.edition as AccountOrder['edition'],
  administrator: row.creator,
  email: row.admin_email,
  invitedBy: row.invited_by,
  createdBy: row.created_by,
  samples: row.wants_samples,
  state: row.state,
  shellState: row.shell_state,
  freezeReason: row.freeze_reason as AccountOrder['freezeReason'],
  isNew: row.agreed_state === null,
  isOrder: !isAgreed(row),
})

/** As the region says; an account that it has lost is abnormal, and otherwise as it was. */
function reportedOf(row: DueAccount, report: AccountReport): ReportedAccount {
  const { shell_state, edition, freeze_reason, delete_at } = row
  if (report.found === 'missing')
    return { state: LIFE_CYCLE_STATES.Abnormal, shell_state, edition, freeze_reason, delete_at }
  return {
    state: report.state,
    shell_state: report.shellState,
    edition: report.edition,
    freeze_reason: report.freezeReason,
    delete_at: report.deleteAt === null ? null : new Date(report.deleteAt),
  }
}

interface Progress {
  /** Null: it never answered since this server started. */
  answeredAt: Date | null
  problem: string | null
  usageAt: number
  /** What was kept since the region last received an answer. */
  kept: Pick<SyncAnswer, 'usage' | 'storage'>
  last: Promise<void>
}

/**
 * The central server's part: again and again it sends each region the accounts that are to be different, and asks how
 * they are and what they have used. Each message can be repeated: a crash between any two delays things and loses
 * nothing.
 */
export function createCentral(options: CentralOptions) {
  const { db, others, secret, link, accountLife, onMoved, clock, log } = options
  const progress = new Map<string, Progress>(
    others.map(({ regionId }) => [
      regionId,
      {
        answeredAt: null,
        problem: null,
        usageAt: 0,
        kept: { usage: [], storage: [] },
        last: Promise.resolve(),
      },
    ]),
  )

  async function settle(row: DueAccount, report: AccountReport | undefined): Promise<void> {
    if (!report) return
    if (report.found === 'gone') return accountLife.deleteGone(row.account_id)
    if (report.found === 'missing')
      log.error({ accountId: row.account_id }, 'a region does not have this account any more')
    const reported = reportedOf(row, report)
    const changed = await db.transaction().execute((trx) => agreeOn(trx, row, reported))
    if (changed && (reported.state !== row.state || reported.shell_state !== row.shell_state))
      onMoved([row.account_id])
  }

  async function exchange(region: (typeof others)[number], at: Progress): Promise<void> {
    const { regionId, url } = region
    const now = clock.now()
    const before = (ms: number): Date => new Date(now.getTime() - ms)
    const due = await dueRegionalAccounts(db, {
      region: regionId,
      ordersBefore: before(ORDER_MS),
      othersBefore: before(LOOK_MS),
      limit: ASKED_AT_ONCE,
    })
    const wantsUsage = at.usageAt + LOOK_MS <= now.getTime()
    const { usage: keptUsage, storage: keptStorage } = at.kept
    if (due.length === 0 && !wantsUsage && keptUsage.length + keptStorage.length === 0) return
    const { data: answer } = SyncAnswer.safeParse(
      await link.ask(
        { name: regionId, url, secret: secretOfRegion(secret, regionId) },
        { kind: 'sync', accounts: due.map(orderOf), keptUsage, keptStorage, wantsUsage },
      ),
    )
    if (!answer) throw new OutsideRefused('nonsense', 'its answer is not one of this version')
    await db.transaction().execute(async (trx) => {
      await keepUsageOfRegion(trx, regionId, answer.usage)
      await keepStorageOfRegion(trx, regionId, answer.storage)
    })
    at.kept = { usage: answer.usage, storage: answer.storage }
    const isAll = answer.usage.length < MOST_ROWS && answer.storage.length < MOST_ROWS
    if (wantsUsage && isAll) at.usageAt = now.getTime()
    if (due.length > 0)
      await markAsked(
        db,
        due.map((row) => row.account_id),
        now,
      )
    for (const row of due)
      await settle(
        row,
        answer.accounts.find(({ accountId }) => accountId === row.account_id) as AccountReport | undefined,
      )
  }

  async function tryExchange(region: (typeof others)[number], at: Progress): Promise<void> {
    try {
      await exchange(region, at)
      at.answeredAt = clock.now()
      at.problem = null
    } catch (error) {
      if (!(error instanceof OutsideRefused)) throw error
      if (at.problem !== error.message)
        log.warn({ err: error, region: region.regionId }, 'a region does not answer; it is asked again')
      at.problem = error.message
    }
  }

  return {
    /** The regions, and when each of them answered last. */
    statuses: () =>
      others.map(({ regionId, cspId, url }) => {
        const { answeredAt = null, problem = null } = progress.get(regionId) ?? {}
        return { region: regionId, provider: cspId, url, answeredAt, problem }
      }),

    /** One exchange at a time: the next one says what the last one has kept. */
    syncWith(regionId: string): Promise<void> {
      const region = others.find((one) => one.regionId === regionId)
      const at = progress.get(regionId)
      if (!region || !at) return Promise.resolve()
      const next = at.last.then(() => tryExchange(region, at))
      at.last = next.catch(() => undefined)
      return next
    },
  }
}
