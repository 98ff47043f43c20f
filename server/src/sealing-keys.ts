import { randomBytes, randomUUID } from 'node:crypto'
import { link, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ConfigError } from './config.ts'
import { KEY_BYTES, type SealingKey, sealingKey } from './kernel/sealing.ts'
import { errorCode } from './store/error-code.ts'

export type SealingKeys = readonly [SealingKey, ...SealingKey[]]

const keyFileIn = (dataDir: string): string => join(dataDir, 'secret.key')

/** Keys in base64, the newest first, a line or a comma between them. */
function readKeys(text: string, place: string): SealingKeys {
  const bytes = text
    .split(/[\s,]+/)
    .filter((word) => word !== '')
    .map((word) => Buffer.from(word, 'base64'))
  const [newest, ...older] = bytes
  if (!newest || bytes.some((key) => key.length !== KEY_BYTES))
    throw new ConfigError(
      `${place}: a key is ${KEY_BYTES} random bytes in base64, as 'openssl rand -base64 32' prints.`,
    )
  return [sealingKey(newest), ...older.map(sealingKey)]
}

/** Whole or not at all: a start that is cut off leaves no half of a key. */
async function makeKeyFile(file: string): Promise<void> {
  const draft = `${file}.${randomUUID()}`
  await writeFile(draft, `${randomBytes(KEY_BYTES).toString('base64')}\n`, {
    mode: 0o600,
    flag: 'wx',
    flush: true,
  })
  try {
    await link(draft, file)
  } catch (error) {
    // Somebody else was faster; theirs is the key.
    if (errorCode(error) !== 'EEXIST') throw error
  } finally {
    await rm(draft, { force: true })
  }
}

async function readKeyFile(file: string): Promise<string> {
  const { mode } = await stat(file)
  if ((mode & 0o077) !== 0)
    throw new ConfigError(
      `${file} holds the key to all secrets and can be read by others. Run chmod 600 on it.`,
    )
  return readFile(file, 'utf8')
}

/** Adds a new key before the others: the next start seals everything again with it. All or nothing. */
export async function renewKeyFile(dataDir: string): Promise<void> {
  const file = keyFileIn(dataDir)
  const before = await readKeyFile(file).catch((error: unknown) => {
    if (errorCode(error) !== 'ENOENT') throw error
    throw new ConfigError(`${file} does not exist yet. The first start creates it.`)
  })
  readKeys(before, file)
  const draft = `${file}.${randomUUID()}`
  await writeFile(draft, `${randomBytes(KEY_BYTES).toString('base64')}\n${before}`, {
    mode: 0o600,
    flag: 'wx',
    flush: true,
  })
  await rename(draft, file)
}

/** From the environment, or from a file of mode 0600 that the first start makes. */
export async function openSealingKeys(dataDir: string, given: string | undefined): Promise<SealingKeys> {
  if (given !== undefined) return readKeys(given, 'BOATHOUSE_SECRET_KEY')
  const file = keyFileIn(dataDir)
  try {
    return readKeys(await readKeyFile(file), file)
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error
  }
  await makeKeyFile(file)
  return readKeys(await readKeyFile(file), file)
}
