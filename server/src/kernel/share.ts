import { AppError } from './app-error.ts'

/** What there is already, counted under a lock of the account: two at the same moment are never both the last. */
export interface Held {
  readonly ofAccount: number
  readonly ofUser: number
}

export interface Places {
  readonly mostOfAccount: number
  /** So few that no user takes what all others of the account need. */
  readonly mostOfUser: number
}

export interface Share extends Places {
  /** In a sentence, as in 'scheduled tasks'. */
  readonly what: string
  /** What to do, as a sentence. */
  readonly how: string
}

/** Whose places are all taken; null when there is room for one more. */
export function fullOf(
  { ofAccount, ofUser }: Held,
  { mostOfAccount, mostOfUser }: Places,
): 'user' | 'account' | null {
  if (ofUser >= mostOfUser) return 'user'
  return ofAccount >= mostOfAccount ? 'account' : null
}

/** Throws when the account, or this user of it, can have no more. */
export function requireShare(held: Held, share: Share): void {
  const { mostOfAccount, mostOfUser, what, how } = share
  const full = fullOf(held, share)
  if (full === 'user')
    throw new AppError(
      'LimitReached',
      `You have ${held.ofUser} ${what}, the share of one user: at most ${mostOfUser} of the ${mostOfAccount} that an account can have. ${how}`,
    )
  if (full === 'account')
    throw new AppError('LimitReached', `An account has at most ${mostOfAccount} ${what}. ${how}`)
}
