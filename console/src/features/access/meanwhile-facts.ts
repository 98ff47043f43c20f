import type { Grantee } from '@boathouse/contract/perms'
import { type AccessObject, objectText } from '@boathouse/contract/privileges'
import type { Change } from '../../lib/recent-changes.ts'

/** One thing that a user holds: a role, or one privilege on one object. */
export type Fact = string

export const roleFact = (role: string): Fact => JSON.stringify(['role', role])
export const privilegeFact = (privilege: string, object: string): Fact =>
  JSON.stringify(['privilege', privilege, object])

/** A fact that came or went. */
export interface Turn {
  readonly isAdded: boolean
  readonly fact: Fact
}

export interface Noticed {
  /** Undefined until they were fetched for the first time. */
  readonly known: ReadonlySet<Fact> | undefined
  /** What this window did, and has not been seen in the facts yet. */
  readonly pending: readonly Turn[]
  /** What others did. */
  readonly reported: readonly Turn[]
  /** The last own change that was taken into account. */
  readonly lastOwn: number
}

export const NOTHING_NOTICED: Noticed = { known: undefined, pending: [], reported: [], lastOwn: 0 }

interface ChangeInput {
  readonly user?: string
  readonly role?: string
  readonly toRole?: string
  readonly fromRole?: string
  readonly object?: AccessObject
  readonly privileges?: readonly string[]
}

const isSame = (a: Turn, b: Turn): boolean =>
  a.isAdded === b.isAdded && a.fact.toLowerCase() === b.fact.toLowerCase()

const without = (turns: readonly Turn[], one: Turn): Turn[] => {
  const at = turns.findIndex((turn) => isSame(turn, one))
  return at === -1 ? [...turns] : turns.toSpliced(at, 1)
}

/** What a change of this window does to what somebody holds. */
export function turnsOf({ path, input }: Pick<Change, 'path' | 'input'>, { kind, name }: Grantee): Turn[] {
  const asked = (input ?? {}) as ChangeInput
  const [, isGiven, what] = /^\/perms\/(grant|revoke)-(role|priv)-/.exec(path) ?? []
  if (what === undefined) return []
  const holder = what === 'role' ? (asked.toRole ?? asked.fromRole ?? asked.user) : (asked.user ?? asked.role)
  const isUser = path.endsWith('-user')
  if (holder?.toLowerCase() !== name.toLowerCase() || isUser !== (kind === 'user')) return []
  const isAdded = isGiven === 'grant'
  if (what === 'role') return asked.role === undefined ? [] : [{ isAdded, fact: roleFact(asked.role) }]
  const { object, privileges = [] } = asked
  if (!object) return []
  return privileges.map((privilege) => ({ isAdded, fact: privilegeFact(privilege, objectText(object)) }))
}

const holds = (facts: ReadonlySet<Fact>, { fact }: Turn): boolean =>
  facts.has(fact) || [...facts].some((one) => one.toLowerCase() === fact.toLowerCase())

/** Takes what this window did into account, oldest first. */
function withOwn(before: Noticed, own: readonly Turn[]): Noticed {
  let { pending, reported } = before
  for (const turn of own) {
    const isReported = reported.some((one) => isSame(one, turn))
    // It was seen before it was known whose it is.
    if (isReported) reported = without(reported, turn)
    // What was so already does not come again.
    else if (!before.known || holds(before.known, turn) !== turn.isAdded) pending = [...pending, turn]
  }
  return { ...before, pending, reported }
}

function withFacts(before: Noticed, facts: ReadonlySet<Fact>): Noticed {
  const { known } = before
  if (!known) return { ...before, known: facts }
  let { pending, reported } = before
  const turns: Turn[] = [
    ...[...facts].filter((fact) => !known.has(fact)).map((fact) => ({ isAdded: true, fact })),
    ...[...known].filter((fact) => !facts.has(fact)).map((fact) => ({ isAdded: false, fact })),
  ]
  for (const turn of turns) {
    if (pending.some((one) => isSame(one, turn))) pending = without(pending, turn)
    else reported = [...reported, turn]
  }
  return { ...before, known: facts, pending, reported }
}

export interface Seen {
  /** What this window did since the last own change that was taken into account. */
  readonly own: readonly Turn[]
  readonly lastOwn: number
  /** As they are now. */
  readonly facts: ReadonlySet<Fact> | undefined
}

/** What is noticed now: whatever came or went and this window did not do, others did. */
export function notice(before: Noticed, { own, lastOwn, facts }: Seen): Noticed {
  if (!before.known && !facts) return before
  const taken = lastOwn > before.lastOwn ? { ...withOwn(before, own), lastOwn } : before
  return facts && facts !== taken.known ? withFacts(taken, facts) : taken
}
