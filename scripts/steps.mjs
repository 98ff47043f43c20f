import { spawnSync } from 'node:child_process'

const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`

/** Runs commands one after the other. One that fails does not keep the next ones from running. */
export function createSteps({ label, root, say = console.log }) {
  const failed = []

  /** Whether it passed. */
  function run(name, command, args) {
    say(`\n== ${name}`)
    const startedAt = Date.now()
    const { status, signal, error } = spawnSync(command, args, {
      cwd: root,
      stdio: 'inherit',
      shell: process.platform === 'win32',
    })
    const took = seconds(Date.now() - startedAt)
    if (status === 0) {
      say(`${label}: ${name} passed in ${took}`)
      return true
    }
    failed.push(`${name} (${error?.message ?? (signal ? `ended by ${signal}` : `code ${status}`)})`)
    say(`${label}: ${name} failed after ${took}`)
    return false
  }

  /** The exit code. What failed is the last that is said: who reads the end of a long output sees it. */
  function finish(allPassed) {
    say('')
    for (const name of failed) say(`FAILED ${name}`)
    if (failed.length > 0) return 1
    say(allPassed)
    return 0
  }

  return { run, finish, fail: (what) => void failed.push(what) }
}
