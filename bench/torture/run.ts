import { loadavg } from 'node:os'
import { fuzz } from './fuzz.ts'
import { asText, fuzzAsText } from './report.ts'
import { torture } from './torture.ts'

/** A whole number from the environment. */
function setting(name: string, fallback: number): number {
  const value = Number(process.env[name] ?? fallback)
  if (Number.isInteger(value) && value > 0) return value
  throw new Error(`${name} must be a whole number above 0, not "${process.env[name]}".`)
}

const seed = setting('TORTURE_SEED', Math.floor(Math.random() * 2 ** 31) + 1)

async function killing(): Promise<readonly string[]> {
  const kills = setting('TORTURE_KILLS', 100)
  console.log(`Killing engine, server, database and MySQL endpoint ${kills} times each; seed ${seed}.`)
  const plan = {
    seed,
    kills,
    consoles: 6,
    defines: true,
    backWithinMs: 5_000,
    tell: (line: string) => console.log(line),
  }
  const report = await torture(plan)
  console.log(`\n${asText(report)}`)
  return report.violations
}

async function fuzzing(): Promise<readonly string[]> {
  const [texts, messages] = [setting('FUZZ_TEXTS', 100_000), setting('FUZZ_MESSAGES', 100_000)]
  console.log(`Sending ${texts} texts as SQL and ${messages} messages; seed ${seed}.`)
  const report = await fuzz({ seed, texts, messages, tell: (line) => console.log(line) })
  console.log(`\n${fuzzAsText(report)}`)
  return report.violations
}

const [load = 0] = loadavg()
console.log(`Load of the machine before the start: ${load.toFixed(2)}`)
const violations = await (process.argv.includes('--fuzz') ? fuzzing() : killing())
if (violations.length > 0) process.exitCode = 1
