import { createHash } from 'node:crypto'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { ClusterRefused } from './refused.ts'

/** The oldest Java that each server checks for; newer servers need 25. */
const OLDEST_JAVA = 24
/** From this one on, Java keeps what it has compiled for the next start with one option. */
const JAVA_WITH_CACHE = 25
const MAIN_JAR = /^io\.trino_trino-main-(\d+)\.jar$/
/** What catalogs of an account are made with. */
const REQUIRED_PLUGIN = 'iceberg'

export interface InstallationSettings {
  /** Folder of the unpacked server. */
  readonly home: string | undefined
  /** Folder of a Java. */
  readonly jdk: string | undefined
  /** Sample data is asked for. */
  readonly hasTpch?: boolean
}

/** A server that can be started on this machine, and the Java for it. */
export interface Installation {
  readonly home: string
  readonly version: string
  /** The program. */
  readonly java: string
  readonly javaVersion: string
  /** Whether a start can be made faster by what an earlier one has left. */
  readonly canCache: boolean
  /** Another one for every other server or Java: what one leaves for its next start is of no use to another. */
  readonly fingerprint: string
}

/** Rejects with a `ClusterRefused` that says what is missing. */
export async function findInstallation({ home, jdk, hasTpch }: InstallationSettings): Promise<Installation> {
  if (home === undefined)
    throw new ClusterRefused('BOATHOUSE_TRINO_HOME is not set. node scripts/trino.mjs fetches a server.')
  const { version, jars } = await serverIn(home, hasTpch ? [REQUIRED_PLUGIN, 'tpch'] : [REQUIRED_PLUGIN])
  const { java, javaVersion } = await javaIn(jdk, version)
  const lines = [version, javaVersion, process.arch, ...jars]
  return {
    home: resolve(home),
    version,
    java,
    javaVersion,
    canCache: majorOf(javaVersion) >= JAVA_WITH_CACHE,
    fingerprint: createHash('sha256').update(lines.join('\n')).digest('hex').slice(0, 16),
  }
}

async function serverIn(
  home: string,
  plugins: readonly string[],
): Promise<{ version: string; jars: string[] }> {
  const jars = await namesIn(join(home, 'lib'))
  const version = jars.map((name) => MAIN_JAR.exec(name)?.[1]).find((found) => found !== undefined)
  if (version === undefined)
    throw new ClusterRefused(
      `BOATHOUSE_TRINO_HOME: ${home} is not an unpacked Trino server: it has no lib/io.trino_trino-main-….jar.`,
    )
  const present = await namesIn(join(home, 'plugin'))
  const missing = plugins.find((plugin) => !present.includes(plugin))
  if (missing !== undefined)
    throw new ClusterRefused(
      `BOATHOUSE_TRINO_HOME: ${home} has no plugin/${missing}. Unpack io.trino:trino-${missing}:${version}:zip there.`,
    )
  return { version, jars: jars.toSorted() }
}

async function javaIn(
  folder: string | undefined,
  version: string,
): Promise<{ java: string; javaVersion: string }> {
  const hint = `Set BOATHOUSE_TRINO_JDK to a folder with Java ${OLDEST_JAVA} or newer.`
  if (!folder) throw new ClusterRefused(`BOATHOUSE_TRINO_JDK is not set, and neither is JAVA_HOME. ${hint}`)
  const java = join(resolve(folder), 'bin', 'java')
  if (!(await stat(java).catch(() => null)))
    throw new ClusterRefused(`BOATHOUSE_TRINO_JDK: ${folder} has no bin/java. ${hint}`)
  const release = await readFile(join(folder, 'release'), 'utf8').catch(() => '')
  const javaVersion = /^JAVA_VERSION="([^"]+)"/m.exec(release)?.[1]
  if (javaVersion === undefined)
    throw new ClusterRefused(`BOATHOUSE_TRINO_JDK: ${folder} has no file that says its version. ${hint}`)
  if (majorOf(javaVersion) < OLDEST_JAVA)
    throw new ClusterRefused(
      `BOATHOUSE_TRINO_JDK: Java ${javaVersion} in ${folder} is too old for Trino ${version}. ${hint}`,
    )
  return { java, javaVersion }
}

const majorOf = (version: string): number => Number.parseInt(version, 10)

const namesIn = (folder: string): Promise<string[]> => readdir(folder).catch(() => [])
