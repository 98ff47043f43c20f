import { AppError } from '../../../kernel/app-error.ts'

/** What can be set of a pipe, with what holds where it is not. */
const DEFAULTS = {
  /** Files that come later are loaded too; otherwise those that are there, once. */
  auto_ingest: 'true',
  /** In seconds. */
  poll_interval: '10',
  /** A file in a folder is taken when nobody has written to it for so many seconds. */
  settle_seconds: '5',
  files_at_once: '4',
  /** Whether a file that cannot be loaded suspends the pipe. */
  on_error: 'continue',
  max_filter_ratio: '0',
  strict_mode: 'false',
  timezone: '',
  /** By its name; empty: the default one. */
  warehouse: '',
} as const

export type PipeSettings = Readonly<Record<keyof typeof DEFAULTS, string>>

const bad = (name: string, what: string) => new AppError('BadInput', `${name}: ${what}`)

const isFlag = (value: string): boolean => /^(?:true|false)$/i.test(value)

const isWhole = (least: number, most: number) => (value: string) =>
  /^\d{1,9}$/.test(value) && Number(value) >= least && Number(value) <= most

const RULES: Readonly<
  Record<keyof PipeSettings, readonly [isGood: (value: string) => boolean, what: string]>
> = {
  auto_ingest: [isFlag, 'Write true or false.'],
  poll_interval: [isWhole(1, 86_400), 'Write whole seconds from 1 to 86400.'],
  settle_seconds: [isWhole(0, 3_600), 'Write whole seconds from 0 to 3600.'],
  files_at_once: [isWhole(1, 8), 'Write a whole number from 1 to 8.'],
  on_error: [(value) => /^(?:continue|suspend)$/i.test(value), 'Write continue or suspend.'],
  max_filter_ratio: [
    (value) => value !== '' && Number(value) >= 0 && Number(value) <= 1,
    'Write a number from 0 to 1.',
  ],
  strict_mode: [isFlag, 'Write true or false.'],
  timezone: [() => true, ''],
  warehouse: [() => true, ''],
}

const REFUSED: Readonly<Record<string, string>> = {
  batch_size: 'Each file is loaded in a transaction of its own. Leave it out.',
  batch_files: 'Each file is loaded in a transaction of its own. Set files_at_once instead.',
}

/** All settings of a pipe: what was set before, and what is set now. Throws what is not understood. */
export function settingsWith(
  before: Readonly<Record<string, string>>,
  set: Readonly<Record<string, string>>,
): PipeSettings {
  const settings: Record<string, string> = { ...DEFAULTS, ...before }
  for (const [written, value] of Object.entries(set)) {
    const name = written.toLowerCase()
    const refused = REFUSED[name]
    if (refused !== undefined) throw bad(name, refused)
    if (!Object.hasOwn(RULES, name))
      throw bad(name, `There is no such property. The properties are ${Object.keys(RULES).join(', ')}.`)
    const [isGood, what] = RULES[name as keyof PipeSettings]
    if (!isGood(value.trim())) throw bad(name, what)
    settings[name] = name === 'warehouse' || name === 'timezone' ? value.trim() : value.trim().toLowerCase()
  }
  return settings as PipeSettings
}
