import { AppError } from './app-error.ts'

/** What there is already, counted under a lock of the account: two at the same moment are never both the last. */
export interface Held {
  readonly ofAccount: number
  readonly ofUser: number
}

export interface Share {
  readonly mostOfAccount: number
  /** So few that no user takes what all others of the account need. */
  readonly mostOfUser: number
  /** In a sentence, as in 'scheduled tasks'. */
  readonly what: string
  /** What to do, as a sentence. */
  readonly how: string
}

/** Throws when the account, or this user of it, can have no more. */
export function requireShare({ ofAccount, ofUser }: Held, share: Share): void {
  const { mostOfAccount, mostOfUser, what, how } = share
  if (ofUser >= mostOfUser)
    throw new AppError(
      'LimitReached',
      `You have ${ofUser} ${what}, the share of one user: at most ${mostOfUser} of the ${mostOfAccount} that an account can have. ${how}`,
    )
  if (ofAccount >= mostOfAccount)
    throw new AppError('LimitReached', `An account has at most ${mostOfAccount} ${what}. ${how}`)
}
