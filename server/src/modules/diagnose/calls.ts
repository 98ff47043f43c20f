import { diagnose } from '@boathouse/contract'
import { implement } from '../../kernel/implement.ts'
import type { Diagnoses } from './service.ts'

export const diagnoseCalls = (diagnoses: Diagnoses) =>
  implement(diagnose, {
    statement: ({ actor }, { queryId }) => diagnoses.statement(actor, queryId),
    warehouse: ({ actor }, { warehouseId }) => diagnoses.warehouse(actor, warehouseId),
  })
