import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** A file of a font. */
export interface Face {
  readonly name: string
  readonly path: string
  /**
   * Pairs of first and last code point: what it may have, as it has not all of them. Null: all letters of the basic
   * plane.
   */
  readonly ranges: readonly (readonly [number, number])[] | null
  readonly hasWeights: boolean
  /** Its letters are put from right to left by the tables that it has. */
  readonly turnsLetters: boolean
}

const { resolve } = createRequire(import.meta.url)

const rangesOf = (text: string): [number, number][] =>
  text.split(',').map((range) => {
    const [first = '', last = first] = range.replace(/^U\+/i, '').split('-')
    return [Number.parseInt(first, 16), Number.parseInt(last, 16)]
  })

/** A font of weights comes as one file for each part of its letters. */
function facesOf(family: string): Face[] {
  const index = resolve(`@fontsource-variable/${family}/unicode.json`)
  const parts = JSON.parse(readFileSync(index, 'utf8')) as Record<string, string>
  return Object.entries(parts).map(([part, ranges]) => {
    const name = `${family}-${part.replaceAll(/[[\]]/g, '')}`
    return {
      name,
      path: join(dirname(index), 'files', `${name}-wght-normal.woff2`),
      ranges: rangesOf(ranges),
      hasWeights: true,
      turnsLetters: family === 'vazirmatn',
    }
  })
}

/** Drawn on a raster, but with every letter of the basic plane: what no other font has is still read. */
const lastResort = (): Face => ({
  name: 'unifont',
  path: resolve('@fontsource/unifont/files/unifont-latin-400-normal.woff2'),
  ranges: null,
  hasWeights: false,
  turnsLetters: false,
})

let all: readonly Face[] | undefined

const LATIN = /-latin(-ext)?$/

/** The first that has a letter shows it. */
export function allFaces(): readonly Face[] {
  if (all) return all
  const noto = facesOf('noto-sans').toSorted(
    (a, b) => Number(LATIN.test(b.name)) - Number(LATIN.test(a.name)),
  )
  // Noto Sans makes letters of Arabic out of parts, so that a reader cannot tell one from the other.
  const arabic = facesOf('vazirmatn').filter(({ name }) => name === 'vazirmatn-arabic')
  const chinese = facesOf('noto-sans-sc').filter(({ name }) => !/-(latin|cyrillic|vietnamese)/.test(name))
  all = [...noto, ...arabic, ...chinese, lastResort()]
  return all
}

const BASIC_PLANE = 0xffff

/** Whether it may have a letter. */
export const mayHave = ({ ranges }: Face, letter: number): boolean =>
  ranges === null ? letter <= BASIC_PLANE : ranges.some(([first, last]) => letter >= first && letter <= last)
