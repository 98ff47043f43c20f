import { once } from 'node:events'
import { createWriteStream, type WriteStream } from 'node:fs'
import { crc32, createDeflateRaw } from 'node:zlib'

interface Entry {
  readonly name: Buffer
  readonly offset: number
  readonly crc: number
  readonly compressed: number
  readonly size: number
}

/** Sizes and the checksum follow the content: bit 3. Names are UTF-8: bit 11. */
const FLAGS = 0x0808
const DEFLATE = 8
const VERSION = 20
/** 1 January 1980: files are the same whenever they are made. */
const DOS_DATE = 0x21
const MAX_SIZE = 0xffff_ffff

const numbers = (...fields: readonly (readonly [value: number, bytes: 2 | 4])[]): Buffer => {
  const buffer = Buffer.alloc(fields.reduce((total, [, bytes]) => total + bytes, 0))
  let at = 0
  for (const [value, bytes] of fields)
    at = bytes === 2 ? buffer.writeUInt16LE(value, at) : buffer.writeUInt32LE(value, at)
  return buffer
}

/** A ZIP file written front to back with flat memory: each entry is a stream of texts. */
export class ZipWriter {
  readonly #file: WriteStream
  readonly #entries: Entry[] = []
  #offset = 0
  #failure: Error | null = null

  constructor(path: string) {
    this.#file = createWriteStream(path, { mode: 0o600 })
    // Such as a full disk; thrown by whatever is written next.
    this.#file.on('error', (error) => {
      this.#failure ??= error
    })
  }

  async add(name: string, parts: Iterable<string> | AsyncIterable<string>): Promise<void> {
    const entryName = Buffer.from(name)
    const offset = this.#offset
    await this.#write(
      numbers(
        [0x0403_4b50, 4],
        [VERSION, 2],
        [FLAGS, 2],
        [DEFLATE, 2],
        [0, 2],
        [DOS_DATE, 2],
        [0, 4],
        [0, 4],
        [0, 4],
        [entryName.length, 2],
        [0, 2],
      ),
    )
    await this.#write(entryName)
    const { crc, size, compressed } = await this.#compress(parts)
    if (size > MAX_SIZE) throw new RangeError('An entry of a ZIP file holds at most 4 GiB.')
    await this.#write(numbers([0x0807_4b50, 4], [crc, 4], [compressed, 4], [size, 4]))
    this.#entries.push({ name: entryName, offset, crc, compressed, size })
  }

  /** Writes the directory; resolves with the size of the file. */
  async finish(): Promise<number> {
    const start = this.#offset
    for (const { name, offset, crc, compressed, size } of this.#entries) {
      await this.#write(
        numbers(
          [0x0201_4b50, 4],
          [VERSION, 2],
          [VERSION, 2],
          [FLAGS, 2],
          [DEFLATE, 2],
          [0, 2],
          [DOS_DATE, 2],
          [crc, 4],
          [compressed, 4],
          [size, 4],
          [name.length, 2],
          [0, 2],
          [0, 2],
          [0, 2],
          [0, 2],
          [0, 4],
          [offset, 4],
        ),
      )
      await this.#write(name)
    }
    const count = this.#entries.length
    await this.#write(
      numbers(
        [0x0605_4b50, 4],
        [0, 2],
        [0, 2],
        [count, 2],
        [count, 2],
        [this.#offset - start, 4],
        [start, 4],
        [0, 2],
      ),
    )
    this.#file.end()
    await once(this.#file, 'close')
    if (this.#failure) throw this.#failure
    return this.#offset
  }

  abandon(): void {
    this.#file.destroy()
  }

  async #compress(parts: Iterable<string> | AsyncIterable<string>) {
    const deflate = createDeflateRaw()
    let crc = 0
    let size = 0
    const before = this.#offset
    const written = (async () => {
      for await (const chunk of deflate) await this.#write(chunk as Buffer)
    })()
    try {
      for await (const part of parts) {
        const bytes = Buffer.from(part)
        crc = crc32(bytes, crc)
        size += bytes.length
        if (!deflate.write(bytes)) await once(deflate, 'drain')
      }
    } finally {
      // Also when the parts fail: nothing writes to the file any more once this has thrown.
      deflate.end()
      await written
    }
    return { crc, size, compressed: this.#offset - before }
  }

  async #write(bytes: Buffer): Promise<void> {
    if (this.#failure) throw this.#failure
    this.#offset += bytes.length
    if (!this.#file.write(bytes)) await once(this.#file, 'drain')
  }
}
