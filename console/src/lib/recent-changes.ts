import { API_PREFIX, type Call } from '@boathouse/contract/call'
import type { QueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { watchLogin } from './login-watch.ts'
import { logToConsole } from './console-log.ts'
import { personOf } from './session-values.ts'
import { session } from './session.ts'

/** Something that was changed by a call of this window, in a form that can be shown again. */
export interface Change {
  readonly id: number
  readonly at: number
  readonly summary: string
  readonly method: Call['method']
  readonly path: Call['path']
  readonly address: string
  readonly toCentral: boolean
  /** Without secrets. */
  readonly input: unknown
  /** Of the warehouse that the input names by its id; SQL has names alone. */
  readonly warehouse: string | null
}

const MOST = 50
/** Stands for what must not be seen again. */
export const SECRET = '••••••••'
const SECRET_NAME = /password|secret|token/i

export function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      SECRET_NAME.test(name) && typeof inner === 'string' && inner !== '' ? SECRET : withoutSecrets(inner),
    ]),
  )
}

/** Of this window alone, and gone with it. */
const KEPT = 'boathouse.changes'

interface Kept {
  readonly person: string
  readonly changes: readonly Change[]
}

/** What the same person did in this window before it was loaded again. */
function readKept(): readonly Change[] {
  try {
    const kept = JSON.parse(window.sessionStorage.getItem(KEPT) ?? 'null') as Kept | null
    return kept && kept.person === personOf(session.get()) ? kept.changes : []
  } catch (error) {
    logToConsole('The changes of this window cannot be read; they are treated as absent.', error)
    return []
  }
}

function keep(next: readonly Change[]): void {
  const person = personOf(session.get())
  try {
    if (next.length === 0 || person === null) window.sessionStorage.removeItem(KEPT)
    else window.sessionStorage.setItem(KEPT, JSON.stringify({ person, changes: next } satisfies Kept))
  } catch (error) {
    logToConsole(
      'The changes of this window cannot be stored; they are kept until it is loaded again.',
      error,
    )
  }
}

let changes: readonly Change[] = readKept()
let lastId = Math.max(0, ...changes.map(({ id }) => id))
const listeners = new Set<() => void>()

function become(next: readonly Change[]): void {
  changes = next
  keep(next)
  for (const listener of listeners) listener()
}

/** The console itself makes silent calls; they are nobody's doing. */
export function recordChange(call: Call, input: unknown, queries?: QueryClient): void {
  if (call.silent || call.needs === 'nothing') return
  const { summary, method, path, toCentral } = call
  const change: Change = {
    id: ++lastId,
    at: Date.now(),
    summary,
    method,
    path,
    address: API_PREFIX + path,
    toCentral,
    input: withoutSecrets(input),
    warehouse: queries ? warehouseNamed(queries, input) : null,
  }
  become([change, ...changes].slice(0, MOST))
}

interface KnownWarehouse {
  readonly warehouseId?: unknown
  readonly name?: string
}

/** Its name when it was changed, from what is on the screen. */
function warehouseNamed(queries: QueryClient, input: unknown): string | null {
  const { warehouseId } = (input ?? {}) as KnownWarehouse
  if (warehouseId === undefined) return null
  const known = queries.getQueriesData<KnownWarehouse & { warehouses?: KnownWarehouse[] }>({})
  return (
    known
      .flatMap(([, data]) => (data ? [data, ...(data.warehouses ?? [])] : []))
      .find((one) => one.warehouseId === warehouseId && one.name !== undefined)?.name ?? null
  )
}

export const forgetChanges = (): void => become([])

// What one person did is not for the next.
watchLogin(session, ({ isSamePerson }) => {
  if (!isSamePerson) forgetChanges()
})

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Newest first. */
export const useRecentChanges = (): readonly Change[] => useSyncExternalStore(subscribe, () => changes)
