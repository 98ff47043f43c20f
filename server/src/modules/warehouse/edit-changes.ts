import type { WarehouseEdit } from '@boathouse/contract'
import type { WarehouseChange, WarehouseRow } from './store.ts'

/** What of an edit is a change, as columns and in words. */
export function changesOf(
  row: WarehouseRow,
  edit: WarehouseEdit,
): { change: WarehouseChange; detail: string } {
  const change: WarehouseChange = {}
  const words: string[] = []
  if (edit.name !== undefined && edit.name !== row.name) {
    change.name = edit.name
    words.push(`renamed from ${row.name} to ${edit.name}`)
  }
  if (edit.description !== undefined && edit.description !== row.description) {
    change.description = edit.description
    words.push('description changed')
  }
  if (edit.idleMinutes !== undefined && edit.idleMinutes !== row.auto_suspend_minutes) {
    change.auto_suspend_minutes = edit.idleMinutes
    words.push(edit.idleMinutes === null ? 'auto-suspend off' : `auto-suspend after ${edit.idleMinutes} min`)
  }
  if (edit.autoResume !== undefined && edit.autoResume !== row.auto_resume) {
    change.auto_resume = edit.autoResume
    words.push(edit.autoResume ? 'auto-resume on' : 'auto-resume off')
  }
  return { change, detail: words.join(', ') }
}
