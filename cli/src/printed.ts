type Row = Readonly<Record<string, unknown>>

const textOf = (value: unknown): string => {
  if (value === null || value === undefined) return '–'
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function table(rows: readonly Row[]): string {
  const columns = Object.keys(rows[0] ?? {})
  const lines = [columns, ...rows.map((row) => columns.map((column) => textOf(row[column])))]
  const widths = columns.map((_, at) => Math.max(...lines.map((line) => line[at]?.length ?? 0)))
  return lines
    .map((line) =>
      line
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** Lists as columns, one thing as a line for each of its facts. */
export function printed(output: unknown): string {
  if (Array.isArray(output)) return output.length === 0 ? 'None.' : table(output as Row[])
  const facts = Object.entries(output as Row)
  const width = Math.max(0, ...facts.map(([name]) => name.length))
  return facts.map(([name, value]) => `${name.padEnd(width)}  ${textOf(value)}`).join('\n')
}
