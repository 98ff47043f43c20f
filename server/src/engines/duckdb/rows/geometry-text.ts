import { doubleText } from '../../engine/float-text.ts'

const NAMES = [
  'POINT',
  'LINESTRING',
  'POLYGON',
  'MULTIPOINT',
  'MULTILINESTRING',
  'MULTIPOLYGON',
  'GEOMETRYCOLLECTION',
] as const
const POINT = 1
const COLLECTION = 7
/** Behind the name; the thousands of a kind say which. */
const DIMENSIONS = ['', ' Z', ' M', ' ZM'] as const
const NUMBERS = [2, 3, 3, 4] as const
/** Of the parts of a kind that is made of others of one kind. */
const PART_OF: Readonly<Record<number, number>> = { 4: POINT, 5: 2, 6: 3 }

interface Kind {
  readonly base: number
  readonly dimensions: number
}

/** Reads on from where the last one ended. */
class Bytes {
  #at = 0
  readonly #view: DataView

  constructor(bytes: Uint8Array) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  /** Always in the order that DuckDB writes, which its first byte says. */
  kind(): Kind {
    const [order, code] = [this.#view.getUint8(this.#at), this.#view.getUint32(this.#at + 1, true)]
    const kind = { base: code % 1000, dimensions: Math.floor(code / 1000) }
    if (order !== 1 || kind.base < POINT || kind.base > COLLECTION || kind.dimensions >= DIMENSIONS.length)
      throw new RangeError('These bytes are not a geometry.')
    this.#at += 5
    return kind
  }

  count(): number {
    this.#at += 4
    return this.#view.getUint32(this.#at - 4, true)
  }

  number(): number {
    this.#at += 8
    return this.#view.getFloat64(this.#at - 8, true)
  }
}

const within = (parts: readonly string[]): string => (parts.length === 0 ? 'EMPTY' : `(${parts.join(', ')})`)

const each = (bytes: Bytes, read: () => string): string[] =>
  Array.from({ length: bytes.count() }, () => read())

const placeOf = (bytes: Bytes, { dimensions }: Kind): number[] =>
  Array.from({ length: NUMBERS[dimensions] ?? 0 }, () => bytes.number())

const placeText = (place: readonly number[]): string =>
  place.map((number) => doubleText(number).replace(/\.0$/, '')).join(' ')

/** Null for one that is nowhere. */
function pointText(bytes: Bytes, kind: Kind): string | null {
  const place = placeOf(bytes, kind)
  return place.every(Number.isNaN) ? null : placeText(place)
}

const line = (bytes: Bytes, kind: Kind): string => within(each(bytes, () => placeText(placeOf(bytes, kind))))

/** What stands behind the name. */
function bodyOf(bytes: Bytes, kind: Kind): string {
  const { base } = kind
  if (base === POINT) {
    const point = pointText(bytes, kind)
    return within(point === null ? [] : [point])
  }
  if (base === 2) return line(bytes, kind)
  if (base === 3) return within(each(bytes, () => line(bytes, kind)))
  if (base === COLLECTION) return within(each(bytes, () => textOf(bytes)))
  return within(each(bytes, () => partOf(bytes, base)))
}

/** The points of a MULTIPOINT stand without brackets of their own. */
function partOf(bytes: Bytes, base: number): string {
  const part = bytes.kind()
  if (part.base !== PART_OF[base]) throw new RangeError('These bytes are not a geometry.')
  return part.base === POINT ? (pointText(bytes, part) ?? 'EMPTY') : bodyOf(bytes, part)
}

function textOf(bytes: Bytes): string {
  const kind = bytes.kind()
  return `${NAMES[kind.base - 1]}${DIMENSIONS[kind.dimensions]} ${bodyOf(bytes, kind)}`
}

/** Well-known text of the well-known binary form, as DuckDB itself writes it. */
export const geometryText = (bytes: Uint8Array): string => textOf(new Bytes(bytes))
