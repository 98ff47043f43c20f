/** Of what is pasted; more is a file. */
export const MOST_PASTED = 20_000_000

/** A table as spreadsheets copy it, with tabs between its cells, or as text with commas. */
export function fileOfPasted(text: string, now: number): File {
  const content = `${text.replaceAll('\r\n', '\n').replace(/\n+$/, '')}\n`
  const name = content.includes('\t') ? 'pasted.tsv' : 'pasted.csv'
  return new File([content], name, { type: 'text/plain', lastModified: now })
}
