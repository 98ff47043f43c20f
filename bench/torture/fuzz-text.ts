import type { Random } from './random.ts'

/** Letters, marks and what is hard to read: controls, halves of pairs, right-to-left, wide and joined signs. */
const ODD = [
  '\0',
  '\u0007',
  '\u00a0',
  '\u200b',
  '\u202e',
  '\ufeff',
  '\ud83d',
  '\udc00',
  '\uffff',
  '🚣',
  'ß',
  'İ',
  'e\u0301',
  '数',
  '\u2028',
  '\\',
  '`',
  '´',
  '＇',
]
const MARKS = '\'"`;,.()[]{}<>=!+-*/%^&|~?:@#$\\_ \n\t\r'.split('')

export const oneOf = (random: Random, ...makers: readonly ((random: Random) => string)[]): string =>
  random.pick(makers)(random)

export function anyText(random: Random, most = 200): string {
  const length = random.below(most) + 1
  return Array.from({ length }, () => {
    const share = random.next()
    if (share < 0.4) return String.fromCharCode(32 + random.below(95))
    if (share < 0.7) return random.pick(MARKS)
    if (share < 0.85) return random.pick(ODD)
    return String.fromCharCode(random.below(0x10000))
  }).join('')
}

/** Takes a text apart a little: something goes, comes twice, or comes from elsewhere. */
export function mangled(random: Random, text: string): string {
  let result = text
  for (let changes = random.between(1, 4); changes > 0; changes--) {
    const at = random.below(result.length + 1)
    const end = Math.min(result.length, at + random.below(8))
    const change = random.below(5)
    if (change === 0) result = result.slice(0, at) + result.slice(end)
    if (change === 1) result = result.slice(0, end) + result.slice(at)
    if (change === 2) result = result.slice(0, at) + anyText(random, 6) + result.slice(at)
    if (change === 3) result = result.slice(0, at)
    if (change === 4) result = result.slice(0, at) + random.pick(MARKS) + result.slice(at)
  }
  return result
}
