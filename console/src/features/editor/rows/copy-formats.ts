import { quoteIdentifier, quoteString } from '@boathouse/sql'
import { tableToTsv } from '../../../ui/grid/grid-tsv.ts'

export const COPY_FORMATS = ['tsv', 'csv', 'json', 'markdown', 'insert', 'inList'] as const
export type CopyFormat = (typeof COPY_FORMATS)[number]

export interface CopiedRows {
  readonly columns: readonly { readonly name: string; readonly family: string }[]
  readonly rows: readonly (readonly (string | null)[])[]
}

const csvField = (value: string | null): string => {
  if (value === null) return ''
  return value === '' || /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value
}

/** A number is copied unchanged, so that no digit is lost; JSON and SQL know no other forms. */
const isPlainNumber = (value: string): boolean => /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(value)

function jsonValue(value: string | null, family: string): string {
  if (value === null) return 'null'
  if (family === 'number' && isPlainNumber(value)) return value
  if (family === 'boolean' && /^(?:true|false)$/i.test(value)) return value.toLowerCase()
  return JSON.stringify(value)
}

function sqlValue(value: string | null, family: string): string {
  if (value === null) return 'NULL'
  return family === 'number' && isPlainNumber(value) ? value : quoteString(value)
}

const cellOfMarkdown = (value: string | null): string =>
  (value ?? 'NULL').replaceAll('\\', '\\\\').replaceAll('|', '\\|').replaceAll(/\r?\n/g, '<br>')

const lineOfMarkdown = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`

const FORMATS: Readonly<Record<CopyFormat, (copied: CopiedRows) => string>> = {
  tsv: ({ columns, rows }) =>
    tableToTsv(
      columns.map(({ name }) => name),
      rows,
    ),
  csv: ({ columns, rows }) =>
    [columns.map(({ name }) => csvField(name)), ...rows.map((row) => row.map(csvField))]
      .map((line) => line.join(','))
      .join('\n'),
  json: ({ columns, rows }) => {
    const objects = rows.map(
      (row) =>
        `{${columns.map(({ name, family }, at) => `${JSON.stringify(name)}: ${jsonValue(row[at] ?? null, family)}`).join(', ')}}`,
    )
    return `[\n  ${objects.join(',\n  ')}\n]`
  },
  markdown: ({ columns, rows }) =>
    [
      lineOfMarkdown(columns.map(({ name }) => cellOfMarkdown(name))),
      lineOfMarkdown(columns.map(({ family }) => (family === 'number' ? '--:' : '---'))),
      ...rows.map((row) => lineOfMarkdown(row.map(cellOfMarkdown))),
    ].join('\n'),
  insert: ({ columns, rows }) => {
    const names = columns.map(({ name }) => quoteIdentifier(name)).join(', ')
    const values = rows.map(
      (row) => `(${columns.map(({ family }, at) => sqlValue(row[at] ?? null, family)).join(', ')})`,
    )
    return `INSERT INTO table_name (${names}) VALUES\n  ${values.join(',\n  ')};`
  },
  inList: ({ columns, rows }) => {
    const values = new Set(
      rows.flatMap((row) => row.map((value, at) => sqlValue(value, columns[at]?.family ?? ''))),
    )
    values.delete('NULL')
    return `(${[...values].join(', ')})`
  },
}

/** Rows as a text: tables for spreadsheets and documents, JSON, or SQL. */
export const copyAs = (format: CopyFormat, copied: CopiedRows): string => FORMATS[format](copied)
