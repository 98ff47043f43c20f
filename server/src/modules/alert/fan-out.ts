import { type AlertEvent, LIMITS, MESSAGE_TYPES } from '@boathouse/contract'
import type { Kysely, Transaction } from 'kysely'
import type { Clock } from '../../kernel/clock.ts'
import { timeOrderedId } from '../../kernel/time-ordered-id.ts'
import type { Schema } from '../../store/schema.ts'
import type { Mails } from '../mail/service.ts'
import { writeMessages } from '../message/service.ts'
import type { DeliveryStore } from './delivery-store.ts'
import { accountsToSumUp, type EventRow, lockRules, mailedBy, setCounts, takeEvents } from './event-store.ts'
import { bodyOf, type Facts, linesOf, subjectOf, type ToldEvent } from './event-texts.ts'
import type { RuleRow } from './store.ts'

export interface FanOutParts {
  readonly db: Kysely<Schema>
  readonly deliveries: Pick<DeliveryStore, 'insert' | 'countWaiting'>
  readonly mails: Pick<Mails, 'write'>
  readonly clock: Clock
}

interface Told {
  readonly event: ToldEvent
  /** Whose statement it is about. */
  readonly userId?: string | null
  readonly facts: Facts
  readonly at: Date
}

const HOUR_MS = 3_600_000
const EVENTS_AT_ONCE = 200
const ACCOUNTS_AT_ONCE = 100

/** That of a schedule is about all that happens to it. */
const isAbout = (rule: RuleRow, event: EventRow): boolean =>
  (rule.schedule_id === null ? rule.event === event.event : rule.schedule_id === event.schedule_id) &&
  (rule.warehouse_id === null || rule.warehouse_id === event.warehouse_id) &&
  (rule.of_user_id === null || rule.of_user_id === event.user_id)

const textOf = (facts: Facts, name: string): string | null => {
  const value = facts[name]
  return typeof value === 'string' && value !== '' ? value : null
}

/** Where the console shows the statement that it is about. */
function statementOf(facts: Facts, region: string) {
  const queryId = textOf(facts, 'queryId')
  return queryId === null ? null : { region, queryId }
}

/** What happens to a schedule is in the messages of its users, too. */
async function writeMessagesOf(trx: Transaction<Schema>, rule: RuleRow, { event, at }: Omit<Told, 'facts'>) {
  if (rule.schedule_id === null) return
  const isFailure = event === 'schedule.failed'
  const type = isFailure ? MESSAGE_TYPES.ScheduleFailed : MESSAGE_TYPES.ScheduleCondition
  const { account_id: accountId, user_ids: userIds, name: about } = rule
  await writeMessages(trx, { accountId, userIds, type, about, at })
}

/** Mails are in the outbox with the same transaction, which retries them. Returns how many it names. */
async function mailReaders(
  mails: FanOutParts['mails'],
  trx: Transaction<Schema>,
  { rule, told: { event, facts, at, userId } }: { rule: RuleRow; told: Told },
): Promise<number> {
  const { account_id: accountId, name } = rule
  const readers = await mailedBy(trx, accountId, rule.user_ids)
  for (const { email, account_name: accountName, region, ...reader } of readers) {
    if (email === null) continue
    const mayOpen = reader.is_administrator || reader.user_id === userId
    await mails.write(trx, {
      to: email,
      accountId,
      kind: 'alert',
      details: {
        accountId,
        accountName,
        rule: name,
        isOfSchedule: rule.schedule_id !== null,
        subject: subjectOf(event, facts),
        at: at.toISOString(),
        lines: linesOf(facts),
        statement: mayOpen ? statementOf(facts, region) : null,
      },
    })
  }
  return readers.length
}

/** From what happened to what is delivered: one delivery for each rule and event, in the transaction that takes the event. */
export function createFanOut({ db, deliveries, mails, clock }: FanOutParts) {
  async function write(trx: Transaction<Schema>, rule: RuleRow, told: Told) {
    const { account_id: accountId, url } = rule
    const { event, facts, at } = told
    const mailedTo = await mailReaders(mails, trx, { rule, told })
    const now = clock.now()
    await writeMessagesOf(trx, rule, { event, at: now })
    const deliveryId = timeOrderedId()
    await deliveries.insert(trx, [
      {
        delivery_id: deliveryId,
        rule_id: rule.rule_id,
        account_id: accountId,
        run_id: rule.schedule_id === null ? null : textOf(facts, 'runId'),
        event,
        body: bodyOf(event, facts, at),
        state: url === null ? 'mailed' : 'waiting',
        mailed_to: mailedTo,
        next_attempt_at: now,
        created_at: now,
        ended_at: url === null ? now : null,
      },
    ])
    return deliveryId
  }

  /** The places that an account has for what waits, taken before anything is written. */
  async function placesOf(trx: Transaction<Schema>, accountId: string) {
    let left = LIMITS.waitingAlertsPerAccount - (await deliveries.countWaiting(trx, accountId))
    return { take: (): boolean => left-- > 0 }
  }

  /** What was too much in the last hour, in one sentence, and a new hour. */
  async function sumUp(trx: Transaction<Schema>, rule: RuleRow): Promise<RuleRow> {
    const now = clock.now()
    if (rule.hour_started_at.getTime() + HOUR_MS > now.getTime()) return rule
    const { merged_count: more, hour_started_at: since } = rule
    if (more > 0)
      await write(trx, rule, {
        event: rule.event as AlertEvent,
        facts: { more, since: since.toISOString() },
        at: now,
      })
    return { ...rule, hour_started_at: now, hour_count: more > 0 ? 1 : 0, merged_count: 0 }
  }

  async function passOn(trx: Transaction<Schema>, accountId: string, events: readonly EventRow[]) {
    const places = await placesOf(trx, accountId)
    const scheduleIds = events.flatMap(({ schedule_id }) => schedule_id ?? [])
    for (const before of await lockRules(trx, accountId, scheduleIds)) {
      let rule = await sumUp(trx, before)
      for (const event of events) {
        if (!isAbout(rule, event)) continue
        const isTooMuch = rule.hour_count >= LIMITS.alertsPerRuleAndHour || !places.take()
        if (isTooMuch) rule = { ...rule, merged_count: rule.merged_count + 1 }
        else {
          const told = {
            event: event.event as AlertEvent,
            facts: event.facts as Facts,
            at: event.occurred_at,
            userId: event.user_id,
          }
          await write(trx, rule, told)
          rule = { ...rule, hour_count: rule.hour_count + 1 }
        }
      }
      if (rule !== before) await setCounts(trx, rule.rule_id, rule)
    }
  }

  /** How many events were passed on. */
  const passOnSome = (): Promise<number> =>
    db.transaction().execute(async (trx) => {
      const events = (await takeEvents(trx, EVENTS_AT_ONCE)).toSorted((a, b) => a.event_id - b.event_id)
      const accountIds = new Set(events.map(({ account_id }) => account_id))
      for (const accountId of [...accountIds].toSorted())
        await passOn(
          trx,
          accountId,
          events.filter((event) => event.account_id === accountId),
        )
      return events.length
    })

  return {
    write,

    async passOnAll(): Promise<void> {
      while ((await passOnSome()) === EVENTS_AT_ONCE);
      const before = new Date(clock.now().getTime() - HOUR_MS)
      for (const accountId of await accountsToSumUp(db, before, ACCOUNTS_AT_ONCE))
        await db.transaction().execute((trx) => passOn(trx, accountId, []))
    },
  }
}
