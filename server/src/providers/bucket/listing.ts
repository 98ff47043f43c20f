import { type ListedObject, type ObjectPage, OutsideRefused } from '../../kernel/outside.ts'

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

const withoutEntities = (text: string): string =>
  text.replace(/&(?:#\d{1,7}|#x[\da-f]{1,6}|\w{1,8});/gi, (whole) => {
    const inner = whole.slice(1, -1).toLowerCase()
    if (!inner.startsWith('#')) return ENTITIES[inner] ?? whole
    const code = inner.startsWith('#x') ? Number.parseInt(inner.slice(2), 16) : Number(inner.slice(1))
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })

/** The text of the first element of this name; null if there is none. */
export function elementIn(xml: string, name: string): string | null {
  const [, text] = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml) ?? []
  return text === undefined ? null : withoutEntities(text)
}

const nonsense = (what: string, cause?: unknown): OutsideRefused =>
  new OutsideRefused('nonsense', `its answer is no list of a bucket: ${what}`, { cause })

/** It is sent back in a header, so only characters that a header allows. */
const ETAG = /^[\x21-\x7e]{1,200}$/

function keyIn(content: string, isEncoded: boolean): string {
  const key = elementIn(content, 'Key')
  if (key === null) throw nonsense('it has an entry without a name')
  if (!isEncoded) return key
  try {
    return decodeURIComponent(key.replaceAll('+', '%20'))
  } catch (error) {
    throw nonsense('it has a name that cannot be read', error)
  }
}

/** One page of a list (ListObjectsV2). Entries outside the prefix were not requested, and are ignored. */
export function readListing(xml: string, prefix: string): ObjectPage {
  if (!/<ListBucketResult[\s>]/.test(xml) || !xml.includes('</ListBucketResult>'))
    throw nonsense('it is something else')
  const isEncoded = elementIn(xml, 'EncodingType') === 'url'
  const objects: ListedObject[] = []
  for (const [, content = ''] of xml.matchAll(/<Contents>([\s\S]*?)<\/Contents>/g)) {
    const key = keyIn(content, isEncoded)
    if (!key.startsWith(prefix)) throw nonsense('it names what lies beside the prefix')
    // Tools leave empty ones as marks for folders.
    if (key.endsWith('/')) continue
    const size = Number(elementIn(content, 'Size') ?? Number.NaN)
    if (!Number.isSafeInteger(size) || size < 0) throw nonsense('it has an entry without a size')
    const etag = elementIn(content, 'ETag') ?? ''
    const changedAt = new Date(elementIn(content, 'LastModified') ?? '')
    objects.push({
      key: key.slice(prefix.length),
      size,
      etag: ETAG.test(etag) ? etag : '',
      changedAt: Number.isNaN(changedAt.getTime()) ? new Date(0) : changedAt,
    })
  }
  const isCut = elementIn(xml, 'IsTruncated') === 'true'
  const next = elementIn(xml, 'NextContinuationToken')
  if (isCut && !next) throw nonsense('it is incomplete and has no continuation token')
  return { objects, next: isCut ? next : null }
}
