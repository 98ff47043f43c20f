import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { contract } from '@boathouse/contract'
import { FIREWALL_MESSAGES } from '@boathouse/contract/firewall'
import { IDENTITY_MESSAGES } from '@boathouse/contract/identity-messages'
import { CARD_MESSAGES } from '@boathouse/contract/payment'
import { MESSAGES } from '@boathouse/contract/rules'
import { VPCE_MESSAGES } from '@boathouse/contract/vpce'
import { describe, expect, test } from 'vitest'
import words from '../../../scripts/banned-words.json'
import { en } from './en.ts'

interface Text {
  readonly key: string
  readonly text: string
}

/** Every text below, also those that are made with a value. */
function textsIn(value: unknown, key: string): readonly Text[] {
  if (typeof value === 'string') return [{ key, text: value }]
  if (typeof value === 'function') return textsIn((value as (...of: string[]) => unknown)('X1', 'X2'), key)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, part]) => textsIn(part, `${key}.${name}`))
}

/** The code of a folder, without tests and comments. */
const sourcesIn = (folder: string, ending: RegExp): readonly Text[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => ending.test(file) && !/\.test\.tsx?$|\btesting\b/.test(file))
    .map((file) => ({
      key: file,
      text: readFileSync(join(folder, file), 'utf8').replaceAll(/\/\*[^]*?\*\/|^\s*\/\/.*$/gm, ''),
    }))

/** Sentences in the contract that are in no list of messages, such as those of the fields of a form. */
const ruleTexts: readonly Text[] = sourcesIn(
  join(import.meta.dirname, '../../../packages/contract/src'),
  /\.ts$/,
).flatMap(({ key, text }) =>
  [...text.matchAll(/(['`])([A-Z][a-z]+ [^'`\n]+)\1/g)].map(([, , sentence = '']) => ({
    key,
    text: sentence,
  })),
)

const summaries: readonly Text[] = Object.values(contract).flatMap((calls) =>
  Object.values(calls).map(({ path, summary }) => ({ key: path, text: summary })),
)

const ON_SCREEN: readonly Text[] = [
  ...Object.entries(en).flatMap(([name, part]) => textsIn(part, name)),
  ...Object.entries({ MESSAGES, IDENTITY_MESSAGES, CARD_MESSAGES, FIREWALL_MESSAGES, VPCE_MESSAGES }).flatMap(
    ([name, part]) => textsIn(part, name),
  ),
]

/** Given by the specification: they stay unchanged, and no rule of ours applies to them. */
const OF_THE_SPECIFICATION = [
  'Account has been frozen, Please contact management.',
  'All Catalogs',
  'BI Tools',
  'Copy failed',
  'Copy succeeded',
  'Email contains unsupported characters',
  'Enter rule name',
  'Enter the correct email',
  'Enter the correct value',
  'Enter the idle time',
  'Enter the X1',
  'Enter valid IPV4 addresses',
  'Error',
  'Failed to add credit card. Please try again or change another credit card.',
  'It seems you do not have permission to use this function, please contact the account admin.',
  'Loading failed',
  'Login failed: Invalid account or password.',
  'OOPS!... 404 Not Found',
  'Org & Account',
  'Please enter AWS account ID',
  'Please enter a consistent password',
  'Please enter endpoint ID',
  'Reach limit of connections',
  'Security settings',
  'The maximum length is X1',
  'There seems to be a problem now, please try it again later.',
  'User & Role',
  'Your login to the product has timed out. Please try again.',
  'request timed out',
  'root',
  'timeout',
  '{active} of {all} roles activated',
]

/** Those that continue a text of the specification in our own words. */
const BEGIN_AS_SPECIFIED = ['It seems that we have not received a connection request from your VPC endpoint']

/** They have a capital wherever they are. */
const PROPER_NAMES = new Set(
  `Boathouse Databricks Unity Catalog Hive Tabular Excel Parquet Iceberg Markdown Connect Enter Escape Tab Alt Shift
  Caps Lock Mod Query Usage HTTP Ln Col Internal Web Glue Latin`.split(/\s+/),
)

const isOurs = ({ text }: Text): boolean => !OF_THE_SPECIFICATION.includes(text)
const OURS = ON_SCREEN.filter(isOurs)
const READ = [...OURS, ...summaries, ...ruleTexts.filter(isOurs)]

const sentencesOf = (text: string): readonly string[] => text.split(/(?<=[.!?…])\s+(?=[A-Z{“"])/)
const wordsOf = (text: string): readonly string[] => text.split(/\s+/).filter((word) => /[\w{]/.test(word))

/** Words with a capital inside a sentence; a quotation, and what follows a colon or a value, begin one of their own. */
const capitalsIn = (text: string): readonly string[] =>
  sentencesOf(text.replaceAll(/[“"(][^”")]*[”")]/g, ''))
    .flatMap((sentence) => sentence.split(/[:;/|·]\s+|(?<=\})\s+(?=[A-Z][a-z])/))
    .flatMap((part) => wordsOf(part).slice(1))
    .map((word) => word.replace(/[.,!?…]+$/, ''))
    .filter((word) => /^[A-Z][a-z]+$/.test(word) && !PROPER_NAMES.has(word))

const found = (texts: readonly Text[], isWrong: (text: string) => boolean): readonly string[] =>
  texts.filter(({ text }) => isWrong(text)).map(({ key, text }) => `${key}: ${text}`)

describe.each([...words.banned, ...words.bannedOnScreen])(
  '$pattern is never said, but: $instead',
  ({ pattern }) => {
    const banned = new RegExp(pattern, 'i')
    test('on a page, in a message or in the description of a call', () => {
      expect(found(READ, (text) => banned.test(text))).toEqual([])
    })
  },
)

test('no sentence has more words than a person reads at a glance', () => {
  const isLong = (sentence: string) => wordsOf(sentence).length > words.longestSentence
  expect(found(READ, (text) => sentencesOf(text).some(isLong))).toEqual([])
})

test('titles, labels and buttons are in sentence case', () => {
  expect(found(OURS, (text) => capitalsIn(text).length > 0)).toEqual([])
})

test('a title names its action and its object without an article', () => {
  const titles = OURS.filter(({ key }) => /title$/i.test(key))
  const withArticle =
    /^(Add|Change|Create|Delete|Disable|Drop|Edit|Enable|Grant|Keep|Remove|Rename|Revoke|Set|Share|Stop|Suspend) (an?|the|this|these) /
  expect(found(titles, (text) => withArticle.test(text))).toEqual([])
})

test('a title that asks to confirm what cannot be taken lightly is a question', () => {
  const titles = OURS.filter(({ key }) => /title$/i.test(key))
  const destroys = /^(Delete|Disable|Drop|Keep|Remove|Revoke|Stop|Suspend) /
  expect(found(titles, (text) => destroys.test(text) && !text.endsWith('?'))).toEqual([])
})

test('an ellipsis is one character, and no text has a space too many', () => {
  expect(found(OURS, (text) => /\.\.\.| {2}|…\S/.test(text))).toEqual([])
})

test('no component has a text of its own', () => {
  const components = sourcesIn(join(import.meta.dirname, '..'), /\.tsx$/)
  const own =
    /\b(?:label|title|placeholder|help|aria-label)="[A-Z][a-z][^"]*"|>\s*[A-Z][a-z]+ [a-z][^<>{}=;]*</
  expect(components.length).toBeGreaterThan(100)
  expect(found(components, (text) => own.test(text)).map((one) => one.slice(0, 80))).toEqual([])
})

test.each(OF_THE_SPECIFICATION)('the specification gives it to the letter: %s', (text) => {
  expect(ON_SCREEN.map((one) => one.text)).toContain(text)
})

test.each(BEGIN_AS_SPECIFIED)('the specification gives its beginning: %s', (beginning) => {
  expect(ON_SCREEN.some(({ text }) => text.startsWith(beginning))).toBe(true)
})
