import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { errorCode } from '../error-code.ts'

export type ProcessInfo = { state: 'gone' } | { state: 'zombie' } | { state: 'alive'; command: string }

export async function processInfo(pid: number): Promise<ProcessInfo> {
  return process.platform === 'linux' ? fromProc(pid) : fromPs(pid)
}

async function fromProc(pid: number): Promise<ProcessInfo> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
    // The name in parentheses may itself hold spaces and parentheses.
    const state = stat.slice(stat.lastIndexOf(')') + 2, stat.lastIndexOf(')') + 3)
    if (state === 'Z' || state === 'X') return { state: 'zombie' }
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8')
    return { state: 'alive', command: command.replaceAll('\0', ' ') }
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ESRCH') return { state: 'gone' }
    throw error
  }
}

async function fromPs(pid: number): Promise<ProcessInfo> {
  try {
    const args = ['-ww', '-o', 'stat=,command=', '-p', String(pid)]
    const { stdout } = await promisify(execFile)('ps', args)
    const [, state = '', command = ''] = /^\s*(\S+)\s+(.*)$/m.exec(stdout) ?? []
    return state.startsWith('Z') ? { state: 'zombie' } : { state: 'alive', command }
  } catch (error) {
    if (errorCode(error) === 'ENOENT') throw error
    // ps ends with status 1 when there is no such process.
    return { state: 'gone' }
  }
}
