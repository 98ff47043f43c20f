/** Stand for themselves: a backslash before one of them takes its meaning away. */
const ANY_TEXT = Symbol('any text')
const ANY_CHARACTER = Symbol('any character')
type Wanted = string | typeof ANY_TEXT | typeof ANY_CHARACTER

/**
 * SQL's LIKE: % is any text, _ any character, letter case ignored; a backslash before them makes them letters as others.
 * Takes the length of the text times that of the pattern at most, which no regular expression promises for a pattern of a
 * stranger.
 */
export function likeMatcher(pattern: string | undefined): (text: string) => boolean {
  if (pattern === undefined) return () => true
  const wanted = wantedIn(pattern)
  return (text) => matches(text, wanted)
}

function wantedIn(pattern: string): readonly Wanted[] {
  const wanted: Wanted[] = []
  const letters = Array.from(pattern.toLowerCase())
  for (let at = 0; at < letters.length; at++) {
    const [letter = '', next = ''] = [letters[at], letters[at + 1]]
    if (letter === '\\' && (next === '%' || next === '_' || next === '\\')) {
      wanted.push(next)
      at++
    } else if (letter === '%') {
      if (wanted.at(-1) !== ANY_TEXT) wanted.push(ANY_TEXT)
    } else wanted.push(letter === '_' ? ANY_CHARACTER : letter)
  }
  return wanted
}

function matches(text: string, wanted: readonly Wanted[]): boolean {
  const given = Array.from(text.toLowerCase())
  let at = 0
  let next = 0
  // Where to retry when the rest does not match: behind the last %, one character further.
  let afterAny = -1
  let retryAt = 0
  while (at < given.length) {
    if (wanted[next] === ANY_TEXT) {
      afterAny = ++next
      retryAt = at
    } else if (wanted[next] === ANY_CHARACTER || wanted[next] === given[at]) {
      at++
      next++
    } else if (afterAny >= 0) {
      next = afterAny
      at = ++retryAt
    } else return false
  }
  return wanted.slice(next).every((one) => one === ANY_TEXT)
}
