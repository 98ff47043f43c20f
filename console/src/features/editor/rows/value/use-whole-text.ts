import { query } from '@boathouse/contract/query'
import type { Field } from '@boathouse/contract/realtime'
import { useCall } from '../../../../lib/api.ts'

/** More would only be slow to lay out; what is copied is the whole. */
export const LONGEST_SHOWN = 200_000

/** One value of a result, as far as it is here. */
export interface OpenedCell {
  readonly queryId: string
  readonly isKept: boolean
  /** Place in the original order, counted from 0. */
  readonly row: number
  readonly column: number
  readonly field: Field
  readonly value: string | null
  /** True length in characters; undefined when all of it is here. */
  readonly length: number | undefined
}

const isElsewhere = ({ length, isKept }: OpenedCell): boolean => length !== undefined && isKept

/** What is here, or else what is kept, as far as one answer carries it; undefined while it is not loaded. */
export function useWholeText(cell: OpenedCell | null, isOpen: boolean) {
  const { queryId = '', row = 0, column = 0 } = cell ?? {}
  const isNeeded = cell !== null && isElsewhere(cell)
  const options = { enabled: isOpen && isNeeded, staleTime: Infinity, silent: true }
  const whole = useCall(query.resultCell, { queryId, row, column }, options)
  const text = isNeeded ? whole.data?.text : cell?.value
  const isPart = isNeeded && (whole.data?.length ?? 0) > (text?.length ?? 0)
  return { whole, text, isPart }
}
