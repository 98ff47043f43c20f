import { expect, test } from 'vitest'
import { loadFonts } from './fonts.ts'
import { runsOf, shown } from './runs.ts'

async function runs(text: string) {
  return runsOf(shown(text), await loadFonts('regular', [shown(text)]))
}
const drawn = async (text: string) => (await runs(text)).map((run) => run.text)
const read = async (text: string) => (await runs(text)).map((run) => run.read)
const faces = async (text: string) => (await runs(text)).map(({ face }) => face.name.replace(/-\d+$/, ''))

test('what is written from the right is drawn from the right, with figures and signs in their places', async () => {
  expect(await drawn('Club נא (42) Row')).toEqual(['Club ', '(', '42', ') ', 'אנ', ' Row'])
  expect(await drawn('נא ABC!')).toEqual(['!', 'ABC', ' ', 'אנ'])
  // Its font reverses Arabic automatically, because joined letters change their shapes.
  expect(await drawn('نادي (ABC)')).toEqual(['(', 'ABC', ') ', 'نادي'])
})

test('a letter is shown with its marks in one font, and what no font has as a mark of its own', async () => {
  expect(await read('e\u0323\u0302')).toEqual(['ệ'])
  expect(await read('a\u{10ffff}b')).toEqual(['a\ufffdb'])
  expect(await faces('赛艇')).toEqual(['noto-sans-sc', 'noto-sans-sc'])
  expect(await faces('Ж')).toEqual(['noto-sans-cyrillic'])
  expect(await faces('की')).toEqual(['noto-sans-devanagari'])
  // Files of fonts say more than they have.
  expect(await faces('한')).toEqual(['unifont'])
})
