/** A line of text on a page of A4; points from the left and from the top. */
export interface PdfText {
  readonly x: number
  readonly y: number
  readonly text: string
  readonly size?: number
  readonly bold?: boolean
  /** It ends at `x`. */
  readonly right?: boolean
  /** A longer text is cut; up to the right margin by default. */
  readonly width?: number
}

export type PdfPage = readonly PdfText[]

export interface PdfSource {
  readonly title: string
  /** Written into the file as its date, so that the same document has the same bytes. */
  readonly at: Date
  readonly pages: readonly PdfPage[]
}
