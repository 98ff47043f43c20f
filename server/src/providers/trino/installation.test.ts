import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { findInstallation } from './installation.ts'

let place: string
beforeEach(async () => {
  place = await mkdtemp(join(tmpdir(), 'boathouse-trino-'))
  const made = place
  onTestFinished(() => rm(made, { recursive: true, force: true }))
})

async function put(...path: string[]): Promise<void> {
  const file = join(place, ...path)
  await mkdir(join(file, '..'), { recursive: true })
  await writeFile(file, '')
}

async function aServer(): Promise<string> {
  await put('trino', 'lib', 'io.trino_trino-main-476.jar')
  await put('trino', 'plugin', 'iceberg', 'x.jar')
  return join(place, 'trino')
}

async function aJava(version: string): Promise<string> {
  await put(`java-${version}`, 'bin', 'java')
  await writeFile(join(place, `java-${version}`, 'release'), `JAVA_VERSION="${version}"\n`)
  return join(place, `java-${version}`)
}

test('a server and a Java that is new enough are found, and are another pair with another Java', async () => {
  const home = await aServer()
  const found = await findInstallation({ home, jdk: await aJava('25.0.3') })
  expect(found).toMatchObject({ version: '476', javaVersion: '25.0.3', canCache: true })
  const older = await findInstallation({ home, jdk: await aJava('24.0.1') })
  expect(older.canCache).toBe(false)
  expect(older.fingerprint).not.toBe(found.fingerprint)
})

test('what is missing is said in a sentence', async () => {
  const jdk = await aJava('25.0.3')
  const old = await aJava('17.0.9')
  await expect(findInstallation({ home: undefined, jdk })).rejects.toThrow('BOATHOUSE_TRINO_HOME is not set.')
  await expect(findInstallation({ home: place, jdk })).rejects.toThrow('is not an unpacked Trino server')
  await put('bare', 'lib', 'io.trino_trino-main-476.jar')
  await expect(findInstallation({ home: join(place, 'bare'), jdk })).rejects.toThrow('has no plugin/iceberg')
  const home = await aServer()
  await expect(findInstallation({ home, jdk: undefined })).rejects.toThrow('BOATHOUSE_TRINO_JDK is not set')
  await expect(findInstallation({ home, jdk: place })).rejects.toThrow('has no bin/java')
  await expect(findInstallation({ home, jdk: old })).rejects.toThrow('Java 17.0.9 in')
})
