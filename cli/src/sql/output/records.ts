import type { Field, Row } from '@boathouse/client/public/index'

/** An empty text is "", NULL is nothing; in a single column NULL is "" too, since readers skip empty lines. */
function csvValue(value: string | null, isOnly: boolean): string {
  if (value === null) return isOnly ? '""' : ''
  return value === '' || /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value
}

export const csvLine = (values: Row): string =>
  `${values.map((value) => csvValue(value, values.length === 1)).join(',')}\n`

/** Of several columns with one name, the later ones get a number. */
export function uniqueNames(fields: readonly Field[]): string[] {
  const taken = new Set<string>()
  return fields.map(({ name }) => {
    let own = name
    for (let number = 2; taken.has(own); number++) own = `${name}_${number}`
    taken.add(own)
    return own
  })
}

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/** Beyond ASCII's, there are controls that JSON leaves as they are. */
const jsonText = (text: string): string =>
  JSON.stringify(text).replaceAll(
    /[\u007f-\u009f\u2028\u2029]/g,
    (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

/** A number keeps its digits: it is written as it is, not read and written again. */
function jsonValue(value: string | null, { family }: Field): string {
  if (value === null) return 'null'
  if (family === 'number' && NUMBER.test(value)) return value
  return family === 'boolean' && /^(?:true|false)$/.test(value) ? value : jsonText(value)
}

export const jsonObject = (fields: readonly Field[], names: readonly string[], row: Row): string =>
  `{${fields.map((field, at) => `${jsonText(names[at] ?? '')}:${jsonValue(row[at] ?? null, field)}`).join(',')}}`
