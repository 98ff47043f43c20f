import { Lexer, TOKEN } from '@boathouse/sql'

interface Part {
  readonly kind: number
  readonly text: string
  /** Blanks and line breaks before it. */
  readonly gap: string
}

function partsOf(sql: string): Part[] {
  const lexer = new Lexer(sql)
  const parts: Part[] = []
  let gap = ''
  while (lexer.next()) {
    const text = sql.slice(lexer.start, lexer.end)
    if (lexer.kind === TOKEN.whitespace) gap += text
    else {
      // Lines of a comment may be indented in another way.
      const isComment = lexer.kind === TOKEN.comment
      parts.push({ kind: lexer.kind, text: isComment ? text.replaceAll(/\s+/g, ' ').trim() : text, gap })
      gap = ''
    }
  }
  return parts
}

/** Where white space itself means something: `x'ff'` is one literal, and 'a' 'b' on two lines is one text. */
const gapMeans = (before: Part | undefined, { kind, gap }: Part): string => {
  if (kind !== TOKEN.string || before === undefined) return ''
  if (before.kind === TOKEN.word && before.text.length <= 2) return gap === '' ? 'joined' : 'apart'
  return before.kind === TOKEN.string && gap.includes('\n') ? 'continued' : ''
}

/** Whether two texts differ in white space alone, and only where it means nothing. */
export function isSameMeaning(one: string, other: string): boolean {
  const [parts, others] = [partsOf(one), partsOf(other)]
  return (
    parts.length === others.length &&
    parts.every((part, at) => {
      const twin = others[at]
      return (
        twin !== undefined &&
        part.kind === twin.kind &&
        part.text === twin.text &&
        gapMeans(parts[at - 1], part) === gapMeans(others[at - 1], twin)
      )
    })
  )
}
