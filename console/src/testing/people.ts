import { SHELL_STATES } from '@boathouse/contract/account-state'
import type { UserInfo } from '@boathouse/contract/user'

/** Creator and administrator of her account; put over it what the test is about. */
export const adaLovelace = (over: Partial<UserInfo> = {}): UserInfo => ({
  user: 'ada',
  creator: 'ada',
  email: 'ada@example.com',
  accountId: 'ABC12345',
  accountName: 'Demo',
  accountState: SHELL_STATES.Active,
  edition: 'standard',
  source: 1,
  isOrgAdmin: true,
  orgIdentity: 1,
  perms: ['*:*'],
  region: 'local',
  activeRoles: ['account_admin', 'public'],
  ...over,
})
