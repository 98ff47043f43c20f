import bidiFactory from 'bidi-js'
import type { Face } from './faces.ts'
import { type Fonts, UNKNOWN } from './fonts.ts'

/** Letters side by side in one font and one direction, in the order in which they are drawn from the left. */
export interface Run {
  /** In the order in which its font is given it. */
  readonly text: string
  /** In the order in which it is read. */
  readonly read: string
  readonly face: Face
}

const bidi = bidiFactory()
const clusters = new Intl.Segmenter('en', { granularity: 'grapheme' })
const ARABIC = /\p{Script=Arabic}/u

/** Without what has no shape. Marks of direction could make a name look like another one. */
export const shown = (text: string): string =>
  text
    .replaceAll(/\p{Surrogate}/gu, UNKNOWN)
    .normalize('NFC')
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replaceAll(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g, '')

interface Levelled extends Omit<Run, 'text'> {
  readonly level: number
}

/** One for each letter with its marks, those of one kind joined. */
function inReadingOrder(text: string, { faceFor }: Fonts): Levelled[] {
  const { levels } = bidi.getEmbeddingLevels(text, 'auto')
  const runs: Levelled[] = []
  for (const { segment, index } of clusters.segment(text)) {
    const found = faceFor(segment)
    const level = levels[index] ?? 0
    const face = found ?? faceFor(UNKNOWN)
    if (!face) continue
    const before = runs.at(-1)
    const part = found ? segment : UNKNOWN
    if (before?.face === face && before.level === level)
      runs.splice(-1, 1, { ...before, read: before.read + part })
    else runs.push({ read: part, face, level })
  }
  return runs
}

/** Rule L2 of the Unicode Bidirectional Algorithm: from the deepest level up, each stretch is turned round. */
function inDrawnOrder(runs: readonly Levelled[]): Levelled[] {
  const drawn = [...runs]
  for (let level = Math.max(0, ...runs.map((run) => run.level)); level > 0; level--)
    for (let from = 0; from < drawn.length; from++) {
      let to = from
      while ((drawn[to]?.level ?? 0) >= level) to++
      if (to > from) drawn.splice(from, to - from, ...drawn.slice(from, to).toReversed())
      from = Math.max(from, to)
    }
  return drawn
}

const turned = (text: string): string =>
  Array.from(clusters.segment(text), ({ segment }) => bidi.getMirroredCharacter(segment) ?? segment)
    .toReversed()
    .join('')

/** Of a text as it is shown. */
export const runsOf = (text: string, fonts: Fonts): Run[] =>
  inDrawnOrder(inReadingOrder(text, fonts)).map(({ read, face, level }) => {
    const isTurnedByFont = face.turnsLetters && ARABIC.test(read)
    return { face, read, text: level % 2 === 1 && !isTurnedByFont ? turned(read) : read }
  })
