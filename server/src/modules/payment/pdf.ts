/** A line of text on a page of A4; points from the left and from the top. */
export interface PdfText {
  readonly x: number
  readonly y: number
  readonly text: string
  readonly size?: number
  readonly bold?: boolean
  /** It ends at `x`. */
  readonly right?: boolean
}

export type PdfPage = readonly PdfText[]

const WIDTH = 595
const HEIGHT = 842
/** Widths of the digits and signs that figures are made of, and of a letter on average, in thousandths of the size. */
const widthOf = (text: string, size: number): number =>
  (Array.from(text).reduce(
    (sum, sign) => sum + (/[.,:]/.test(sign) ? 278 : /[\d$]/.test(sign) ? 556 : 584),
    0,
  ) *
    size) /
  1000

/** What the fonts of every reader can show; anything else is a question mark. */
const escaped = (text: string): string =>
  text.replaceAll(/[^\u0020-\u007e\u00a0-\u00ff]/g, '?').replaceAll(/[\\()]/g, String.raw`\$&`)

function contentOf(page: PdfPage): string {
  const lines = page.map(({ x, y, text, size = 9, bold = false, right = false }) => {
    const left = right ? x - widthOf(text, size) : x
    return `BT /${bold ? 'F2' : 'F1'} ${size} Tf ${left.toFixed(2)} ${(HEIGHT - y).toFixed(2)} Td (${escaped(text)}) Tj ET`
  })
  return lines.join('\n')
}

/** A document of text in the fonts that every reader has: nothing is embedded, so it is small and needs no library. */
export function pdfOf(title: string, pages: readonly PdfPage[]): Buffer {
  const objects: string[] = []
  const add = (body: string): number => objects.push(body)
  const font = (name: string) =>
    add(`<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding >>`)
  const catalog = add('')
  const tree = add('')
  const fonts = `/F1 ${font('Helvetica')} 0 R /F2 ${font('Helvetica-Bold')} 0 R`
  const kids = pages.map((page) => {
    const content = contentOf(page)
    const stream = add(`<< /Length ${Buffer.byteLength(content, 'latin1')} >>\nstream\n${content}\nendstream`)
    return add(
      `<< /Type /Page /Parent ${tree} 0 R /MediaBox [0 0 ${WIDTH} ${HEIGHT}] /Contents ${stream} 0 R /Resources << /Font << ${fonts} >> >> >>`,
    )
  })
  const info = add(`<< /Title (${escaped(title)}) >>`)
  objects[tree - 1] =
    `<< /Type /Pages /Count ${kids.length} /Kids [${kids.map((kid) => `${kid} 0 R`).join(' ')}] >>`
  objects[catalog - 1] = `<< /Type /Catalog /Pages ${tree} 0 R /Lang (en) >>`
  let text = '%PDF-1.4\n'
  const offsets = objects.map((body, index) => {
    const offset = Buffer.byteLength(text, 'latin1')
    text += `${index + 1} 0 obj\n${body}\nendobj\n`
    return offset
  })
  const start = Buffer.byteLength(text, 'latin1')
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}`
  text += `trailer\n<< /Size ${objects.length + 1} /Root ${catalog} 0 R /Info ${info} 0 R >>\nstartxref\n${start}\n%%EOF\n`
  return Buffer.from(text, 'latin1')
}
