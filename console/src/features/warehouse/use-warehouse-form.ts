import { warehouse, type WarehouseDetails } from '@boathouse/contract/warehouse'
import { type RefObject, useState } from 'react'
import { useAction } from '../../lib/api.ts'
import { useProblems } from '../../ui/index.ts'
import {
  checkDraft,
  type DraftErrors,
  draftOf,
  editOf,
  NEW_DRAFT,
  type WarehouseDraft,
} from './warehouse-draft.ts'

export interface WarehouseFormProps {
  /** Missing: a new one is made. */
  readonly existing?: WarehouseDetails | undefined
  readonly onDone: (saved: { readonly warehouseId: string; readonly name: string }) => void
  readonly onCancel: () => void
}

export interface WarehouseFormState {
  readonly existing: WarehouseDetails | undefined
  readonly draft: WarehouseDraft
  /** What is wrong with a field, once it was left. */
  readonly watched: ReturnType<typeof useProblems>['of']
  readonly isWorking: boolean
  /** Why the service did not take it. */
  readonly refusal: string | undefined
  readonly change: (part: Partial<WarehouseDraft>) => void
  /** False when one of these fields is wrong: it says so and has the focus. */
  readonly accepts: (fields: readonly (keyof DraftErrors)[]) => boolean
  readonly save: () => void
}

const REFRESHED = [warehouse.list, warehouse.describe, warehouse.activity]
const FIELDS: readonly (keyof DraftErrors)[] = ['name', 'description', 'size', 'idleMinutes']

/** All that makes a warehouse. Nothing typed is lost by a refusal. */
export function useWarehouseForm(
  element: RefObject<HTMLFormElement | null>,
  { existing, onDone, onCancel }: WarehouseFormProps,
): WarehouseFormState {
  const [draft, setDraft] = useState(() => (existing ? draftOf(existing) : NEW_DRAFT))
  const checked = checkDraft(draft, existing)
  const found: DraftErrors = 'errors' in checked ? checked.errors : {}
  const problems = useProblems(found)
  const create = useAction(warehouse.create, { silent: true, refreshes: REFRESHED })
  const update = useAction(warehouse.update, { silent: true, refreshes: REFRESHED })
  const isWorking = create.isPending || update.isPending

  function accepts(fields: readonly (keyof DraftErrors)[]): boolean {
    const wrong = fields.find((field) => field in found)
    element.current?.querySelector<HTMLInputElement>(`[name=${wrong ?? 'none'}]`)?.focus()
    return problems.accept(fields)
  }

  function save(): void {
    if (isWorking || !accepts(FIELDS) || 'errors' in checked) return
    if (!existing) return create.mutate(checked.input, { onSuccess: onDone })
    const edit = editOf(checked.input, existing)
    if (Object.keys(edit).length === 0) return onCancel()
    update.mutate({ warehouseId: existing.warehouseId, ...edit }, { onSuccess: onDone })
  }

  return {
    existing,
    draft,
    watched: problems.of,
    isWorking,
    refusal: (create.error ?? update.error)?.message,
    change: (part) => setDraft((before) => ({ ...before, ...part })),
    accepts,
    save,
  }
}
