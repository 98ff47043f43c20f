import type { Names } from './names.ts'

const KEYWORDS =
  'ALL ALTER ANALYZE AND AS ASC BEGIN BETWEEN BY CASE CAST CATALOG COMMIT CREATE CROSS CURRENT_DATE CURRENT_TIMESTAMP DATABASE DATABASES DELETE DESC DESCRIBE DISTINCT DROP ELSE END EXCEPT EXISTS EXPLAIN FALSE FROM FULL GRANT GROUP HAVING IF ILIKE IN INNER INSERT INTERSECT INTERVAL INTO IS JOIN KEY LATERAL LEFT LIKE LIMIT MATERIALIZED NOT NULL OFFSET ON OR ORDER OUTER OVER PARTITION PRIMARY REFRESH REVOKE RIGHT ROLE ROLLBACK SELECT SET SHOW TABLE TABLES TASK THEN TO TRUE TRUNCATE UNION UPDATE USE USER USING VALUES VIEW VIEWS WAREHOUSE WAREHOUSES WHEN WHERE WINDOW WITH'.split(
    ' ',
  )

/** The name that is being written at the end of a text, with what is before its last point. */
const WRITTEN =
  /((?:[\p{L}_][\p{L}\p{N}_$]*|"(?:[^"]|"")*"|`[^`]*`)\.)*(?:[\p{L}_][\p{L}\p{N}_$]*|"[^"]*|`[^`]*)?$/u
const PART = /[\p{L}_][\p{L}\p{N}_$]*|"(?:[^"]|"")*"|`[^`]*`/gu
const NAMED_TABLE =
  /\b(?:from|join|into|update|table|describe|desc)\s+((?:[\p{L}_][\p{L}\p{N}_$]*|"(?:[^"]|"")*")(?:\.(?:[\p{L}_][\p{L}\p{N}_$]*|"(?:[^"]|"")*"))*)(?:\s+(?:as\s+)?([\p{L}_][\p{L}\p{N}_$]*))?/giu

const bare = (part: string): string => (/^["`]/.test(part) ? part.slice(1, -1).replaceAll('""', '"') : part)

const partsOf = (name: string): string[] => [...name.matchAll(PART)].map(([part]) => bare(part))

/** As it must be written to mean itself. */
const written = (name: string): string =>
  /^[\p{Ll}_][\p{Ll}\p{N}_]*$/u.test(name) && !KEYWORDS.includes(name.toUpperCase())
    ? name
    : `"${name.replaceAll('"', '""')}"`

interface TableNamed {
  readonly parts: readonly string[]
  readonly alias: string | undefined
}

const tablesIn = (text: string): TableNamed[] =>
  [...text.matchAll(NAMED_TABLE)].map(([, name = '', alias]) => ({ parts: partsOf(name), alias }))

const columnsOf = (names: Names, parts: readonly string[]): Promise<string[]> => {
  const [table = '', database, catalog] = parts.toReversed()
  return names.columns(table, database, catalog)
}

async function behindPoint(names: Names, before: readonly string[], text: string): Promise<string[]> {
  const [first = '', second, third] = before
  if (third !== undefined) return columnsOf(names, before)
  if (second !== undefined) {
    const lists = await Promise.all([names.tables(second, first), columnsOf(names, before)])
    return lists.flat()
  }
  const meant = tablesIn(text).find(({ parts, alias }) => alias === first || parts.at(-1) === first)
  const lists = await Promise.all([
    meant ? columnsOf(names, meant.parts) : [],
    names.tables(first),
    (await names.catalogs()).includes(first) ? names.databases(first) : [],
  ])
  return lists.flat()
}

async function anywhere(names: Names, text: string): Promise<string[]> {
  const named = tablesIn(text).slice(0, 8)
  const lists = await Promise.all([
    ...named.map(({ parts }) => columnsOf(names, parts)),
    names.tables(),
    names.databases(),
    names.catalogs(),
  ])
  return lists.flat()
}

/** What can follow at the end of `line`, and what of the line it takes the place of. `before` are the lines above. */
export async function complete(names: Names, line: string, before: string): Promise<[string[], string]> {
  const [whole = ''] = WRITTEN.exec(line) ?? []
  const point = whole.lastIndexOf('.')
  const begun = whole.slice(point + 1)
  const path = partsOf(whole.slice(0, point + 1))
  const text = `${before}\n${line}`
  const found = path.length > 0 ? await behindPoint(names, path, text) : await anywhere(names, text)
  const start = begun.replace(/^["`]/, '').toLowerCase()
  const fitting = found.filter((name) => name.toLowerCase().startsWith(start)).map(written)
  const isLower = begun === begun.toLowerCase()
  const words =
    path.length > 0 || begun === '' || /^["`]/.test(begun)
      ? []
      : KEYWORDS.filter((word) => word.startsWith(begun.toUpperCase())).map((word) =>
          isLower ? word.toLowerCase() : word,
        )
  return [[...new Set([...words, ...fitting])].toSorted(), begun]
}
