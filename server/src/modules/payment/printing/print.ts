import { buffer } from 'node:stream/consumers'
import PdfKit from 'pdfkit'
import type { PdfSource, PdfText } from './document.ts'
import type { Face } from './faces.ts'
import { type Fonts, loadFonts, MORE, type Weight } from './fonts.ts'
import { type Run, runsOf, shown } from './runs.ts'

const RIGHT_MARGIN = 48
const SIZE = 9

/** Scripts in which every letter has a shape of its own, in the order of the letters or in the reverse one. */
const PLAIN = new RegExp(
  `^[${['Common', 'Latin', 'Greek', 'Cyrillic', 'Han', 'Hiragana', 'Katakana', 'Hangul', 'Hebrew', 'Arabic'].map((script) => `\\p{Script=${script}}`).join('')}]*$`,
  'u',
)

/** In all others, what is copied and searched for is the text itself, as shapes have another order than letters. */
class Document extends PdfKit {
  #read: string | null = null

  as(read: string, write: () => void): void {
    this.#read = read
    write()
    this.#read = null
  }

  /** The mark is inside of the text object: readers look at the place of its end. */
  override addContent(content: unknown): this {
    if (this.#read !== null && content === 'ET') super.addContent('EMC')
    super.addContent(content)
    if (this.#read === null || content !== 'BT') return this
    const bytes = Buffer.from(`\ufeff${this.#read}`, 'utf16le').swap16()
    super.addContent(`/Span <</ActualText <${bytes.toString('hex')}>>> BDC`)
    return this
  }
}

const fontName = (face: Face, weight: Weight): string => `${face.name}-${weight}`

type FontsByWeight = Readonly<Record<Weight, Fonts>>

const weightOf = ({ bold = false }: PdfText): Weight => (bold ? 'bold' : 'regular')

/** Each font once, with the letters that the document has in it. */
async function registerFonts(document: Document, texts: readonly PdfText[]): Promise<FontsByWeight> {
  const load = async (weight: Weight): Promise<Fonts> => {
    const own = texts.filter((one) => weightOf(one) === weight).map(({ text }) => shown(text))
    const fonts = await loadFonts(weight, own)
    for (const [face, file] of fonts.files) document.registerFont(fontName(face, weight), file)
    return fonts
  }
  return { regular: await load('regular'), bold: await load('bold') }
}

/** One stretch of text is laid out as a whole: by default words are, one after the other from the left. */
const WHOLE: PDFKit.Mixins.TextOptions = { features: [], lineBreak: false }

const letters = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** Draws with the fonts of the document. */
function drawWith(document: Document, fontsByWeight: FontsByWeight) {
  const widthOf = (runs: readonly Run[], weight: Weight): number =>
    runs.reduce(
      (sum, { text, face }) => sum + document.font(fontName(face, weight)).widthOfString(text, WHOLE),
      0,
    )

  /** Cut until it has room. */
  function fitting(text: string, weight: Weight, room: number): Run[] {
    const fonts = fontsByWeight[weight]
    const whole = runsOf(text, fonts)
    if (widthOf(whole, weight) <= room) return whole
    const parts = Array.from(letters.segment(text), ({ segment }) => segment)
    const cutAt = (count: number) => runsOf(parts.slice(0, count).join('') + MORE, fonts)
    let [fits, tooLong] = [0, parts.length]
    while (tooLong - fits > 1) {
      const half = (fits + tooLong) >> 1
      if (widthOf(cutAt(half), weight) <= room) fits = half
      else tooLong = half
    }
    return cutAt(fits)
  }

  return (line: PdfText): void => {
    const { x, y, size = SIZE, right = false } = line
    const weight = weightOf(line)
    document.fontSize(size)
    const room = line.width ?? (right ? x : document.page.width - RIGHT_MARGIN - x)
    const runs = fitting(shown(line.text), weight, room)
    let left = right ? x - widthOf(runs, weight) : x
    for (const { text, read, face } of runs) {
      document.font(fontName(face, weight))
      const write = () => document.text(text, left, y, { ...WHOLE, baseline: 'alphabetic' })
      if (PLAIN.test(read)) write()
      else document.as(read, write)
      left += document.widthOfString(text, WHOLE)
    }
  }
}

/** A document with the letters of all languages: those that it uses are in it. */
export async function printPdf({ title, at, pages }: PdfSource): Promise<Buffer> {
  const document = new Document({
    size: 'A4',
    margin: 0,
    autoFirstPage: false,
    lang: 'en',
    displayTitle: true,
    info: { Title: title, CreationDate: at, ModDate: at },
  })
  const written = buffer(document)
  const draw = drawWith(document, await registerFonts(document, pages.flat()))
  for (const page of pages) {
    document.addPage()
    for (const line of page) draw(line)
  }
  document.end()
  return written
}
