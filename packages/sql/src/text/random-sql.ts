const BLANKS = [' ', ' ', ' ', '\n', '\r', '\r\n', '\t', '\u00a0', '\u2028', '\ufeff']
const QUOTES = `' '' E' \\ \\' " "" \` $ $$ $a$ $1 -- /* /*+ */`.split(' ')
const SYMBOLS = '// ( ) [ ] { } , ; . : :: := ? @@ ->> < = # % | \0 \v'.split(' ')
const WORDS =
  'select from with as insert into update table explain analyze set show use create join union a T1 x e E'.split(
    ' ',
  )
const LETTERS_AND_DIGITS = 'é ß ı 😀 \ud800 \udc00 _ 0 12 1.5 .5 1e9 1e'.split(' ')

const FRAGMENTS = [...BLANKS, ...QUOTES, ...SYMBOLS, ...WORDS, ...LETTERS_AND_DIGITS, 'with x as (']

/** Mulberry32: the same numbers for the same seed, everywhere. */
function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Texts for tests: pieces of SQL thrown together, most of them nonsense. */
export function* randomSql(seed: number, count: number): Generator<string> {
  const random = randomNumbers(seed)
  for (let made = 0; made < count; made++) {
    const length = Math.floor(random() * 24)
    yield Array.from({ length }, () => FRAGMENTS[Math.floor(random() * FRAGMENTS.length)]).join('')
  }
}
