import { readFile } from 'node:fs/promises'
import * as fontkit from 'fontkit'
import subsetFont from 'subset-font'
import { allFaces, type Face, mayHave } from './faces.ts'

/** What no font has is shown by this. */
export const UNKNOWN = '\ufffd'
/** Of a text that is cut. */
export const MORE = '…'

const WEIGHTS = { regular: 400, bold: 700 }

export type Weight = keyof typeof WEIGHTS

/** The fonts of a document in one weight. */
export interface Fonts {
  /** TrueType files with the letters of the document alone, by the face. */
  readonly files: ReadonlyMap<Face, Buffer>
  /** What a letter with its marks is shown in; undefined: no font has it. */
  faceFor(letters: string): Face | undefined
}

const pointsOf = (text: string): number[] => Array.from(text, (letter) => letter.codePointAt(0) ?? 0)

const subsetOf = async (face: Face, weight: Weight, letters: readonly number[]): Promise<Buffer> =>
  subsetFont(await readFile(face.path), String.fromCodePoint(...letters), {
    targetFormat: 'sfnt',
    ...(face.hasWeights ? { variationAxes: { wght: WEIGHTS[weight] } } : {}),
  })

function lettersOf(file: Buffer): ReadonlySet<number> {
  const font = fontkit.create(file)
  if (!('characterSet' in font)) return new Set()
  try {
    return new Set(font.characterSet)
  } catch {
    // It has no table of letters when none is left in it.
    return new Set()
  }
}

/** One after the other, as long as there is a letter that none of them has. */
export async function loadFonts(weight: Weight, texts: readonly string[]): Promise<Fonts> {
  const letters = [...new Set(pointsOf(texts.join('') + UNKNOWN + MORE))]
  const missing = new Set(letters)
  const files = new Map<Face, Buffer>()
  const has = new Map<Face, ReadonlySet<number>>()
  for (const face of allFaces()) {
    const wanted = letters.filter((letter) => mayHave(face, letter))
    if (!wanted.some((letter) => missing.has(letter))) continue
    const file = await subsetOf(face, weight, wanted)
    const found = lettersOf(file)
    if (found.size === 0) continue
    files.set(face, file)
    has.set(face, found)
    for (const letter of found) missing.delete(letter)
  }
  const faces = [...files.keys()]
  return {
    files,
    faceFor(cluster) {
      const points = pointsOf(cluster)
      return (
        faces.find((face) => points.every((point) => has.get(face)?.has(point))) ??
        faces.find((face) => has.get(face)?.has(points[0] ?? 0))
      )
    },
  }
}
