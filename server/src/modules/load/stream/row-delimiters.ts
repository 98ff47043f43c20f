import { AppError } from '../../../kernel/app-error.ts'

const LINE_BREAK = Buffer.from('\n')

/** Rows that end with something else get line breaks instead, chunk by chunk. */
export function createRowDelimiters(delimiter: string) {
  const mark = Buffer.from(delimiter)
  let kept: Buffer = Buffer.alloc(0)

  function replaced(bytes: Buffer, until: number): { readonly text: Buffer; readonly rest: Buffer } {
    const parts: Buffer[] = []
    let from = 0
    for (let at = bytes.indexOf(mark); at >= 0; at = bytes.indexOf(mark, from)) {
      parts.push(bytes.subarray(from, at), LINE_BREAK)
      from = at + mark.length
    }
    const end = Math.max(from, until)
    parts.push(bytes.subarray(from, end))
    return { text: Buffer.concat(parts), rest: bytes.subarray(end) }
  }

  function refuseLineBreaks(bytes: Uint8Array): void {
    if (!mark.includes(LINE_BREAK) && bytes.includes(0x0a))
      throw new AppError(
        'BadInput',
        'row_delimiter: A value has a line break, which can be loaded only where rows end with one.',
      )
  }

  return {
    /** What can be passed on; the beginning of a delimiter may stay behind. */
    take(chunk: Uint8Array): Buffer {
      refuseLineBreaks(chunk)
      const bytes = Buffer.concat([kept, chunk])
      const { text, rest } = replaced(bytes, bytes.length - mark.length + 1)
      kept = rest
      return text
    },
    rest(): Buffer {
      return replaced(kept, kept.length).text
    },
  }
}
