import { createHash } from 'node:crypto'
import { chmodSync, lchownSync, readdirSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

export interface HostUser {
  readonly uid: number
  readonly gid: number
}

export interface HostUserNeeds {
  readonly accountId: string
  /** Exists; becomes that user's own. */
  readonly directory: string
  readonly hostPath: string
}

/**
 * As root an engine gets a user of its own, so that it can reach no other account's files. Null where we are not
 * root or that user could not reach the program or the account's folder: the engine then runs as we do.
 */
export function hostUser({ accountId, directory, hostPath }: HostUserNeeds): HostUser | null {
  if (process.getuid?.() !== 0) return null
  const uid = userOf(accountId)
  const program = programFiles(hostPath)
  if (!program.every(isReadableByAll) || !isPassableByAll(dirname(directory))) return null
  giveTo(uid, directory)
  return { uid, gid: uid }
}

// Numbers that systemd keeps for services without a user of their own; nobody logs in under them.
const FIRST_USER = 61_184
const USERS = 65_519 - FIRST_USER + 1

function userOf(accountId: string): number {
  return FIRST_USER + (createHash('sha256').update(accountId).digest().readUInt32BE(0) % USERS)
}

function programFiles(hostPath: string): string[] {
  const api = createRequire(import.meta.url).resolve('@duckdb/node-api')
  const bindings = createRequire(api).resolve('@duckdb/node-bindings')
  const scope = dirname(dirname(bindings))
  const natives = readdirSync(scope)
    .filter((name) => name.startsWith('node-bindings-'))
    .flatMap((name) => readdirSync(join(scope, name)).map((file) => join(scope, name, file)))
  return [process.execPath, hostPath, api, bindings, ...natives]
}

const READ_BY_ALL = 0o004
const PASS_BY_ALL = 0o001

export function isReadableByAll(file: string): boolean {
  return (statSync(file).mode & READ_BY_ALL) !== 0 && isPassableByAll(dirname(file))
}

/** Every folder from the root on lets everybody through. */
export function isPassableByAll(directory: string): boolean {
  const passable = (statSync(directory).mode & PASS_BY_ALL) !== 0
  return passable && (directory === dirname(directory) || isPassableByAll(dirname(directory)))
}

function giveTo(uid: number, directory: string): void {
  const names = readdirSync(directory, { recursive: true, encoding: 'utf8' })
  for (const path of [directory, ...names.map((name) => join(directory, name))]) lchownSync(path, uid, uid)
  chmodSync(directory, 0o700)
}
