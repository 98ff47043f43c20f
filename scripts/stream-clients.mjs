import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CACHE, done, fetched, maven, pip } from './tool-cache.mjs'

/**
 * Real clients of stream load, each of one exact version: Python's requests, Java's own HTTP client, and the classes with
 * which the connector of StarRocks for Flink loads. The programs that use them are in `server/src/doors/http/clients`.
 */
const SOURCES = fileURLToPath(new URL('../server/src/doors/http/clients', import.meta.url))

const REQUESTS = 'requests==2.34.2'
/** The connector has its stream load inside; the others are what it asks its program to bring. */
const JARS = [
  'com.starrocks:flink-connector-starrocks:1.2.10_flink-1.18',
  'org.slf4j:slf4j-api:2.0.17',
  'org.slf4j:slf4j-nop:2.0.17',
  'org.lz4:lz4-java:1.8.0',
]

const short = (text) => createHash('sha256').update(text).digest('hex').slice(0, 12)
const cached = (name, fetch) => fetched(join(CACHE, name), fetch)

const python = () =>
  cached(`stream-python-${short(REQUESTS)}`, (draft) => pip('install', '-q', '--target', draft, REQUESTS))

function java() {
  const sources = readdirSync(SOURCES)
    .filter((file) => file.endsWith('.java'))
    .toSorted()
    .map((file) => join(SOURCES, file))
  const hash = short([...JARS, ...sources.map((file) => readFileSync(file, 'utf8'))].join('\0'))
  return cached(
    `stream-java-${hash}`,
    (draft) =>
      JARS.every((artifact) => maven(artifact, draft)) &&
      done('javac', ['-cp', join(draft, '*'), '-d', draft, ...sources]),
  )
}

/** No registry that is used here has it: only one that is installed is found. */
const vector = () =>
  (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, 'vector'))
    .find((program) => existsSync(program))

/** Sets what the tests look for, folders and programs; gives the lines that get what cannot be had. */
export function findStreamClients() {
  /** @type {Record<string, [() => string | undefined, string]>} */
  const tools = {
    PYTHON: [python, `Python’s requests: pip install --target FOLDER ${REQUESTS}`],
    VECTOR: [
      vector,
      'Vector, which no registry has that is used here, as none has Fluent Bit: install it from its makers',
    ],
    JAVA: [java, `Java’s clients: a JDK of 17 or newer, and Maven, which fetches ${JARS.join(', ')}`],
  }
  const lines = []
  for (const [name, [find, line]] of Object.entries(tools)) {
    const variable = `BOATHOUSE_TEST_STREAM_${name}`
    const place = process.env[variable] ?? find()
    if (place) process.env[variable] = place
    else lines.push(`${line}, then ${variable}=PLACE`)
  }
  return lines
}
