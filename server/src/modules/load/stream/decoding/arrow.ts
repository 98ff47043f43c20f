import { AppError } from '../../../../kernel/app-error.ts'
import { ArrowBatch, type ArrowColumn } from './arrow-columns.ts'
import { arrowMessages, BrokenArrow, type ArrowMessage } from './arrow-messages.ts'
import { type ArrowField, arrowFields } from './arrow-schema.ts'
import { joined, quoted } from './arrow-values.ts'
import { ByteSource } from './byte-source.ts'
import { createTurnsOfDecoder } from './fair-turns.ts'

const CHUNK_CHARACTERS = 64 * 1024
/** Rows between two looks at the clock. */
const LOOKS_EVERY = 16
const MOST_DICTIONARY_BYTES = 64 * 1024 * 1024
const MOST_GROWTHS = 100

/** The fields whose values are places in a dictionary, by its number: what it holds is of their type. */
function dictionaryFields(fields: readonly ArrowField[]): [id: number, ArrowField][] {
  return fields.flatMap(({ type, dictionary, name }) => {
    const inside = type.is === 'struct' ? type.fields : 'item' in type ? [type.item] : []
    const own = dictionary ? [[dictionary.id, { name, type, dictionary: null }] as [number, ArrowField]] : []
    return [...own, ...dictionaryFields(inside)]
  })
}

/** What a stream has said so far: its columns and its dictionaries. */
class ArrowStream {
  #fields: readonly ArrowField[] | null = null
  #ofDictionaries = new Map<number, ArrowField>()
  readonly #dictionaries = new Map<number, ArrowColumn>()
  #dictionaryBytes = 0
  #growths = 0

  get hasBegun(): boolean {
    return this.#fields !== null
  }

  /** The rows of a message, if it has some. */
  take({ is, header, body }: ArrowMessage): ArrowColumn | null {
    if (is === 'schema') {
      this.#fields = arrowFields(header)
      this.#ofDictionaries = new Map(dictionaryFields(this.#fields))
      return null
    }
    if (!this.#fields) throw new BrokenArrow('It does not begin with its schema.')
    if (is === 'batch') return this.#rows(this.#fields, new ArrowBatch(header, body, this.#dictionaries))
    this.#learn(header, body)
    return null
  }

  #learn(header: ArrowMessage['header'], body: Buffer): void {
    const [id, data, isMore] = [header.long(0), header.table(1), header.byte(2) === 1]
    const field = this.#ofDictionaries.get(id)
    this.#dictionaryBytes += body.length
    if (this.#dictionaryBytes > MOST_DICTIONARY_BYTES)
      throw new AppError(
        'BadInput',
        `Dictionaries have at most ${MOST_DICTIONARY_BYTES / 1024 ** 2} MB together.`,
      )
    if (isMore && ++this.#growths > MOST_GROWTHS)
      throw new AppError('BadInput', `Dictionaries grow at most ${MOST_GROWTHS} times.`)
    if (!field || !data) throw new BrokenArrow('There is a dictionary that no column has.')
    const added = new ArrowBatch(data, body, this.#dictionaries).column(field)
    const known = isMore ? this.#dictionaries.get(id) : undefined
    this.#dictionaries.set(id, known ? behind(known, added) : added)
  }

  #rows(fields: readonly ArrowField[], batch: ArrowBatch): ArrowColumn {
    const columns = fields.map((field) => ({ name: quoted(field.name), values: batch.column(field) }))
    if (columns.some(({ values }) => values.length !== batch.length))
      throw new BrokenArrow('Columns of one batch have different lengths.')
    const at = (row: number) =>
      `{${joined(columns.length, (column) => `${columns[column]?.name}:${columns[column]?.values.at(row)}`)}}`
    return { length: batch.length, at }
  }
}

const behind = (first: ArrowColumn, second: ArrowColumn): ArrowColumn => ({
  length: first.length + second.length,
  at: (index) => (index < first.length ? first.at(index) : second.at(index - first.length)),
})

/** The rows of an Arrow IPC stream or file, as lines of JSON. */
export async function* decodeArrow(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const turns = createTurnsOfDecoder()
  const stream = new ArrowStream()
  let lines = ''
  for await (const message of arrowMessages(new ByteSource(chunks))) {
    const rows = stream.take(message)
    for (let row = 0; row < (rows?.length ?? 0); row++) {
      lines += `${rows?.at(row)}\n`
      if (lines.length > CHUNK_CHARACTERS) {
        yield Buffer.from(lines)
        lines = ''
      }
      if (row % LOOKS_EVERY === 0 && turns.isOver()) await turns.next()
    }
  }
  if (!stream.hasBegun) throw new BrokenArrow('It is empty.')
  if (lines !== '') yield Buffer.from(lines)
}
