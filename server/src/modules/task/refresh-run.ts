import type { RunReason } from '@boathouse/contract'
import { timeOrderedId } from '../../kernel/time-ordered-id.ts'
import type { RunRow } from './run-store.ts'
import type { ViewRow } from './view-store.ts'

/** A run of a materialized view, before it has started. */
export function runOf(
  view: ViewRow,
  { reason, definition, by, at }: { reason: RunReason; definition: string; by: string | null; at: Date },
): RunRow {
  return {
    run_id: timeOrderedId(),
    account_id: view.account_id,
    view_id: view.view_id,
    task_id: null,
    task_name: view.name,
    user_id: view.owner_id,
    started_by: by,
    reason,
    catalog: view.home_catalog,
    database: view.home_database,
    warehouse_id: view.warehouse_id,
    definition,
    state: 'pending',
    query_id: null,
    row_count: null,
    error: '',
    created_at: at,
    ended_at: null,
  }
}
