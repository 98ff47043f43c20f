/** Names that people read, and that must not be taken for another's. */

const LATIN = /\p{Script=Latin}/u
/** Their letters are written together, and beside Latin ones. */
const EAST_ASIAN =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}]/u
const OTHER = ['Cyrillic', 'Greek', 'Armenian', 'Cherokee', 'Coptic', 'Georgian', 'Hebrew', 'Arabic'].map(
  (script) => new RegExp(`\\p{Script=${script}}`, 'u'),
)
const LETTER = /\p{L}/u

/** What nobody sees, what turns the direction of the text, and what is drawn over the letter before it. */
const UNSEEN = /[\p{C}\p{Z}\p{M}\p{Variation_Selector}]/u
const SPACE = / /g
const DIGIT_ELSEWHERE = /(?![0-9])\p{N}/u

function scriptsIn(name: string): ReadonlySet<string> {
  const scripts = new Set<string>()
  for (const letter of name) {
    if (!LETTER.test(letter)) continue
    if (LATIN.test(letter)) scripts.add('Latin')
    else if (EAST_ASIAN.test(letter)) scripts.add('East Asian')
    else scripts.add(String(OTHER.findIndex((script) => script.test(letter))))
  }
  return scripts
}

/**
 * Whether the letters of a name are of one script, and all of them visible. Latin letters are allowed beside East Asian
 * ones.
 */
export function isOfOneScript(name: string): boolean {
  if (UNSEEN.test(name.replace(SPACE, ''))) return false
  const scripts = scriptsIn(name)
  if (scripts.has('Latin') && DIGIT_ELSEWHERE.test(name)) return false
  return scripts.size <= 1 || (scripts.size === 2 && scripts.has('Latin') && scripts.has('East Asian'))
}

export const ONE_SCRIPT =
  'Use letters of one script and no invisible characters. Letters of several scripts can look alike'
