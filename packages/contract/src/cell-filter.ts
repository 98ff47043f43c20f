/** What somebody wrote to see fewer rows, understood: console and service leave out the same ones. */
export type CellFilter =
  | { readonly kind: 'null'; readonly isNull: boolean }
  | { readonly kind: 'compare'; readonly sign: ComparingSign; readonly operand: string }
  | { readonly kind: 'contains'; readonly text: string }

export type ComparingSign = '=' | '!=' | '<' | '<=' | '>' | '>='

const FORM = /^(!=|<>|<=|>=|=|<|>)\s*([^]*)$/

/**
 * A part of the value, whatever its letter case; a value behind one of = != < <= > >=; `null` or `not null`. Null when
 * nothing is written.
 */
export function readCellFilter(written: string): CellFilter | null {
  const text = written.trim()
  if (text === '') return null
  if (/^(?:=\s*)?null$/i.test(text)) return { kind: 'null', isNull: true }
  if (/^(?:not|!=|<>)\s*null$/i.test(text)) return { kind: 'null', isNull: false }
  const [, sign, operand = ''] = FORM.exec(text) ?? []
  if (sign === undefined) return { kind: 'contains', text }
  return { kind: 'compare', sign: (sign === '<>' ? '!=' : sign) as ComparingSign, operand }
}
