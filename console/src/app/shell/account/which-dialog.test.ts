import { SHELL_STATES } from '@boathouse/contract/account-state'
import { expect, test } from 'vitest'
import { whichDialog } from './which-dialog.ts'

const owner = { accountState: SHELL_STATES.Active, source: 1, isOrgAdmin: true, orgIdentity: 1 } as const
const started = [{ type: 1 }]

test('state 5 shows the resuming dialog to every user [ACCOUNT-71]', () => {
  expect(whichDialog({ ...owner, accountState: 5 }, started, true)).toBe('resuming')
})

test.each([3, 4])(
  'state %i shows the freezing dialog by any one of four conditions [ACCOUNT-73, CARD-02]',
  (accountState) => {
    const frozen = { ...owner, accountState }
    expect(whichDialog(frozen, [], true), 'none of them: the card is asked for').toBe('card')
    expect(whichDialog({ ...frozen, source: 2 }, [], true), 'ACCOUNT-74').toBe('freezing')
    expect(whichDialog({ ...frozen, isOrgAdmin: false }, [], true), 'ACCOUNT-75').toBe('freezing')
    expect(whichDialog({ ...frozen, orgIdentity: 3 }, [], true), 'ACCOUNT-76').toBe('freezing')
    expect(whichDialog(frozen, [], false), 'ACCOUNT-77').toBe('freezing')
  },
)

test('state 2 with an unread message of type 1 shows that the trial has started, and no other [ACCOUNT-13, ACCOUNT-89]', () => {
  expect(whichDialog(owner, started, false)).toBe('trial started')
  expect(whichDialog(owner, [{ type: 2 }], false)).toBeNull()
  expect(whichDialog(owner, [], false)).toBeNull()
  for (const accountState of [0, 1, 3, 4, 5, 6, 7])
    expect(whichDialog({ ...owner, accountState }, started, true)).not.toBe('trial started')
})
