import type { Parameter } from '@boathouse/contract/parameters'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useSettled } from '../../../lib/settled.ts'

/** Longer ones are not in the address, which browsers and mails cut. */
const LONGEST_LINK = 2000

/** Of those that have a value. */
function linkOf(parameters: readonly Parameter[]): string {
  const given = parameters.filter(({ value }) => value.length > 0)
  const link = JSON.stringify(Object.fromEntries(given.map(({ name, value }) => [name, value])))
  return given.length === 0 || link.length > LONGEST_LINK ? '' : link
}

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string')

function valuesOf(link: string): ReadonlyMap<string, string[]> {
  try {
    const read: unknown = JSON.parse(link)
    if (typeof read !== 'object' || read === null) return new Map()
    return new Map(Object.entries(read).flatMap(([name, value]) => (isTexts(value) ? [[name, value]] : [])))
  } catch {
    // Cut off or foreign: the query has the values that it was saved with.
    return new Map()
  }
}

/** The address of the page has the values: opened elsewhere, the query has them. */
export function useLinkedValues(
  tabId: string,
  parameters: readonly Parameter[],
  change: (parameter: Parameter) => void,
): void {
  const search: Record<string, unknown> = useSearch({ strict: false })
  const navigate = useNavigate()
  const link = typeof search['values'] === 'string' ? search['values'] : ''
  const [isTaken, setTaken] = useState(false)
  const wanted = linkOf(parameters)
  const settled = useSettled(wanted)
  useEffect(() => {
    if (isTaken) return
    const linked = valuesOf(link)
    for (const parameter of parameters) {
      const value = linked.get(parameter.name)
      if (value && linkOf([{ ...parameter, value }]) !== linkOf([parameter])) change({ ...parameter, value })
    }
    setTaken(true)
    // Once: afterwards the address follows the fields.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [isTaken])
  useEffect(() => {
    if (!isTaken || settled !== wanted || wanted === link || search['activeTab'] !== tabId) return
    const next = (before: Record<string, unknown>) => ({ ...before, values: wanted })
    void navigate({ to: '.', search: next, replace: true })
  }, [isTaken, settled, wanted, link, search, tabId, navigate])
}
