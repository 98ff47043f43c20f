import { createPrivateKey, X509Certificate } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import type { Clock } from '../../../kernel/clock.ts'
import { type CertificateAndKey, makeCertificate } from './self-signed.ts'

/** Why a certificate is of no use, in a sentence for the operator. */
export class BadCertificate extends Error {
  override readonly name = 'BadCertificate'
}

export interface CertificateFiles {
  readonly certificate: string
  readonly key: string
}

const DAY_MS = 24 * 3_600_000
/** One of our own is made again when less than this is left of it. */
const RENEWED_BEFORE_MS = 30 * DAY_MS

const reasonOf = (error: unknown): string =>
  error instanceof Error ? ((error as NodeJS.ErrnoException).code ?? error.message) : String(error)

async function read(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    throw new BadCertificate(`${path} cannot be read (${reasonOf(error)}).`, { cause: error })
  }
}

function parsed<T>(path: string, parse: () => T): T {
  try {
    return parse()
  } catch (error) {
    throw new BadCertificate(`${path} is not valid PEM (${reasonOf(error)}).`, { cause: error })
  }
}

const day = (date: Date): string => date.toISOString().slice(0, 10)

/** Reads both, and throws a `BadCertificate` unless they fit each other and are valid now. */
export async function readCertificate(files: CertificateFiles, now: Date): Promise<CertificateAndKey> {
  const [certificate, key] = await Promise.all([read(files.certificate), read(files.key)])
  const parsedCertificate = parsed(files.certificate, () => new X509Certificate(certificate))
  const parsedKey = parsed(files.key, () => createPrivateKey(key))
  if (!parsedCertificate.checkPrivateKey(parsedKey))
    throw new BadCertificate(`The key in ${files.key} is not that of the certificate in ${files.certificate}.`)
  const [begins, ends] = [new Date(parsedCertificate.validFrom), new Date(parsedCertificate.validTo)]
  if (ends <= now)
    throw new BadCertificate(`The certificate in ${files.certificate} expired on ${day(ends)}.`)
  if (begins > now)
    throw new BadCertificate(`The certificate in ${files.certificate} is not valid before ${day(begins)}.`)
  return { certificate, key }
}

const leftMs = ({ certificate }: CertificateAndKey, now: Date): number =>
  new Date(new X509Certificate(certificate).validTo).getTime() - now.getTime()

async function keep(files: CertificateFiles, made: CertificateAndKey): Promise<void> {
  for (const part of ['key', 'certificate'] as const) {
    await writeFile(`${files[part]}.new`, made[part], { mode: 0o600 })
    await rename(`${files[part]}.new`, files[part])
  }
}

/** The one that was made at the first start, in the data directory; made again when it is damaged or soon expires. */
export async function ownCertificate(
  dataDir: string,
  hosts: readonly string[],
  clock: Clock,
): Promise<CertificateAndKey> {
  const folder = join(dataDir, 'mysql-tls')
  const files = { certificate: join(folder, 'certificate.pem'), key: join(folder, 'key.pem') }
  const now = clock.now()
  const kept = await readCertificate(files, now).catch(() => null)
  if (kept && leftMs(kept, now) > RENEWED_BEFORE_MS) return kept
  const names = new Set([hostname(), 'localhost', '127.0.0.1', '::1', ...hosts])
  const made = makeCertificate([...names], now)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await keep(files, made)
  return made
}
