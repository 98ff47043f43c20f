import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describeSettings, readConfig } from '@boathouse/server/config'
import type { CommandLine } from './command-line.ts'
import { productRoot } from './product-root.ts'
import { serverStatus } from './status.ts'

interface Command {
  readonly summary: string
  run(line: CommandLine): Promise<number | void>
}

const say = (text: string): void => console.log(text)

async function version(): Promise<string> {
  const file = join(productRoot, 'server', 'package.json')
  return (JSON.parse(await readFile(file, 'utf8')) as { version: string }).version
}

export const COMMANDS: Readonly<Record<string, Command>> = {
  start: {
    summary: 'Start Boathouse (--port, --host, --data-dir)',
    run: async () => {
      await import(pathToFileURL(join(productRoot, 'server', 'dist', 'main.js')).href)
    },
  },
  status: {
    summary: 'Say whether Boathouse runs, and where (--json)',
    run: async ({ json }) => {
      const { dataDir } = readConfig(process.env, productRoot)
      const status = await serverStatus(dataDir)
      if (json) say(JSON.stringify(status, null, 2))
      else if (status.running)
        say(`Boathouse ${status.version} runs at ${status.url} (account ${status.accountId})`)
      else say(`Boathouse does not run with the data in ${dataDir}.`)
      return status.running ? 0 : 1
    },
  },
  config: {
    summary: 'List every setting, its value and what it means (--json)',
    run: async ({ json }) => {
      const settings = describeSettings(process.env)
      if (json) return say(JSON.stringify(settings, null, 2))
      for (const { name, value, isDefault, meaning, expects } of settings)
        say(`${name}=${value}${isDefault ? '   (default)' : ''}\n    ${meaning}; ${expects}.`)
    },
  },
  version: { summary: 'Print the version', run: async () => say(await version()) },
  help: {
    summary: 'Print this',
    run: async () => {
      say('usage: boathouse COMMAND [OPTIONS]\n')
      for (const [name, command] of Object.entries(COMMANDS)) say(`  ${name.padEnd(10)}${command.summary}`)
    },
  },
}
