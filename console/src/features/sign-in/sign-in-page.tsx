import type { UserInfo } from '@boathouse/contract/user'
import type { LoggedAccount } from '../../lib/session.ts'
import { AccountStep } from './account-step.tsx'
import { SignInFrame } from './frame.tsx'
import { UserStep } from './user-step.tsx'

interface Props {
  readonly at:
    | { readonly step: 'account' }
    | { readonly step: 'signin'; readonly accountId: string; readonly region: string | null }
  readonly remembered: readonly LoggedAccount[]
  readonly resetAddress: (accountId: string) => string
  readonly trialAddress: string
  readonly next: string | null
  /** Who just chose a password; empty where nobody did. */
  readonly user: string
  readonly onAccount: (accountId: string, region: string) => void
  readonly onOtherAccount: () => void
  readonly onSignedIn: (info: UserInfo) => void
}

export function SignInPage(props: Props) {
  const { at, remembered, user, resetAddress, trialAddress, next, onAccount, onOtherAccount, onSignedIn } =
    props
  return (
    <SignInFrame>
      {at.step === 'account' ? (
        <AccountStep remembered={remembered} trialAddress={trialAddress} onAccount={onAccount} />
      ) : (
        <UserStep
          key={at.accountId}
          accountId={at.accountId}
          region={at.region}
          knownUser={user || (remembered.find((one) => one.accountId === at.accountId)?.user ?? '')}
          resetAddress={resetAddress(at.accountId)}
          next={next}
          onOtherAccount={onOtherAccount}
          onSignedIn={onSignedIn}
        />
      )}
    </SignInFrame>
  )
}
