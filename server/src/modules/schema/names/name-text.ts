import { setImmediate as letOthersOn } from 'node:timers/promises'

/** Between two names; a name that holds one is looked for as if it held a space. */
const BREAK = '\n'
/** Taken at once: less than a millisecond. */
const SLICE = 4_000

async function inSmallLetters(names: readonly string[]): Promise<string[]> {
  const lowered: string[] = []
  for (let from = 0; from < names.length; from += SLICE) {
    if (from > 0) await letOthersOn()
    for (const name of names.slice(from, from + SLICE))
      lowered.push(name.toLowerCase().replaceAll(BREAK, ' '))
  }
  return lowered
}

/**
 * Names as one text: looking for a word in a hundred thousand of them is looking for it once, which takes about a
 * millisecond. A word holds no space.
 */
export async function createNameText(names: readonly string[]) {
  const lowered = await inSmallLetters(names)
  const text = `${BREAK}${lowered.join(BREAK)}${BREAK}`
  /** Where each begins. */
  const starts = new Uint32Array(lowered.length)
  let at = 1
  for (const [index, name] of lowered.entries()) {
    starts[index] = at
    at += name.length + 1
  }

  /** Which of them this place of the text is in, if it is in one from there on; where many match it is the first. */
  function indexAt(place: number, from: number): number {
    if (place < (starts[from + 1] ?? text.length)) return from
    let low = from + 1
    let high = starts.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((starts[middle] ?? 0) <= place) low = middle
      else high = middle - 1
    }
    return low
  }

  const startOf = (index: number): number => starts[index] ?? text.length
  const endOf = (index: number): number => (starts[index + 1] ?? text.length) - 1

  /** Each that holds the pattern, once, with the place of it. */
  function* places(pattern: string): Generator<{ index: number; place: number }> {
    const before = pattern.startsWith(BREAK) ? 1 : 0
    let from = 0
    let place = text.indexOf(pattern)
    while (place !== -1) {
      const index = indexAt(place + before, from)
      yield { index, place }
      from = index + 1
      // From the break after it, which is also the one before the next.
      place = text.indexOf(pattern, endOf(index))
    }
  }

  return {
    /** Which names hold the word, in small letters: first those that are it, then those that begin with it, then the others. */
    *holding(word: string): Generator<number> {
      for (const { index } of places(`${BREAK}${word}${BREAK}`)) yield index
      for (const { index } of places(`${BREAK}${word}`))
        if (endOf(index) - startOf(index) > word.length) yield index
      for (const { index, place } of places(word)) if (place !== startOf(index)) yield index
    },

    holds: (index: number, word: string): boolean => text.slice(startOf(index), endOf(index)).includes(word),
  }
}
