/**
 * SQL's LIKE: % is any text, _ any character, letter case ignored. Takes the length of the text times that of the
 * pattern at most, which no regular expression promises for a pattern of a stranger.
 */
export function likeMatcher(pattern: string | undefined): (text: string) => boolean {
  if (pattern === undefined) return () => true
  const wanted = Array.from(pattern.toLowerCase().replaceAll(/%+/g, '%'))
  return (text) => matches(text, wanted)
}

function matches(text: string, wanted: readonly string[]): boolean {
  const given = Array.from(text.toLowerCase())
  let at = 0
  let next = 0
  // Where to retry when the rest does not match: behind the last %, one character further.
  let afterAny = -1
  let retryAt = 0
  while (at < given.length) {
    if (wanted[next] === '%') {
      afterAny = ++next
      retryAt = at
    } else if (wanted[next] === '_' || wanted[next] === given[at]) {
      at++
      next++
    } else if (afterAny >= 0) {
      next = afterAny
      at = ++retryAt
    } else return false
  }
  return wanted.slice(next).every((character) => character === '%')
}
