import type { Readable } from 'node:stream'
import { SaxesParser } from 'saxes'
import { SHEET_LIMITS } from './sheet-limits.ts'
import { damaged, SheetRefused } from './sheet-refusal.ts'

type Attributes = Readonly<Record<string, string>>

/** Names come without the prefix of their namespace. */
export interface XmlListener {
  open?(name: string, attributes: Attributes): void
  close?(name: string): void
  text?(text: string): void
  /** What is behind it is not read. */
  isDone?(): boolean
}

const localName = (name: string): string => {
  const colon = name.indexOf(':')
  return colon < 0 ? name : name.slice(colon + 1)
}

/** Reads a document piece by piece. What the parser must hold at once is bounded: a tag, the text before it, the tags around. */
export async function readXml(what: string, stream: Readable, listener: XmlListener): Promise<void> {
  const parser = new SaxesParser()
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let sinceTag = 0
  let depth = 0
  parser.on('opentag', ({ name, attributes }) => {
    sinceTag = 0
    if (++depth > SHEET_LIMITS.depth) throw damaged(`${what} is nested too deep`)
    listener.open?.(localName(name), attributes)
  })
  parser.on('closetag', ({ name }) => {
    sinceTag = 0
    depth--
    listener.close?.(localName(name))
  })
  parser.on('text', (text) => listener.text?.(text))
  parser.on('cdata', (text) => listener.text?.(text))
  parser.on('doctype', () => {
    throw damaged(`${what} defines a document type, which no spreadsheet does`)
  })
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      sinceTag += chunk.length
      if (sinceTag > SHEET_LIMITS.betweenTags) throw damaged(`a value in ${what} is longer than a cell holds`)
      parser.write(decoder.decode(chunk, { stream: true }))
      if (listener.isDone?.()) return
    }
    parser.close()
  } catch (error) {
    throw error instanceof SheetRefused ? error : damaged(`${what} cannot be read`)
  }
}
