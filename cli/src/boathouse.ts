import { COMMANDS } from './commands.ts'
import { OPERATOR_GROUPS } from './operator-line.ts'
import { applyOptions, parseCommandLine, UsageError } from './command-line.ts'

async function run(): Promise<number> {
  const line = parseCommandLine(process.argv.slice(2), ['extensions', ...OPERATOR_GROUPS])
  const command = COMMANDS[line.command]
  if (!command) throw new UsageError(`There is no command '${line.command}'. 'boathouse help' lists them.`)
  applyOptions(line.options)
  return (await command.run(line)) ?? 0
}

try {
  const code = await run()
  // A started server keeps running; every other command is done here.
  if (code !== 0) process.exitCode = code
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = error instanceof UsageError ? 2 : 1
}
