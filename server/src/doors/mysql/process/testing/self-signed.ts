import { type KeyObject, generateKeyPairSync, sign } from 'node:crypto'

/** A certificate of its own for 127.0.0.1, as small as DER allows, for tests. */
export function selfSigned(commonName: string): { certificate: string; key: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const body = certificateBody(commonName, publicKey)
  const signature = sign('sha256', body, privateKey)
  const whole = sequence(body, ECDSA_WITH_SHA256, tagged(0x03, Buffer.concat([Buffer.from([0]), signature])))
  return {
    certificate: `-----BEGIN CERTIFICATE-----\n${whole.toString('base64')}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
}

function certificateBody(commonName: string, publicKey: KeyObject): Buffer {
  const name = sequence(tagged(0x31, sequence(COMMON_NAME, tagged(0x0c, Buffer.from(commonName)))))
  const time = (year: number) => tagged(0x18, Buffer.from(`${year}0101000000Z`))
  return sequence(
    tagged(0xa0, integer(2)),
    integer(Date.now()),
    ECDSA_WITH_SHA256,
    name,
    sequence(time(2020), time(2099)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
  )
}

function tagged(tag: number, content: Buffer): Buffer {
  const { length } = content
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}

const sequence = (...parts: Buffer[]): Buffer => tagged(0x30, Buffer.concat(parts))

function integer(value: number): Buffer {
  const hex = value.toString(16)
  return tagged(
    0x02,
    Buffer.from(`00${hex.length % 2 ? '0' : ''}${hex}`.replace(/^00(?=[0-7]\w)/, ''), 'hex'),
  )
}

const COMMON_NAME = tagged(0x06, Buffer.from('550403', 'hex'))
const ECDSA_WITH_SHA256 = sequence(tagged(0x06, Buffer.from('2a8648ce3d040302', 'hex')))
