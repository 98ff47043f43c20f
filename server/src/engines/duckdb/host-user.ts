import { createHash } from 'node:crypto'
import { chmodSync, lchownSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'

export interface HostUser {
  readonly uid: number
  readonly gid: number
}

export interface HostUserNeeds {
  readonly accountId: string
  /** Exists; becomes that user's own. */
  readonly directory: string
}

/**
 * As root an engine gets a user of its own, so that it can reach no other account's files. Null where we are not
 * root or that user could not reach the account's folder: the engine then runs as we do.
 */
export function hostUser({ accountId, directory }: HostUserNeeds): HostUser | null {
  if (process.getuid?.() !== 0 || !isPassableByAll(dirname(directory))) return null
  const uid = userOf(accountId)
  giveTo(uid, directory)
  return { uid, gid: uid }
}

/** Makes this process that user's, for good. It has loaded its program before, and so needs no way to it. */
export function become({ uid, gid }: HostUser): void {
  process.setgroups?.([])
  process.setgid?.(gid)
  process.setuid?.(uid)
}

// Numbers that systemd keeps for services without a user of their own; nobody logs in under them.
const FIRST_USER = 61_184
const USERS = 65_519 - FIRST_USER + 1

function userOf(accountId: string): number {
  return FIRST_USER + (createHash('sha256').update(accountId).digest().readUInt32BE(0) % USERS)
}

const PASS_BY_ALL = 0o001

/** Every folder from the root on lets everybody through. */
export function isPassableByAll(directory: string): boolean {
  const passable = (statSync(directory).mode & PASS_BY_ALL) !== 0
  return passable && (directory === dirname(directory) || isPassableByAll(dirname(directory)))
}

/** The folder last: once it is that user's, everything in it is. */
function giveTo(uid: number, directory: string): void {
  if (statSync(directory).uid === uid) return
  const names = readdirSync(directory, { recursive: true, encoding: 'utf8' })
  for (const path of [...names.map((name) => join(directory, name)), directory]) lchownSync(path, uid, uid)
  chmodSync(directory, 0o700)
}
