import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { isIP } from 'node:net'
import { bits, integer, objectId, octets, sequence, set, tagged, time, truth, utf8 } from './der.ts'

export interface CertificateAndKey {
  /** As PEM, both of them; behind the certificate may follow those that vouch for it. */
  readonly certificate: string
  readonly key: string
}

const ECDSA_WITH_SHA256 = objectId('1.2.840.10045.4.3.2')
const COMMON_NAME = objectId('2.5.4.3')
const EXTENSIONS = {
  basicConstraints: objectId('2.5.29.19'),
  keyUsage: objectId('2.5.29.15'),
  extendedKeyUsage: objectId('2.5.29.37'),
  alternativeNames: objectId('2.5.29.17'),
}
const SERVER_AUTHENTICATION = objectId('1.3.6.1.5.5.7.3.1')

const VERSION_3 = tagged(0xa0, integer(Uint8Array.of(2)))
const DIGITAL_SIGNATURE = bits(Uint8Array.of(0x80), 7)
const DNS_NAME = 0x82
const IP_ADDRESS = 0x87

/** Who pins it has to be told of another one, so that it lasts. */
const YEARS = 10
/** Clocks of clients may be late. */
const EARLIER_MS = 24 * 3_600_000

const critical = (id: Buffer, value: Buffer): Buffer => sequence(id, truth(), octets(value))
const extension = (id: Buffer, value: Buffer): Buffer => sequence(id, octets(value))

function addressBytes(address: string): Buffer {
  if (isIP(address) === 4) return Buffer.from(address.split('.').map(Number))
  const [before = '', behind = ''] = address.split('::')
  const groups = (text: string): string[] => (text === '' ? [] : text.split(':'))
  const [first, last] = [groups(before), groups(behind)]
  const all = [...first, ...Array<string>(8 - first.length - last.length).fill('0'), ...last]
  return Buffer.from(all.map((group) => group.padStart(4, '0')).join(''), 'hex')
}

const alternativeName = (name: string): Buffer =>
  isIP(name) === 0 ? tagged(DNS_NAME, Buffer.from(name)) : tagged(IP_ADDRESS, addressBytes(name))

const pem = (label: string, der: Buffer): string => {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? []
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ''].join('\n')
}

/** A certificate that vouches for itself, for the names and addresses by which this machine is reached. */
export function makeCertificate(names: readonly string[], now: Date): CertificateAndKey {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  const name = sequence(set(sequence(COMMON_NAME, utf8(names[0] ?? 'localhost'))))
  const ends = new Date(now)
  ends.setUTCFullYear(ends.getUTCFullYear() + YEARS)
  const extensions = sequence(
    critical(EXTENSIONS.basicConstraints, sequence()),
    critical(EXTENSIONS.keyUsage, DIGITAL_SIGNATURE),
    extension(EXTENSIONS.extendedKeyUsage, sequence(SERVER_AUTHENTICATION)),
    extension(EXTENSIONS.alternativeNames, sequence(...names.map(alternativeName))),
  )
  // The first bit is not set and the first byte is not 0: it is positive, and as short as it can be.
  const serial = randomBytes(16)
  serial.writeUInt8((serial.readUInt8(0) & 0x7f) | 0x40, 0)
  const body = sequence(
    VERSION_3,
    integer(serial),
    sequence(ECDSA_WITH_SHA256),
    name,
    sequence(time(new Date(now.getTime() - EARLIER_MS)), time(ends)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(0xa3, extensions),
  )
  const signature = sign('sha256', body, privateKey)
  return {
    certificate: pem('CERTIFICATE', sequence(body, sequence(ECDSA_WITH_SHA256), bits(signature))),
    key: pem('PRIVATE KEY', privateKey.export({ type: 'pkcs8', format: 'der' })),
  }
}
