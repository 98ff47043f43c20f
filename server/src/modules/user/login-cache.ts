import { BoundedMap } from '../../kernel/bounded-map.ts'
import type { Identity, LoginRow, UserStore } from './store.ts'

/** Logins. */
const REMEMBERED = 10_000
/** A login's last use is written this seldom, so that a busy console does not write on every call. */
const TOUCH_MS = 60_000

export interface LoginCacheParts {
  readonly store: Pick<UserStore, 'findByLogin' | 'touchLogin'>
  /** Somebody is found to be, or to be allowed, something else than before. */
  readonly onChanged: (before: Identity, now: Identity) => void
}

/** Living logins with who they belong to, as of a version that the database counts up with every change of that. */
export function createLoginCache({ store, onChanged }: LoginCacheParts) {
  const known = new BoundedMap<LoginRow>(REMEMBERED)

  async function ask(tokenHash: Buffer, key: string): Promise<LoginRow | undefined> {
    const before = known.get(key)
    const row = await store.findByLogin(tokenHash)
    if (!row) known.delete(key)
    else known.set(key, row, 1)
    if (before && row && before.identity_version !== row.identity_version) onChanged(before, row)
    return row
  }

  return {
    /** Queries the database unless it has just said that nothing has changed since. */
    async find(tokenHash: Buffer, identityVersion?: number): Promise<LoginRow | undefined> {
      const key = tokenHash.toString('hex')
      const remembered = known.get(key)
      return remembered && remembered.identity_version === identityVersion ? remembered : ask(tokenHash, key)
    },

    async touch(tokenHash: Buffer, row: LoginRow, at: Date): Promise<void> {
      if (row.last_used_at.getTime() + TOUCH_MS > at.getTime()) return
      await store.touchLogin(tokenHash, at)
      known.set(tokenHash.toString('hex'), { ...row, last_used_at: at }, 1)
    },
  }
}
