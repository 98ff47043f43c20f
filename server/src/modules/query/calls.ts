import { query } from '@boathouse/contract'
import { implement } from '../../kernel/implement.ts'
import type { History } from './history.ts'
import type { Results } from './results.ts'
import { shortened } from './shortened.ts'

export const queryCalls = ({ results, history }: { results: Results; history: History }) =>
  implement(query, {
    resultWindow: async ({ actor }, { queryId, ...window }) => {
      const read = await results.window(actor, queryId, window)
      const { columns, totalRows, complete, expiresAt } = read
      const { rows, longCells } = shortened(read.rows)
      return {
        fields: [...columns],
        rows,
        longCells: [...(read.longCells ?? []), ...longCells],
        totalRows,
        complete,
        expiresAt,
      }
    },
    resultCell: ({ actor }, { queryId, ...place }) => results.cell(actor, queryId, place),
    exportResult: ({ actor }, { queryId, format }) => results.export(actor, queryId, format),
    history: ({ actor }, page) => history.list(actor, page),
    detail: ({ actor }, { queryId }) => history.detail(actor, queryId),
  })
