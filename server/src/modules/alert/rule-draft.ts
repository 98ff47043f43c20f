import {
  ALERT_MESSAGES,
  type alert,
  EVENTS_OF_USERS,
  EVENTS_OF_WAREHOUSES,
  type Input,
} from '@boathouse/contract'
import type { Transaction } from 'kysely'
import type { Actor } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/app-error.ts'
import { OutsideRefused } from '../../kernel/outside.ts'
import type { WebhookSender } from '../../providers/webhook/webhooks.ts'
import type { Schema } from '../../store/schema.ts'
import type { RuleStore } from './store.ts'

export type RuleDraft = Input<typeof alert.create>

interface DraftParts {
  readonly store: Pick<RuleStore, 'hasWarehouse' | 'mailable'>
  readonly sender: Pick<WebhookSender, 'requireAllowed'>
}

export function requireAllowed(sender: Pick<WebhookSender, 'requireAllowed'>, url: string): void {
  try {
    sender.requireAllowed(url)
  } catch (error) {
    if (error instanceof OutsideRefused)
      throw new AppError('BadInput', `Nothing can be sent to this webhook URL: ${error.message}.`, {
        cause: error,
      })
    throw error
  }
}

/** What a draft says, as a row holds it. */
export async function checkedDraft(
  { store, sender }: DraftParts,
  trx: Transaction<Schema>,
  { of: { accountId, userId }, draft }: { of: Actor; draft: RuleDraft },
) {
  const { event, warehouseId, users, url } = draft
  if (url === '' && users.length === 0) throw new AppError('BadInput', `url: ${ALERT_MESSAGES.nowhere}`)
  if (url !== '') requireAllowed(sender, url)
  if (warehouseId !== null && !EVENTS_OF_WAREHOUSES.includes(event))
    throw new AppError('BadInput', 'warehouseId: This event does not happen in a warehouse.')
  if (draft.ownOnly && !EVENTS_OF_USERS.includes(event))
    throw new AppError('BadInput', 'ownOnly: This event is not caused by a user.')
  if (warehouseId !== null && !(await store.hasWarehouse(trx, accountId, warehouseId)))
    throw new AppError('NotFound', 'There is no such warehouse in this account.')
  const found = await store.mailable(trx, accountId, users)
  for (const user of users)
    if (!found.some(({ name }) => name.toLowerCase() === user.toLowerCase()))
      throw new AppError('BadInput', `There is no user ${user} with a mail address in this account.`)
  return {
    name: draft.name,
    event,
    warehouse_id: warehouseId,
    of_user_id: draft.ownOnly ? userId : null,
    schedule_id: null,
    user_ids: found.map(({ user_id }) => user_id),
    url: url === '' ? null : url,
    enabled: draft.enabled,
  }
}
