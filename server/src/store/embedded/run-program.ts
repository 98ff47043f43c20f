import { execFile } from 'node:child_process'
import type { RunAs } from './run-as.ts'

export interface Program {
  file: string
  args: string[]
  runAs: RunAs | undefined
}

export interface ProgramResult {
  ok: boolean
  /** What it printed, or why it could not be started. */
  output: string
}

/** PG* variables, locales and library paths of the caller must not reach PostgreSQL. */
export const quietEnvironment = { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }

export function runProgram({ file, args, runAs }: Program): Promise<ProgramResult> {
  // The caller's working directory may be closed to the other user.
  const options = { ...runAs, cwd: '/', env: quietEnvironment, timeout: 120_000 }
  return new Promise((resolve) => {
    execFile(file, args, options, (error, stdout, stderr) => {
      resolve({ ok: error === null, output: stderr.trim() || stdout.trim() || (error?.message ?? '') })
    })
  })
}
