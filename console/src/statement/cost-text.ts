import '../i18n/statement.ts'
import { t } from '../i18n/texts.ts'

/** As the service sends it. */
interface StatementCost {
  readonly usd: string
  readonly isFinal: boolean
}

/** While it is being counted, it is loaded again: it is final within two seconds after its end. */
const ASK_AGAIN_MS = 1_000

const isOpen = (cost: StatementCost | null): boolean => cost !== null && !cost.isFinal

/** How soon to ask again of those that have ended; false once what they cost can change no more. */
export const askAgainMs = (
  ended: readonly { readonly cost: StatementCost | null; readonly endedAt?: string | null }[],
): number | false =>
  ended.some(({ cost, endedAt }) => endedAt !== null && isOpen(cost)) ? ASK_AGAIN_MS : false

/** What a statement cost, for places that name USD themselves: `0.004176`, or `0.000506 so far`. */
export const costText = (cost: StatementCost | null): string =>
  cost === null ? '–' : isOpen(cost) ? t('statement.soFar', { cost: cost.usd }) : cost.usd

/** The same with its unit: `0.004176 USD`, or `0.000506 USD so far`. */
export function costInUsd(cost: StatementCost): string {
  const inUsd = t('statement.usd', { usd: cost.usd })
  return isOpen(cost) ? t('statement.soFar', { cost: inUsd }) : inUsd
}
