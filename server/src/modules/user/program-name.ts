import { UserName } from '@boathouse/contract'

const ACCOUNT = '[A-Za-z]{3}[0-9]{5}'
const ACCOUNT_FIRST = new RegExp(`^(${ACCOUNT})\\.(.+)$`, 's')
const ACCOUNT_LAST = new RegExp(`^(.+)@(${ACCOUNT})$`, 's')

export interface ProgramUser {
  readonly accountId: string
  readonly username: string
}

/**
 * Programs have one field for both: `ACCOUNT.user`, or `user@ACCOUNT` for tools that dislike dots. A user may have dots and
 * `@` in their name, so that an account in front decides. Null where no account is named.
 */
export function readProgramUser(name: string): ProgramUser | null {
  const [, before, behindIt] = ACCOUNT_FIRST.exec(name) ?? []
  const [, beforeIt, behind] = ACCOUNT_LAST.exec(name) ?? []
  const account = before ?? behind
  const username = before === undefined ? beforeIt : behindIt
  if (account === undefined || !UserName.safeParse(username).success || username === undefined) return null
  return { accountId: account.toUpperCase(), username }
}
