/** A terminal obeys these, or shows something other than what is there: controls, and what turns or hides text. */
const HARMFUL = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Co}\p{Cs}\u2028\u2029]/gu

const NAMED: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t', '\u001b': '\\e' }

const code = (character: string): string => {
  const number = character.codePointAt(0) ?? 0
  return number < 0x100 ? `\\x${number.toString(16).padStart(2, '0')}` : `\\u{${number.toString(16)}}`
}

/** A value in one line that can do nothing to a terminal. */
export const safeText = (text: string): string =>
  text.replaceAll(HARMFUL, (character) => NAMED[character] ?? code(character))

/** The same for a text of several lines, such as a message. */
export const safeLines = (text: string): string => text.split('\n').map(safeText).join('\n')
