import type { Kysely } from 'kysely'
import { catalogName } from '../../store/catalog-ids.ts'
import type { Schema } from '../../store/schema.ts'
import type { RunRow } from './run-store.ts'

export const OPEN = ['pending', 'running'] as const

export const toRun = (row: object): RunRow => row as RunRow

export const runsIn = (db: Kysely<Schema>) =>
  db.selectFrom('task_runs').selectAll('task_runs').select(catalogName('task_runs').as('catalog'))
