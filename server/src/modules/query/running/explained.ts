import { LIMITS } from '@boathouse/contract'
import type { ResultRows } from '../../../engines/engine/rows.ts'
import type { Ending } from './ending.ts'

/** A plan that is longer is neither shown as a whole nor written down. */
export const LONGEST_PLAN = LIMITS.cellPartLength

/** A plan is one text, whether the engine answers it line by line or as rows of a name and a text. */
const textOf = ({ rows }: ResultRows): string => rows.map((row) => row.at(-1) ?? '').join('\n')

/** Cells travel only so long; lines of a plan are short. */
function inLines(result: ResultRows, text: string): ResultRows {
  const rows = text.split('\n').map((line) => [line])
  return { ...result, columns: result.columns.slice(-1), rows }
}

/** What an EXPLAIN answered, whole and to be written down. */
export function withPlan(ending: Ending): Ending {
  const { result } = ending
  const text = result && textOf(result)
  if (!result || !text || text.length > LONGEST_PLAN) return ending
  return { ...ending, plan: text, result: text.length > LIMITS.cellLength ? inLines(result, text) : result }
}
