/** The Markdown that our guide is written in: headings, paragraphs, lists, tables, code, pictures and lines within them. */

export type Inline =
  | { readonly kind: 'text' | 'code' | 'strong' | 'emphasis'; readonly text: string }
  | { readonly kind: 'link'; readonly text: string; readonly to: string }

export type Line = readonly Inline[]

export type Block =
  | { readonly kind: 'heading'; readonly level: number; readonly id: string; readonly line: Line }
  | { readonly kind: 'paragraph'; readonly line: Line }
  /** In a line of its own; `name` is that of the file. */
  | { readonly kind: 'picture'; readonly name: string; readonly text: string }
  | { readonly kind: 'code'; readonly language: string; readonly text: string }
  | { readonly kind: 'list'; readonly ordered: boolean; readonly items: readonly Line[] }
  | { readonly kind: 'table'; readonly head: readonly Line[]; readonly rows: readonly (readonly Line[])[] }

const INLINE = /`([^`]+)`|\*\*([^*]+)\*\*|\*([^*]+)\*|\[([^\]]+)\]\(([^)\s]+)\)/g

export function readLine(text: string): Line {
  const parts: Inline[] = []
  let end = 0
  const plain = (until: number) => {
    if (until > end) parts.push({ kind: 'text', text: text.slice(end, until) })
  }
  for (const match of text.matchAll(INLINE)) {
    plain(match.index)
    end = match.index + match[0].length
    const [, code, strong, emphasis, link, to] = match
    if (code !== undefined) parts.push({ kind: 'code', text: code })
    else if (strong !== undefined) parts.push({ kind: 'strong', text: strong })
    else if (emphasis !== undefined) parts.push({ kind: 'emphasis', text: emphasis })
    else if (link !== undefined && to !== undefined)
      parts.push({ kind: 'link', text: link.replaceAll(/[`*]/g, ''), to })
  }
  plain(text.length)
  return parts
}

/** As links name a heading: lower case, without signs, words joined by a dash. */
export const idOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s-]/gu, '')
    .trim()
    .replaceAll(/\s+/g, '-')

const PICTURE = /^!\[([^\]]+)\]\((?:[^)]*\/)?([\w-]+)\.webp\)$/
const LIST_ITEM = /^(?:[-*]|(\d+)\.)\s+(.*)$/

/** A bar in code, or after a backslash, divides no cells. */
const cellsOf = (row: string): Line[] =>
  (
    row
      .trim()
      .replace(/^\|/, '')
      .replace(/\|$/, '')
      .match(/(?:`[^`]*`|\\\||[^|])+/g) ?? []
  ).map((cell) => readLine(cell.trim().replaceAll('\\|', '|')))

const isTableRow = (line: string | undefined): boolean => line !== undefined && line.startsWith('|')

function startsBlock(line: string): boolean {
  return line.trim() === '' || /^(#{1,6}\s|```|\|)/.test(line) || LIST_ITEM.test(line)
}

export function readMarkdown(source: string): readonly Block[] {
  const lines = source.split(/\r?\n/)
  const blocks: Block[] = []
  let at = 0
  /** Lines up to the next block, as one. */
  const takeText = (first: string): string => {
    const taken = [first.trim()]
    for (; at < lines.length && !startsBlock(lines[at] ?? ''); at++) taken.push((lines[at] ?? '').trim())
    return taken.join(' ')
  }
  while (at < lines.length) {
    const line = lines[at++] ?? ''
    const heading = /^(#{1,6})\s+(.*)$/.exec(line)
    const item = LIST_ITEM.exec(line)
    const [, pictured, picture] = PICTURE.exec(line.trim()) ?? []
    if (line.trim() === '') continue
    if (heading) {
      const [, marks = '', text = ''] = heading
      blocks.push({ kind: 'heading', level: marks.length, id: idOf(text), line: readLine(text) })
    } else if (pictured !== undefined && picture !== undefined) {
      blocks.push({ kind: 'picture', name: picture, text: pictured })
    } else if (line.startsWith('```')) {
      const from = at
      while (at < lines.length && !lines[at]?.startsWith('```')) at++
      blocks.push({ kind: 'code', language: line.slice(3).trim(), text: lines.slice(from, at).join('\n') })
      at++
    } else if (isTableRow(line) && /^\|[\s:|-]+\|?$/.test(lines[at] ?? '')) {
      const from = ++at
      while (isTableRow(lines[at])) at++
      blocks.push({ kind: 'table', head: cellsOf(line), rows: lines.slice(from, at).map(cellsOf) })
    } else if (item) {
      const items = [readLine(takeText(item[2] ?? ''))]
      for (let next = LIST_ITEM.exec(lines[at] ?? ''); next; next = LIST_ITEM.exec(lines[at] ?? '')) {
        at++
        items.push(readLine(takeText(next[2] ?? '')))
      }
      blocks.push({ kind: 'list', ordered: item[1] !== undefined, items })
    } else blocks.push({ kind: 'paragraph', line: readLine(takeText(line)) })
  }
  return blocks
}
