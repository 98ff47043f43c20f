import type { Kysely, Transaction } from 'kysely'
import { AppError } from '../../kernel/app-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import { UNITS_PER_CENT } from '../../kernel/money.ts'
import type { Marketplace, MeteringOutcome } from '../../providers/marketplace/marketplace.ts'
import type { Schema } from '../../store/schema.ts'
import {
  changeOpenRecord,
  changeRecord,
  deleteRecord,
  lockRecord,
  type RecordRow,
  takeDueRecords,
} from './record-store.ts'
import { lockSubscription, setMeteredUnits } from './subscription-store.ts'

export interface SendingOptions {
  readonly db: Kysely<Schema>
  readonly marketplace: Marketplace
  readonly clock: Clock
  readonly log: Log
}

const MINUTE_MS = 60_000
const BATCHES = 20
/** A request without an answer is sent again after this time. */
const ANSWER_MS = 2 * MINUTE_MS
const LONGEST_WAIT_MS = 15 * MINUTE_MS

const waitAfter = (attempts: number): number =>
  Math.min(MINUTE_MS * 2 ** Math.min(attempts - 1, 10), LONGEST_WAIT_MS)

/** What it metered is not metered any more, so that the next record has it. */
async function putBack(trx: Transaction<Schema>, record: RecordRow): Promise<void> {
  const subscription = await lockSubscription(trx, record.organisation_id)
  await deleteRecord(trx, record.record_id)
  if (!subscription) return
  const metered = BigInt(subscription.metered_units) - BigInt(record.quantity) * UNITS_PER_CENT
  await setMeteredUnits(trx, record.organisation_id, metered)
}

/** A record is sent with the same content until it is answered, and the marketplace counts it once. */
export function createSending({ db, marketplace, clock, log }: SendingOptions) {
  const later = (ms: number): Date => new Date(clock.now().getTime() + ms)

  /** The attempt is written down before it is made: nobody knows of an older one what became of it. */
  const beginAttempt = (): Promise<RecordRow[]> =>
    db.transaction().execute(async (trx) => {
      const due = await takeDueRecords(trx, {
        marketplace: marketplace.id,
        now: clock.now(),
        limit: marketplace.recordsAtOnce,
      })
      const sent: RecordRow[] = []
      for (const record of due) {
        if (await isTooOld(trx, record)) continue
        const change = { attempts: record.attempts + 1, is_unsure: true, next_attempt_at: later(ANSWER_MS) }
        await changeRecord(trx, record.record_id, change)
        sent.push(record)
      }
      return sent
    })

  /** Not sent, or certainly not taken, it is metered with the next hour. Otherwise the operator finds out what became of it. */
  async function isTooOld(trx: Transaction<Schema>, record: RecordRow): Promise<boolean> {
    if (record.hour.getTime() + marketplace.takesHoursForMs > clock.now().getTime()) return false
    if (record.is_unsure) {
      log.error({ record: record.record_id }, 'nobody knows whether the marketplace has taken a record')
      await changeRecord(trx, record.record_id, { state: 'unsure', next_attempt_at: null })
    } else await putBack(trx, record)
    return true
  }

  async function settle(record: RecordRow, outcome: MeteringOutcome): Promise<void> {
    const { record_id: id } = record
    const done = { is_unsure: false, next_attempt_at: null }
    if (outcome.state === 'taken') {
      await changeOpenRecord(db, id, { ...done, state: 'taken', receipt: outcome.receipt, problem: null })
      return
    }
    const { state, problem } = outcome
    log.warn({ record: id, problem }, 'the marketplace did not take a record')
    if (state === 'refused') await changeOpenRecord(db, id, { ...done, state, problem })
    else
      await changeOpenRecord(db, id, {
        problem,
        // One that is known not to be taken may still be one of which an earlier answer was lost.
        is_unsure: state === 'unsure' || record.is_unsure,
        next_attempt_at: later(waitAfter(record.attempts + 1)),
      })
  }

  return {
    async sendDue(): Promise<void> {
      for (let batch = 0; batch < BATCHES; batch++) {
        const records = await beginAttempt()
        if (records.length === 0) return
        const outcomes = await marketplace.meter(
          records.map((row) => ({
            recordId: row.record_id,
            customer: row.customer,
            product: row.product,
            dimension: row.dimension,
            hour: row.hour,
            quantity: row.quantity,
          })),
        )
        for (const [at, record] of records.entries()) {
          const outcome = outcomes[at]
          if (outcome) await settle(record, outcome)
        }
      }
    },

    /** The operator has looked it up at the marketplace. */
    async settleUnsure(recordId: string, wasTaken: boolean): Promise<void> {
      await db.transaction().execute(async (trx) => {
        const record = await lockRecord(trx, recordId)
        if (!record) throw new AppError('NotFound', `There is no record ${recordId}.`)
        if (record.state !== 'unsure')
          throw new AppError(
            'Conflict',
            `The record ${recordId} is ${record.state}: there is nothing to settle.`,
          )
        if (wasTaken) await changeRecord(trx, recordId, { state: 'taken', is_unsure: false })
        else await putBack(trx, record)
      })
    },
  }
}
