/** The texts of the members of a JSON object, as they are written: numbers of any length stay what they are. Throws. */
export function rawMembers(text: string): Map<string, string> {
  const members = new Map<string, string>()
  let at = skipSpace(text, 0)
  if (text[at] !== '{') throw new SyntaxError('This is no JSON object.')
  at = skipSpace(text, at + 1)
  while (text[at] !== '}') {
    const nameEnd = endOfString(text, at)
    const colon = skipSpace(text, nameEnd)
    if (text[colon] !== ':') throw new SyntaxError('A member has no value.')
    const start = skipSpace(text, colon + 1)
    const end = endOfValue(text, start)
    members.set(String(JSON.parse(text.slice(at, nameEnd))), text.slice(start, end).trim())
    at = text[end] === ',' ? skipSpace(text, end + 1) : end
  }
  return members
}

function skipSpace(text: string, from: number): number {
  let at = from
  while (at < text.length && text.charCodeAt(at) <= 0x20) at++
  return at
}

function endOfString(text: string, from: number): number {
  if (text[from] !== '"') throw new SyntaxError('The name of a member has no quotes.')
  for (let at = from + 1; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === '"') return at + 1
  }
  throw new SyntaxError('A text has no end.')
}

/** The comma or bracket behind it. */
function endOfValue(text: string, from: number): number {
  let depth = 0
  for (let at = from; at < text.length; at++) {
    const character = text[at]
    if (character === '"') at = endOfString(text, at) - 1
    else if (character === '{' || character === '[') depth++
    else if ((character === '}' || character === ']') && depth-- === 0) return at
    else if (character === ',' && depth === 0) return at
  }
  throw new SyntaxError('A value has no end.')
}
