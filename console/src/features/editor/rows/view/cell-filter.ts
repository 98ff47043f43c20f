import { comparing } from './compare-cells.ts'

export type CellTest = (value: string | null) => boolean

const FORM = /^(!=|<>|<=|>=|=|<|>)\s*([^]*)$/

const COMPARED: Readonly<Record<string, (order: number) => boolean>> = {
  '=': (order) => order === 0,
  '!=': (order) => order !== 0,
  '<>': (order) => order !== 0,
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
}

/**
 * What somebody writes to see fewer rows: a part of the value, whatever its letter case; a value behind one of
 * = != < <= > >=; `null` or `not null`. Null when nothing is written.
 */
export function cellTest(written: string, family: string): CellTest | null {
  const text = written.trim()
  if (text === '') return null
  if (/^(?:=\s*)?null$/i.test(text)) return (value) => value === null
  if (/^(?:not|!=|<>)\s*null$/i.test(text)) return (value) => value !== null
  const [, sign = '', operand = ''] = FORM.exec(text) ?? []
  const isHeld = COMPARED[sign]
  if (isHeld) {
    const compare = comparing(family)
    return (value) => value !== null && isHeld(compare(value, operand))
  }
  const wanted = text.toLowerCase()
  return (value) => value !== null && value.toLowerCase().includes(wanted)
}
