import { AccountId } from '@boathouse/contract/rules'
import type { LoginSearch } from './paths.ts'

export type LoginAt =
  | { readonly step: 'account' }
  | { readonly step: 'signin'; readonly accountId: string; readonly region: string | null }

interface Remembered {
  readonly account: string | null
  readonly region: string | null
}

/**
 * `account` asks which account, `signin` asks who. Without a step, and with `signin` but no account in the address, the
 * account signed in to last is taken; where none is known, or the address names none that can be, the account is asked
 * for.
 */
export function chooseStep(search: LoginSearch, remembered: Remembered): LoginAt {
  if (search.step === 'account') return { step: 'account' }
  const accountId = search.aid ?? remembered.account
  if (!accountId || !AccountId.safeParse(accountId).success) return { step: 'account' }
  const region = search.region ?? (accountId === remembered.account ? remembered.region : null)
  return { step: 'signin', accountId, region }
}
