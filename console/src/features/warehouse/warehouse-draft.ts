import { type Sent } from '@boathouse/contract/call'
import { DEFAULT_IDLE_MINUTES, warehouse, type WarehouseDetails } from '@boathouse/contract/warehouse'

/** What the form holds: texts as typed. */
export interface WarehouseDraft {
  readonly name: string
  readonly description: string
  readonly size: WarehouseDetails['size']
  /** By its id; null: the one that the service chooses. */
  readonly engine: string | null
  readonly suspends: boolean
  readonly idleMinutes: string
  readonly autoResume: boolean
}

export type DraftErrors = Partial<Record<'name' | 'description' | 'size' | 'idleMinutes', string>>

export const NEW_DRAFT: WarehouseDraft = {
  name: '',
  description: '',
  size: 'X-Small',
  engine: null,
  suspends: true,
  idleMinutes: String(DEFAULT_IDLE_MINUTES),
  autoResume: true,
}

export const draftOf = (existing: WarehouseDetails): WarehouseDraft => ({
  name: existing.name,
  description: existing.description,
  size: existing.size,
  engine: existing.engine.id,
  suspends: existing.idleMinutes !== null,
  idleMinutes: String(existing.idleMinutes ?? DEFAULT_IDLE_MINUTES),
  autoResume: existing.autoResume,
})

/** An empty or odd text is not a number, and counts as a missing idle time. */
const minutesOf = (text: string): number => (/^\d+$/.test(text.trim()) ? Number(text) : Number.NaN)

export type CreateInput = Sent<typeof warehouse.create>

const inputOf = (draft: WarehouseDraft): CreateInput => ({
  name: draft.name.trim(),
  description: draft.description,
  size: draft.size,
  ...(draft.engine !== null && { engine: draft.engine }),
  idleMinutes: draft.suspends ? minutesOf(draft.idleMinutes) : null,
  autoResume: draft.autoResume,
})

/** By the same rules, with the same words, as the service; `known` keeps its name, whatever that is. */
export function checkDraft(
  draft: WarehouseDraft,
  known?: WarehouseDetails,
): { readonly input: CreateInput } | { readonly errors: DraftErrors } {
  const input = inputOf(draft)
  const parsed = warehouse.create.input.safeParse(input)
  const issues = (parsed.error?.issues ?? []).filter(
    ({ path }) => path[0] !== 'name' || input.name !== known?.name,
  )
  if (issues.length === 0) return { input }
  const errors: Record<string, string> = {}
  for (const { path, message } of issues) errors[String(path[0])] ??= message
  return { errors }
}

/** Only the differences: omitted values stay unchanged, even if another user has changed them. */
export function editOf(
  input: CreateInput,
  known: WarehouseDetails,
): Omit<Sent<typeof warehouse.update>, 'warehouseId'> {
  const before = inputOf(draftOf(known))
  return Object.fromEntries(
    Object.entries(input).filter(([key, value]) => value !== before[key as keyof CreateInput]),
  )
}
