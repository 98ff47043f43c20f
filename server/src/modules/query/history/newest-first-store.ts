import type { SelectQueryBuilder } from 'kysely'
import type { Schema } from '../../../store/schema.ts'

export const newestFirst = <O>(rows: SelectQueryBuilder<Schema, 'statements', O>) =>
  rows.orderBy('accepted_at', 'desc').orderBy('query_id', 'desc')
