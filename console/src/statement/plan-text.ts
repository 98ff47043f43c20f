import { formatDuration } from '../lib/format.ts'
import type { PlanNode } from './plan-node.ts'
import { planRows } from './plan-rows.ts'

/** The tree in lines that can be copied. */
export const planText = (root: PlanNode): string =>
  planRows(root)
    .map(({ node: { operator, detail, timeMs, rows }, rails }) => {
      const figures = [
        timeMs === null ? '' : formatDuration(timeMs),
        rows === null ? '' : `${rows} rows`,
      ].filter(Boolean)
      const parts = [
        operator,
        detail.replaceAll('\n', ' '),
        figures.length > 0 ? `(${figures.join(', ')})` : '',
      ]
      return `${'  '.repeat(rails.length)}${parts.filter(Boolean).join(' ')}`
    })
    .join('\n')
