import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { findClusterOffer, offerText } from '@boathouse/server/clusters-offered'
import { describeSettings, readConfig } from '@boathouse/server/config'
import { renewKeyFile } from '@boathouse/server/sealing-keys'
import { type CommandLine, UsageError } from './command-line.ts'
import { runExtensions } from './extensions.ts'
import { OPERATOR_COMMANDS, OPERATOR_GROUPS, parseOperatorLine } from './operator-line.ts'
import { runOperator } from './operator.ts'
import { productRoot } from './product-root.ts'
import { serverStatus, statusLines } from './status.ts'

interface Command {
  readonly summary: string
  run(line: CommandLine): Promise<number | void>
}

const say = (text: string): void => console.log(text)

async function version(): Promise<string> {
  const file = join(productRoot, 'server', 'package.json')
  return (JSON.parse(await readFile(file, 'utf8')) as { version: string }).version
}

/** For the operator: through the running server, or on its data while none runs. */
const operatorGroup = (group: string): Command => ({
  summary: '',
  run: async ({ json, words }) => {
    const line = parseOperatorLine([group, ...words])
    const { dataDir } = readConfig(process.env, productRoot)
    return runOperator(line, { dataDir, json })
  },
})

export const COMMANDS: Readonly<Record<string, Command>> = {
  start: {
    summary: 'Start Boathouse (--port, --host, --data-dir, --admin-email)',
    run: async () => {
      await import(pathToFileURL(join(productRoot, 'server', 'dist', 'main.js')).href)
    },
  },
  sql: {
    summary: 'Run SQL on a server, typed or from a pipe (boathouse sql --help)',
    run: async ({ words }) => (await import('./sql/main.ts')).runSql(words),
  },
  status: {
    summary: 'Show whether Boathouse is running, and where (--json)',
    run: async ({ json }) => {
      const { dataDir } = readConfig(process.env, productRoot)
      const status = await serverStatus(dataDir)
      if (json) say(JSON.stringify(status, null, 2))
      else for (const line of statusLines(status, dataDir)) say(line)
      return status.running ? 0 : 1
    },
  },
  config: {
    summary: 'List every setting, its value and what it means (--json)',
    run: async ({ json }) => {
      const settings = describeSettings(process.env)
      const clusters = await offerText(await findClusterOffer(readConfig(process.env, productRoot)))
      if (json) return say(JSON.stringify(settings, null, 2))
      for (const { name, value, isDefault, meaning, expects } of settings)
        say(`${name}=${value}${isDefault ? '   (default)' : ''}\n    ${meaning}; ${expects}.`)
      say(`\nClusters: ${clusters}`)
    },
  },
  'renew-key': {
    summary: 'Add a new key to secret.key; the next start encrypts all secrets with it (--data-dir)',
    run: async () => {
      const { dataDir, secretKey } = readConfig(process.env, productRoot)
      if (secretKey !== undefined)
        throw new UsageError(
          'BOATHOUSE_SECRET_KEY is set. Put the new key before the current one, separated by a comma.',
        )
      await renewKeyFile(dataDir)
      say('secret.key has a new key in front. Start Boathouse again: all secrets are then sealed with it.')
    },
  },
  extensions: {
    summary:
      "List DuckDB's extensions, which are installed and how to get the others; add FILE installs one (--json)",
    run: async ({ json, words }) => {
      const { dataDir } = readConfig(process.env, productRoot)
      await runExtensions(words, { dataDir, json })
    },
  },
  ...Object.fromEntries(OPERATOR_GROUPS.map((group) => [group, operatorGroup(group)])),
  version: { summary: 'Print the version', run: async () => say(await version()) },
  help: {
    summary: 'Print this',
    run: async () => {
      say('usage: boathouse COMMAND [OPTIONS]\n')
      for (const [name, { summary }] of Object.entries(COMMANDS))
        if (summary !== '') say(`  ${name.padEnd(11)}${summary}`)
      say('\nFor operators (--data-dir, --json):\n')
      for (const [name, { summary }] of Object.entries(OPERATOR_COMMANDS))
        say(`  ${name.padEnd(21)}${summary}`)
    },
  },
}
