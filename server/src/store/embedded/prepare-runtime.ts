import type { StoreLog } from '../store-log.ts'
import { copyRuntime } from './copy-runtime.ts'
import { programOf, type PostgresRuntime } from './find-runtime.ts'
import { linkLibraries } from './link-libraries.ts'
import type { RunAs } from './run-as.ts'
import { runProgram } from './run-program.ts'

export interface RuntimeWish {
  installed: PostgresRuntime
  runAs: RunAs | undefined
  /** Where a copy goes when the installed files cannot be completed or reached. */
  copiesDirectory: string
  log: StoreLog
}

/** Answers a runtime that really starts under the chosen user. */
export async function prepareRuntime(wish: RuntimeWish): Promise<PostgresRuntime> {
  const { installed, runAs, copiesDirectory, log } = wish
  if (await linkLibraries(installed)) {
    const trial = await tryOut(installed, runAs)
    if (trial.ok) return installed
    // When we cannot run it ourselves either, a copy would not help.
    const own = runAs ? await tryOut(installed, undefined) : trial
    if (!own.ok) throw foreignSystem(installed, own.output)
  }
  const copy = await copyRuntime(installed, copiesDirectory)
  log.info(
    { from: installed.directory, to: copy.directory },
    'PostgreSQL runs from a copy of its program files',
  )
  const trial = await tryOut(copy, runAs)
  if (trial.ok) return copy
  const own = runAs ? await tryOut(copy, undefined) : trial
  if (!runAs || !own.ok) throw foreignSystem(copy, own.output)
  throw new Error(
    `PostgreSQL cannot be run as user id ${runAs.uid} (${trial.output}): ` +
      'start Boathouse as an ordinary user or set DATABASE_URL.',
  )
}

function tryOut(runtime: PostgresRuntime, runAs: RunAs | undefined) {
  return runProgram({ file: programOf(runtime, 'postgres'), args: ['--version'], runAs })
}

function foreignSystem(runtime: PostgresRuntime, reason: string): Error {
  return new Error(
    `PostgreSQL in ${runtime.directory} does not run on this system (${reason}): ` +
      'it needs glibc 2.27 or later, which Alpine does not have; set DATABASE_URL to a PostgreSQL server of your own.',
  )
}
