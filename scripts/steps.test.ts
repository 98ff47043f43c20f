import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const STEPS = fileURLToPath(new URL('steps.mjs', import.meta.url))

/** In a process of its own, as the commands are run: what its steps write is in what it writes. */
function runSteps(steps: readonly (readonly [name: string, script: string])[]) {
  const script = `
    const { createSteps } = await import(${JSON.stringify(STEPS)})
    const { run, finish } = createSteps({ label: 'test', root: '/' })
    for (const [name, script] of ${JSON.stringify(steps)}) run(name, process.execPath, ['-e', script])
    process.exit(finish('All of it passed.'))`
  const { status, stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    encoding: 'utf8',
  })
  return { status, lines: stdout.split('\n').filter(Boolean) }
}

test('a step that fails does not keep the next ones from running, and is named at the end', () => {
  const { status, lines } = runSteps([
    ['check', 'process.exit(3)'],
    ['journeys', `process.kill(process.pid, 'SIGKILL')`],
    ['measured', `console.log('was measured')`],
  ])
  expect(status).toBe(1)
  expect(lines).toContain('was measured')
  expect(lines.slice(-2)).toEqual(['FAILED check (code 3)', 'FAILED journeys (ended by SIGKILL)'])
  expect(lines).not.toContain('All of it passed.')
})

test('when every step passed, that is the last line', () => {
  const { status, lines } = runSteps([['check', '']])
  expect(status).toBe(0)
  expect(lines.at(-1)).toBe('All of it passed.')
})

test('a command that cannot be started is a step that failed', () => {
  const script = `
    const { createSteps } = await import(${JSON.stringify(STEPS)})
    const { run, finish } = createSteps({ label: 'test', root: '/' })
    run('browser', '/no/such/program', [])
    process.exit(finish(''))`
  const { status, stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    encoding: 'utf8',
  })
  expect(status).toBe(1)
  expect(stdout).toContain('FAILED browser (spawnSync /no/such/program ENOENT)')
})
