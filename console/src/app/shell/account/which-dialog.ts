import { isFrozen, isResuming, SHELL_STATES } from '@boathouse/contract/account-state'
import { MESSAGE_TYPES, type UnreadMessage, type UserInfo } from '@boathouse/contract/user'

/** Values of the user info that decide who needs a card. */
const SOURCE_MARKETPLACE = 2
const IDENTITY_CONTRACT = 3

type Asked = Pick<UserInfo, 'accountState' | 'source' | 'isOrgAdmin' | 'orgIdentity'>

export type AccountDialogKind = 'resuming' | 'freezing' | 'card' | 'trial started'

/** At most one, by the account's state and what is unread. */
export function whichDialog(
  user: Asked,
  unread: readonly Pick<UnreadMessage, 'type'>[],
  paymentEnabled: boolean,
): AccountDialogKind | null {
  const { accountState, source, isOrgAdmin, orgIdentity } = user
  if (isResuming(accountState)) return 'resuming'
  if (isFrozen(accountState)) {
    const paysElsewhere = source === SOURCE_MARKETPLACE || orgIdentity === IDENTITY_CONTRACT
    return paysElsewhere || !isOrgAdmin || !paymentEnabled ? 'freezing' : 'card'
  }
  const isTrialNew = unread.some(({ type }) => type === MESSAGE_TYPES.TrialStarted)
  return accountState === SHELL_STATES.Active && isTrialNew ? 'trial started' : null
}
