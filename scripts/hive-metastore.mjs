import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CACHE, done, fetched, maven } from './tool-cache.mjs'

/** A Hive metastore, and what it needs of Hadoop; its own list names older parts of that, and some that are in no registry. */
const VERSION = '4.0.1'
const HADOOP = '3.3.6'
const LEFT_OUT = [
  ['jdk.tools', 'jdk.tools'],
  ['org.apache.hadoop', 'hadoop-common'],
  ['org.apache.hadoop', 'hadoop-annotations'],
  ['org.apache.hadoop', 'hadoop-auth'],
  ['org.slf4j', 'slf4j-log4j12'],
]
const HDFS = `org.apache.hadoop:hadoop-hdfs:${HADOOP}:jar`
/** Newer ones no longer have what Hadoop asks Java for. */
const JAVA = { oldest: 11, newest: 23 }

const wanted = (artifact, leftOut = []) => {
  const [group, name, version] = artifact.split(':')
  const others = leftOut.map(
    ([of, one]) => `<exclusion><groupId>${of}</groupId><artifactId>${one}</artifactId></exclusion>`,
  )
  return `<dependency><groupId>${group}</groupId><artifactId>${name}</artifactId><version>${version}</version><exclusions>${others.join('')}</exclusions></dependency>`
}

const PROJECT = `<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>
<groupId>boathouse</groupId><artifactId>hive-metastore</artifactId><version>1</version><packaging>pom</packaging>
<dependencies>
${wanted(`org.apache.hive:hive-standalone-metastore-server:${VERSION}`, LEFT_OUT)}
${wanted(`org.apache.hadoop:hadoop-client-api:${HADOOP}`)}
${wanted(`org.apache.hadoop:hadoop-client-runtime:${HADOOP}`)}
${wanted('commons-cli:commons-cli:1.5.0')}
${wanted('commons-logging:commons-logging:1.2')}
</dependencies></project>
`

const copyAll = (project, folder) =>
  done('mvn', [
    '-q',
    '-B',
    '-f',
    project,
    'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies',
    '-DincludeScope=runtime',
    `-DoutputDirectory=${folder}`,
  ])

/** Whether the Java of this machine runs it. */
function hasJava() {
  // Null where there is no such program.
  const { stderr } = spawnSync('java', ['-version'], { encoding: 'utf8' })
  const version = Number(/version "(\d+)/.exec(stderr ?? '')?.[1])
  return version >= JAVA.oldest && version <= JAVA.newest
}

/** A folder with its files; undefined where it, or a Java for it, cannot be had. */
export function findHiveMetastore() {
  if (!hasJava()) return undefined
  const folder = process.env.BOATHOUSE_TEST_HIVE ?? join(CACHE, `hive-metastore-${VERSION}`)
  return fetched(folder, (draft) => {
    const project = join(draft, 'pom.xml')
    writeFileSync(project, PROJECT)
    return copyAll(project, draft) && maven(HDFS, draft)
  })
}

export const HIVE_LINE = `a Hive metastore: Java ${JAVA.oldest} to ${JAVA.newest} as java, and Maven as mvn`
