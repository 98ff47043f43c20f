import type { Readable } from 'node:stream'
import { decodedText } from './cell-values.ts'
import { SHEET_LIMITS } from './sheet-limits.ts'
import { damaged, SheetRefused } from './sheet-refusal.ts'
import { readXml } from './xml-events.ts'

const BLOCK_BYTES = 1024 * 1024
const FIRST_ROOM = 1024

/** Texts that all sheets share, as bytes one behind the other: a string each would take many times the room. */
class SharedTexts {
  private readonly blocks: Buffer[] = []
  private used = 0
  /** Where each begins; one behind the last is where it ends. */
  private starts = new Float64Array(FIRST_ROOM)
  private count = 0

  add(text: string): void {
    const bytes = Buffer.from(text)
    if (this.used + bytes.length > SHEET_LIMITS.sharedTextBytes || this.count >= SHEET_LIMITS.sharedTexts)
      throw new SheetRefused(
        `The texts of this spreadsheet have more than ${SHEET_LIMITS.sharedTextBytes / 1024 / 1024} MB together, more than fits in memory. Save the sheet as CSV (UTF-8) and upload that.`,
      )
    if (this.count + 2 > this.starts.length) {
      const larger = new Float64Array(this.starts.length * 2)
      larger.set(this.starts)
      this.starts = larger
    }
    this.append(bytes)
    this.starts[++this.count] = this.used
  }

  private append(bytes: Buffer): void {
    for (let from = 0; from < bytes.length;) {
      const at = this.used % BLOCK_BYTES
      const block = at === 0 ? Buffer.allocUnsafeSlow(BLOCK_BYTES) : this.blocks.at(-1)
      if (!block) throw new Error('There is no block to write to.')
      if (at === 0) this.blocks.push(block)
      const copied = bytes.copy(block, at, from)
      from += copied
      this.used += copied
    }
  }

  get(index: number): string {
    const [start, end] = [this.starts[index], this.starts[index + 1]]
    if (!(index >= 0 && index < this.count) || start === undefined || end === undefined)
      throw damaged(`a cell names a text that is not there`)
    const first = Math.floor(start / BLOCK_BYTES)
    const last = Math.floor(Math.max(start, end - 1) / BLOCK_BYTES)
    const offset = first * BLOCK_BYTES
    const [only] = this.blocks.slice(first, first + 1)
    if (first === last) return only?.toString('utf8', start - offset, end - offset) ?? ''
    return Buffer.concat(this.blocks.slice(first, last + 1)).toString('utf8', start - offset, end - offset)
  }
}

/** Null: the file has none. */
export async function readSharedTexts(stream: Readable | null): Promise<(at: number) => string> {
  const texts = new SharedTexts()
  let item = ''
  let isText = false
  /** How to say it aloud, which is no part of it. */
  let aloud = 0
  if (stream)
    await readXml('the list of texts', stream, {
      open(name) {
        if (name === 'si') item = ''
        else if (name === 'rPh') aloud++
        else if (name === 't') isText = aloud === 0
      },
      text(text) {
        if (isText) item += text
        if (item.length > SHEET_LIMITS.betweenTags) throw damaged('a text in it is longer than a cell holds')
      },
      close(name) {
        if (name === 't') isText = false
        else if (name === 'rPh') aloud--
        else if (name === 'si') texts.add(decodedText(item))
      },
    })
  return (at) => texts.get(at)
}
