/** More digits than a JavaScript number is sure to keep. */
const MAY_BE_LONG = /\d{16}/
/** No part of a fraction or of an exponent. */
const LONG_INTEGER = /(?<![\d.eE+-])-?\d{16,}(?![\d.eE])/g

/** JSON as a value in which whole numbers of many digits are texts, with every digit. `JSON.parse` would round them. */
export const parseExactly = (text: string): unknown =>
  JSON.parse(MAY_BE_LONG.test(text) ? withLongIntegersAsTexts(text) : text)

function withLongIntegersAsTexts(json: string): string {
  const parts: string[] = []
  for (let at = 0; at < json.length;) {
    const opens = json.indexOf('"', at)
    const until = opens === -1 ? json.length : opens
    parts.push(json.slice(at, until).replace(LONG_INTEGER, '"$&"'))
    at = opens === -1 ? json.length : endOfText(json, opens)
    if (at > until) parts.push(json.slice(until, at))
  }
  return parts.join('')
}

/** Behind the quote that closes the text which is opened there. */
function endOfText(json: string, opens: number): number {
  for (let at = opens + 1; ;) {
    const quote = json.indexOf('"', at)
    if (quote === -1) return json.length
    let escapes = 0
    while (json[quote - 1 - escapes] === '\\') escapes++
    if (escapes % 2 === 0) return quote + 1
    at = quote + 1
  }
}
