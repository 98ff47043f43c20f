import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { findClusterOffer, offerText } from './clusters-offered.ts'
import { readConfig } from './config.ts'

/** A server and a Java, as far as their files say. */
async function installed({ java = '25.0.1', plugins = ['iceberg'] } = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'boathouse-offer-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const [home, jdk] = [join(folder, 'server'), join(folder, 'java')]
  await mkdir(join(home, 'lib'), { recursive: true })
  await writeFile(join(home, 'lib', 'io.trino_trino-main-476.jar'), '')
  for (const plugin of plugins) await mkdir(join(home, 'plugin', plugin), { recursive: true })
  await mkdir(join(jdk, 'bin'), { recursive: true })
  await writeFile(join(jdk, 'bin', 'java'), '')
  await writeFile(join(jdk, 'release'), `JAVA_VERSION="${java}"\n`)
  return { BOATHOUSE_TRINO_HOME: home, BOATHOUSE_TRINO_JDK: jdk }
}

const told = async (settings: Record<string, string>): Promise<string> =>
  offerText(await findClusterOffer(readConfig(settings, tmpdir())))

test('clusters are offered with a server and a Java that runs it', async () => {
  const settings = { ...(await installed()), BOATHOUSE_TRINO_HEAP_MB: '512' }
  expect(await told(settings)).toMatch(/^offered: Trino 476 on Java 25.0.1, up to \d+ workers in a cluster$/)
})

test('without a server, they are not, and a line says how one is had', async () => {
  expect(await told({})).toBe(
    'not offered: BOATHOUSE_TRINO_HOME is not set. node scripts/trino.mjs fetches a server.',
  )
})

test('without a Java, or with one that is too old, a line says which one is needed', async () => {
  const settings = await installed({ java: '17.0.2' })
  expect(await told(settings)).toMatch(/^not offered: BOATHOUSE_TRINO_JDK: Java 17.0.2 in .* is too old/)
  const { BOATHOUSE_TRINO_HOME } = settings
  expect(await told({ BOATHOUSE_TRINO_HOME })).toMatch(
    /^not offered: BOATHOUSE_TRINO_JDK is not set, and neither is JAVA_HOME. Set BOATHOUSE_TRINO_JDK/,
  )
})

test('a heap larger than the machine is refused with both sizes', async () => {
  const settings = { ...(await installed()), BOATHOUSE_TRINO_HEAP_MB: '1048576' }
  expect(await told(settings)).toMatch(
    /^not offered: BOATHOUSE_TRINO_HEAP_MB: a coordinator and a worker of 1048576 MB do not fit into this machine, which has \d+ MB.$/,
  )
})

test('sample data needs its plugin', async () => {
  const settings = { ...(await installed()), BOATHOUSE_TRINO_TPCH: 'true', BOATHOUSE_TRINO_HEAP_MB: '512' }
  expect(await told(settings)).toContain('has no plugin/tpch. Unpack io.trino:trino-tpch:476:zip there.')
})
