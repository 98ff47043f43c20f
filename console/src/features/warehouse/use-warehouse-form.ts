import { warehouse, type WarehouseDetails } from '@boathouse/contract/warehouse'
import { type RefObject, useState } from 'react'
import { useAction } from '../../lib/api.ts'
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
  readonly errors: DraftErrors
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

/** WH-13: all that makes a warehouse. Nothing typed is lost by a refusal. */
export function useWarehouseForm(
  element: RefObject<HTMLFormElement | null>,
  { existing, onDone, onCancel }: WarehouseFormProps,
): WarehouseFormState {
  const [draft, setDraft] = useState(() => (existing ? draftOf(existing) : NEW_DRAFT))
  const [errors, setErrors] = useState<DraftErrors>({})
  const create = useAction(warehouse.create, { silent: true, refreshes: REFRESHED })
  const update = useAction(warehouse.update, { silent: true, refreshes: REFRESHED })
  const isWorking = create.isPending || update.isPending

  function accepts(fields: readonly (keyof DraftErrors)[]): boolean {
    const checked = checkDraft(draft, existing)
    const found = 'errors' in checked ? checked.errors : {}
    const wrong = fields.filter((field) => field in found)
    setErrors(Object.fromEntries(wrong.map((field) => [field, found[field]])))
    element.current?.querySelector<HTMLInputElement>(`[name=${wrong[0] ?? 'none'}]`)?.focus()
    return wrong.length === 0
  }

  function save(): void {
    const checked = checkDraft(draft, existing)
    if (isWorking || !accepts(FIELDS) || 'errors' in checked) return
    if (!existing) return create.mutate(checked.input, { onSuccess: onDone })
    const edit = editOf(checked.input, existing)
    if (Object.keys(edit).length === 0) return onCancel()
    update.mutate({ warehouseId: existing.warehouseId, ...edit }, { onSuccess: onDone })
  }

  return {
    existing,
    draft,
    errors,
    isWorking,
    refusal: (create.error ?? update.error)?.message,
    change: (part) => setDraft((before) => ({ ...before, ...part })),
    accepts,
    save,
  }
}
